//! Who was withheld: the share of each group, beside that of all.

use crate::words::figure;
use crate::write::pen::{Anchor, Pen, Picture, bars};

/// What is withheld of groups.
#[derive(Debug, Clone)]
pub struct WithheldGroups<'a> {
    /// The groups, those of a column together.
    pub groups: Vec<GroupShare<'a>>,
    /// The share of all records.
    pub all: f64,
}

/// A group.
#[derive(Debug, Clone)]
pub struct GroupShare<'a> {
    /// Who they are.
    pub name: &'a str,
    /// The share of them that is withheld; none where they are too few to be drawn.
    pub share: Option<f64>,
}

impl WithheldGroups<'_> {
    /// The picture: a bar for each group, and a line where all are.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let shares = self.groups.iter().filter_map(|group| group.share);
        let most = shares.chain([self.all]).fold(f64::MIN_POSITIVE, f64::max);
        let (mut pen, height) = (Pen::default(), 18.0 + self.groups.len() as f64 * bars::height(1));
        for (place, group) in self.groups.iter().enumerate() {
            let number = group.share.map_or_else(|| "too few".to_owned(), figure::percent);
            let bar = ("after", group.share.unwrap_or(0.0) / most);
            bars::row(&mut pen, 18.0 + place as f64 * bars::height(1), group.name, &[(bar, number)]);
        }
        let x = bars::LEFT + bars::LONGEST * bars::clamped(self.all / most);
        pen.line("mark", (x, 14.0), (x, height - 3.0));
        let (x, anchor) =
            if x > bars::LEFT + bars::LONGEST / 2.0 { (x + 4.0, Anchor::End) } else { (x - 4.0, Anchor::Start) };
        pen.text("small quiet", (x, 10.0), anchor, &format!("all records: {}", figure::percent(self.all)));
        Picture::new("Share withheld, by group", self.words(), height, pen)
    }

    fn words(&self) -> String {
        let of_group = |group: &GroupShare<'_>| {
            format!("{}: {}", group.name, group.share.map_or_else(|| "too few to be drawn".to_owned(), figure::percent))
        };
        let all = format!("all records: {}", figure::percent(self.all));
        self.groups.iter().map(of_group).chain([all]).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_groups_are_named_and_not_drawn() {
        let groups = vec![GroupShare { name: "women", share: Some(0.1) }, GroupShare { name: "others", share: None }];
        let drawn = WithheldGroups { groups, all: 0.05 }.picture().svg();
        assert!(drawn.contains("women: 10%; others: too few to be drawn; all records: 5%"), "{drawn}");
    }
}
