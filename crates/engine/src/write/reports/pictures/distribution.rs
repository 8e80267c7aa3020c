//! How the records of a column spread over its values or labels.
//!
//! For the owner: each value before and after, and what the release does not tell. For anybody: the labels by how frequent
//! they are, without naming one.

use crate::words::figure;
use crate::write::pen::{Pen, Picture, bars};

/// A column.
#[derive(Debug, Clone, Default)]
pub struct Distribution<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its values or labels, in their order.
    pub shares: Vec<LabelShares>,
    /// Shares of records of which the release does not tell a value, with words.
    pub untold: Vec<(String, f64)>,
}

/// The share of a value or label.
#[derive(Debug, Clone)]
pub struct LabelShares {
    /// What it is called.
    pub label: String,
    /// Before, where the reader may know.
    pub before: Option<f64>,
    /// After.
    pub after: f64,
}

impl Distribution<'_> {
    /// The picture: bars of one scale.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let all = self.shares.iter().flat_map(|one| [one.before.unwrap_or(0.0), one.after]);
        let most = all.chain(self.untold.iter().map(|(_, share)| *share)).fold(f64::MIN_POSITIVE, f64::max);
        let (mut pen, mut top) = (Pen::default(), 0.0);
        for one in &self.shares {
            let before = one.before.map(|share| (("before", share / most), figure::percent(share)));
            let after = (("after", one.after / most), figure::percent(one.after));
            let bars: Vec<_> = before.into_iter().chain([after]).collect();
            bars::row(&mut pen, top, &one.label, &bars);
            top += bars::height(bars.len());
        }
        for (words, share) in &self.untold {
            bars::row(&mut pen, top, words, &[(("untold", share / most), figure::percent(*share))]);
            top += bars::height(1);
        }
        Picture::new(format!("How the records of {} spread", self.name), self.words(), top, pen)
    }

    fn words(&self) -> String {
        let told = self.shares.iter().map(|one| match one.before {
            Some(before) => {
                format!("{}: {} before, {} after", one.label, figure::percent(before), figure::percent(one.after))
            }
            None => format!("{}: {}", one.label, figure::percent(one.after)),
        });
        let untold = self.untold.iter().map(|(words, share)| format!("{words}: {}", figure::percent(*share)));
        told.chain(untold).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_before_is_drawn_only_where_it_is_given() {
        let share = |before| LabelShares { label: "x<".into(), before, after: 0.25 };
        let mut column = Distribution { name: "a", shares: vec![share(None)], untold: Vec::new() };
        assert!(!column.picture().svg().contains("before"));
        column.shares = vec![share(Some(0.5))];
        column.untold = vec![("withheld".into(), 0.1)];
        let drawn = column.picture().svg();
        assert!(drawn.contains("x&lt;: 50% before, 25% after; withheld: 10%") && drawn.contains("untold"), "{drawn}");
        assert!(Distribution::default().picture().svg().contains("role=\"img\""));
    }
}
