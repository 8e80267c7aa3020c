//! How many records are in classes of which size, and where `k` is.
//!
//! Sizes are taken together in steps that double, so that a class of five and one of five thousand fit one picture. Where
//! counts of few people are hidden, a step that holds so few is joined with the next.

use equanym_core::report::SizeHistogram;
use serde::{Deserialize, Serialize};

use crate::words::figure;
use crate::write::pen::{Anchor, Pen, Picture, WIDTH, bars};
use crate::write::reports::small::Small;

/// The classes of a release, perhaps beside those of the original.
#[derive(Debug, Clone, Copy)]
pub struct ClassSizes<'a> {
    /// How many are in classes of which size.
    pub steps: &'a [SizeStep],
    /// The size that is promised, if one is.
    pub k: Option<u64>,
    /// What is counted: records, or people.
    pub unit: &'a str,
}

/// The most steps that are drawn; the last one is open.
const MOST: usize = 9;

/// Sizes from the first to the last, and how many are in classes of such sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeStep {
    /// The first size; 0 where it would tell of few people.
    pub from: u64,
    /// The last size; none where there is no last one.
    pub to: Option<u64>,
    /// In the release.
    pub released: u64,
    /// In the original, where the reader may know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<u64>,
}

impl ClassSizes<'_> {
    /// The picture: a row for each step, a bar for each table.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let has_original = self.steps.iter().any(|step| step.original.is_some());
        let (mut pen, mut y) = (Pen::default(), if has_original { 20.0 } else { 0.0 });
        if has_original {
            bars::legend(&mut pen, 0.0, &[("before", "original"), ("after", "release")]);
        }
        let [before, after] = self.shares();
        let most = before.iter().chain(&after).copied().fold(f64::MIN_POSITIVE, f64::max);
        for (place, step) in self.steps.iter().enumerate() {
            if self.k.is_some_and(|k| k > 1 && k == step.from) {
                y = self.mark(&mut pen, y);
            }
            let share = |shares: &[f64]| shares.get(place).copied().unwrap_or(0.0);
            let before = step.original.map(|_| (("before", share(&before) / most), figure::percent(share(&before))));
            let after = (("after", share(&after) / most), figure::percent(share(&after)));
            let bars: Vec<_> = before.into_iter().chain([after]).collect();
            bars::row(&mut pen, y, &step.label(), &bars);
            y += bars::height(bars.len());
        }
        Picture::new(format!("Shares of the {} in classes of each size", self.unit), self.words(), y, pen)
    }

    fn mark(&self, pen: &mut Pen, y: f64) -> f64 {
        let k = self.k.unwrap_or(0);
        pen.line("mark", (0.0, y + 19.0), (WIDTH, y + 19.0));
        pen.text("small strong", (0.0, y + 14.0), Anchor::Start, &format!("k = {}", figure::count(k)));
        // A model may have a `k` that counts others than those of the release.
        if self.steps.iter().all(|step| step.from >= k || step.released == 0) {
            pen.text("small quiet", (WIDTH, y + 14.0), Anchor::End, "no released class is smaller");
        }
        y + 23.0
    }

    /// The shares before and after.
    fn shares(&self) -> [Vec<f64>; 2] {
        [|step: &SizeStep| step.original.unwrap_or(0), |step: &SizeStep| step.released].map(|records| {
            let all: u64 = self.steps.iter().map(records).sum();
            self.steps.iter().map(|step| figure::share(records(step), all)).collect()
        })
    }

    fn words(&self) -> String {
        let [before, after] = self.shares();
        let of_step = |((step, before), after): ((&SizeStep, &f64), &f64)| {
            let before = step.original.map(|_| format!("{} before, ", figure::percent(*before))).unwrap_or_default();
            format!("size {}: {before}{} in the release", step.label(), figure::percent(*after))
        };
        let told = self.steps.iter().zip(&before).zip(&after).map(of_step);
        let k = self.k.map(|k| format!("k is {}", figure::count(k)));
        told.chain(k).collect::<Vec<_>>().join("; ")
    }
}

impl SizeStep {
    /// The steps of released classes, perhaps beside those of the original; `small` counts are not told.
    #[must_use]
    pub fn all(released: &SizeHistogram, original: Option<&SizeHistogram>, k: Option<u64>, small: Small) -> Vec<Self> {
        let largest = |sizes: &SizeHistogram| sizes.iter().map(|(size, _)| *size).max().unwrap_or(0);
        let edges = edges(k, small, largest(released).max(original.map_or(0, largest)));
        let count = |sizes: &SizeHistogram, from: u64, to: Option<u64>| {
            let is_in = |size: u64| size >= from && to.is_none_or(|to| size <= to);
            let inside = sizes.iter().filter(|(size, _)| is_in(*size));
            inside.map(|(size, classes)| size.saturating_mul(*classes)).fold(0, u64::saturating_add)
        };
        let ends = edges.iter().skip(1).map(|next| Some(next - 1)).chain([None]);
        // A size is a count of people, too: which of the small ones occur is not told.
        let told = |from: u64| if small.shown(from).is_some() { from } else { 0 };
        let steps = edges.iter().zip(ends).map(|(&from, to)| Self {
            from: told(from),
            to,
            released: count(released, from, to),
            original: original.map(|sizes| count(sizes, from, to)),
        });
        // What is below `k` and below the first class is not drawn.
        let first = k.unwrap_or(u64::MAX);
        let is_empty = |step: &Self| step.released == 0 && step.original.unwrap_or(0) == 0 && step.from < first;
        joined(steps.skip_while(is_empty).collect(), small)
    }

    /// Both steps together; from which size on is not told.
    fn with(self, next: Self) -> Self {
        let original = self.original.map(|before| before + next.original.unwrap_or(0));
        Self { from: 0, to: next.to, released: self.released + next.released, original }
    }

    fn label(&self) -> String {
        match self.to {
            Some(to) if to == self.from => figure::count(to),
            Some(to) if self.from == 0 => format!("up to {}", figure::count(to)),
            Some(to) => format!("{} – {}", figure::count(self.from), figure::count(to)),
            None if self.from <= 1 => "any".to_owned(),
            None => format!("{} and more", figure::count(self.from)),
        }
    }
}

/// Where steps begin: at one, at two, at `k`, and at each double of it; at 5, 10, 20 where there is no `k`. Where small counts
/// are hidden, at one, at the first that is shown, and at each double of it.
fn edges(k: Option<u64>, small: Small, most: u64) -> Vec<u64> {
    let hidden = small.threshold();
    let first = hidden.or(k).unwrap_or(5).max(2);
    let doubles = std::iter::successors(Some(first), |edge| edge.checked_mul(2));
    let mut edges: Vec<u64> = [1, hidden.map_or(2, |_| first)]
        .into_iter()
        .chain(doubles.take_while(|edge| *edge <= most.max(first)))
        .collect();
    edges.dedup();
    edges.truncate(MOST);
    edges
}

/// Steps without a count that may not be shown: each such step is joined with the next, the last with the one before.
fn joined(steps: Vec<SizeStep>, small: Small) -> Vec<SizeStep> {
    let is_small = |step: &SizeStep| small.shown(step.released).is_none();
    let mut joined: Vec<SizeStep> = Vec::new();
    for step in steps {
        match joined.last_mut().filter(|last| is_small(last)) {
            Some(last) => *last = last.with(step),
            None => joined.push(step),
        }
    }
    if joined.len() > 1
        && let Some(last) = joined.pop_if(|last| is_small(last))
        && let Some(before) = joined.last_mut()
    {
        *before = SizeStep { from: before.from, ..before.with(last) };
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_double_from_k_and_the_last_is_open() {
        assert_eq!(edges(Some(5), Small::Shown, 45), [1, 2, 5, 10, 20, 40]);
        assert_eq!(edges(Some(1), Small::Shown, 3), [1, 2]);
        assert_eq!(edges(None, Small::Shown, 0), [1, 2, 5]);
        assert_eq!(edges(Some(u64::MAX), Small::Shown, u64::MAX).len(), 3);
        assert_eq!(edges(Some(3), Small::Shown, u64::MAX).len(), MOST);
        assert_eq!(edges(None, Small::HiddenBelow(11), 30), [1, 11, 22]);
    }

    #[test]
    fn k_is_marked_and_every_record_is_in_one_step() {
        let sizes = vec![(5, 2), (9, 1), (10, 1), (900, 1)];
        let steps = SizeStep::all(&sizes, None, Some(5), Small::HiddenBelow(5));
        assert_eq!(steps.iter().map(|step| step.released).sum::<u64>(), 929);
        assert_eq!((steps[0].from, steps[0].released), (5, 19));
        let drawn = ClassSizes { steps: &steps, k: Some(5), unit: "records" }.picture().svg();
        assert!(drawn.contains(">k = 5<") && drawn.contains("5 – 9") && !drawn.contains("before"), "{drawn}");
        let steps = SizeStep::all(&sizes, Some(&vec![(1, 940)]), Some(5), Small::Shown);
        let drawn = ClassSizes { steps: &steps, k: Some(5), unit: "records" }.picture().svg();
        assert!(drawn.contains("size 1: 100% before, 0% in the release"), "{drawn}");
    }

    #[test]
    fn few_records_are_not_told() {
        for (sizes, expected) in [
            (vec![(3, 1), (7, 2), (30, 4)], vec![(0, Some(10), 17), (11, Some(21), 0), (22, None, 120)]),
            // However many people are alone, that they are is not told.
            (vec![(1, 500), (30, 1)], vec![(0, Some(10), 500), (11, Some(21), 0), (22, None, 30)]),
            (vec![(30, 4), (3, 1)], vec![(0, None, 123)]),
            (vec![(3, 1)], vec![(0, None, 3)]),
        ] {
            let steps = SizeStep::all(&sizes, None, None, Small::HiddenBelow(11));
            let found: Vec<_> = steps.iter().map(|step| (step.from, step.to, step.released)).collect();
            assert_eq!(found, expected, "{sizes:?}");
        }
    }
}
