//! How many records are in classes of which size, and where `k` is.
//!
//! Sizes are taken together in steps that double, so that a class of five and one of five thousand fit one picture. Where
//! counts of few people are hidden, a step that holds so few is joined with the next.

use super::pen::{Anchor, Pen};
use super::picture::Picture;
use super::rows;
use crate::write::reports::figure;
use crate::write::reports::small::Small;

/// The classes of a release, perhaps beside those of the original. Each size comes with how many classes have it.
#[derive(Debug, Clone, Copy)]
pub struct ClassSizes<'a> {
    /// The released classes.
    pub released: &'a [(u64, u64)],
    /// Those before, where the reader may know.
    pub original: Option<&'a [(u64, u64)]>,
    /// The size that is promised, if one is.
    pub k: Option<u64>,
    /// What is counted: records, or people.
    pub unit: &'a str,
    /// What happens to counts of few people.
    pub small: Small,
}

/// The most steps that are drawn; the last one is open.
const MOST: usize = 9;

/// Sizes from the first to the last, and the records in classes of such sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    from: u64,
    to: Option<u64>,
    released: u64,
    original: u64,
}

impl ClassSizes<'_> {
    /// The picture: a row for each step, a bar for each table.
    #[must_use]
    pub fn draw(&self) -> Picture {
        let steps = self.steps();
        let (mut pen, mut y) = (Pen::default(), if self.original.is_some() { 20.0 } else { 0.0 });
        if self.original.is_some() {
            rows::legend(&mut pen, 0.0, &[("before", "original"), ("after", "release")]);
        }
        let [before, after] = self.shares(&steps);
        let most = before.iter().chain(&after).copied().fold(f64::MIN_POSITIVE, f64::max);
        for (place, step) in steps.iter().enumerate() {
            if self.k.is_some_and(|k| k > 1 && k == step.from) {
                y = self.mark(&mut pen, y);
            }
            let share = |shares: &[f64]| shares.get(place).copied().unwrap_or(0.0);
            let before = self.original.map(|_| (("before", share(&before) / most), figure::percent(share(&before))));
            let after = (("after", share(&after) / most), figure::percent(share(&after)));
            let bars: Vec<_> = before.into_iter().chain([after]).collect();
            rows::row(&mut pen, y, &step.label(), &bars);
            y += rows::height(bars.len());
        }
        Picture::new(
            format!("Class sizes: shares of the {} in classes of each size", self.unit),
            self.words(&steps),
            y,
            pen,
        )
    }

    fn mark(&self, pen: &mut Pen, y: f64) -> f64 {
        let k = self.k.unwrap_or(0);
        pen.line("mark", (0.0, y + 16.0), (super::WIDTH, y + 16.0));
        pen.text("small strong", (0.0, y + 11.0), Anchor::Start, &format!("k = {}", figure::count(k)));
        pen.text("small quiet", (super::WIDTH, y + 11.0), Anchor::End, "no class is smaller than this");
        y + 20.0
    }

    fn steps(&self) -> Vec<Step> {
        let largest = |sizes: &[(u64, u64)]| sizes.iter().map(|(size, _)| *size).max().unwrap_or(0);
        let most = largest(self.released).max(self.original.map_or(0, largest));
        let edges = edges(self.k, most);
        let count = |sizes: &[(u64, u64)], from: u64, to: Option<u64>| {
            let is_in = |size: &u64| *size >= from && to.is_none_or(|to| *size <= to);
            sizes.iter().filter(|(size, _)| is_in(size)).map(|(size, classes)| size.saturating_mul(*classes)).sum()
        };
        let ends = edges.iter().skip(1).map(|next| Some(next - 1)).chain([None]);
        let steps = edges.iter().zip(ends).map(|(&from, to)| Step {
            from,
            to,
            released: count(self.released, from, to),
            original: self.original.map_or(0, |sizes| count(sizes, from, to)),
        });
        // What is below `k` and below the first class is not drawn.
        let first = self.k.unwrap_or(u64::MAX);
        let is_empty = |step: &Step| step.released == 0 && step.original == 0 && step.from < first;
        joined(steps.skip_while(is_empty).collect(), self.small)
    }

    /// The shares before and after.
    fn shares(&self, steps: &[Step]) -> [Vec<f64>; 2] {
        [|step: &Step| step.original, |step: &Step| step.released].map(|records| {
            let all: u64 = steps.iter().map(records).sum();
            steps.iter().map(|step| figure::share(records(step), all)).collect()
        })
    }

    fn words(&self, steps: &[Step]) -> String {
        let [before, after] = self.shares(steps);
        let of_step = |((step, before), after): ((&Step, &f64), &f64)| {
            let before = self.original.map(|_| format!("{} before, ", figure::percent(*before))).unwrap_or_default();
            format!("size {}: {before}{} in the release", step.label(), figure::percent(*after))
        };
        let told = steps.iter().zip(&before).zip(&after).map(of_step);
        let k = self.k.map(|k| format!("k is {}", figure::count(k)));
        told.chain(k).collect::<Vec<_>>().join("; ")
    }
}

impl Step {
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

/// Where steps begin: at one, at two, at `k`, and at each double of it; at 5, 10, 20 where there is no `k`.
fn edges(k: Option<u64>, most: u64) -> Vec<u64> {
    let first = k.unwrap_or(5).max(2);
    let doubles = std::iter::successors(Some(first), |edge| edge.checked_mul(2));
    let mut edges: Vec<u64> = [1, 2].into_iter().chain(doubles.take_while(|edge| *edge <= most.max(first))).collect();
    edges.dedup();
    edges.truncate(MOST);
    edges
}

/// Steps without a count that may not be shown: each such step is joined with the next, the last with the one before.
fn joined(steps: Vec<Step>, small: Small) -> Vec<Step> {
    let mut joined: Vec<Step> = Vec::new();
    for step in steps {
        match joined.last_mut().filter(|last| small.shown(last.released).is_none()) {
            // From which size on is not told, either.
            Some(last) => {
                *last = Step {
                    from: 0,
                    to: step.to,
                    released: last.released + step.released,
                    original: last.original + step.original,
                }
            }
            None => joined.push(step),
        }
    }
    if joined.len() > 1 && joined.last().is_some_and(|last| small.shown(last.released).is_none()) {
        if let (Some(last), Some(before)) = (joined.pop(), joined.last_mut()) {
            (before.to, before.released, before.original) =
                (last.to, before.released + last.released, before.original + last.original);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<'a>(released: &'a [(u64, u64)], k: Option<u64>, small: Small) -> ClassSizes<'a> {
        ClassSizes { released, original: None, k, unit: "records", small }
    }

    #[test]
    fn steps_double_from_k_and_the_last_is_open() {
        assert_eq!(edges(Some(5), 45), [1, 2, 5, 10, 20, 40]);
        assert_eq!(edges(Some(1), 3), [1, 2]);
        assert_eq!(edges(None, 0), [1, 2, 5]);
        assert_eq!(edges(Some(u64::MAX), u64::MAX).len(), 3);
        assert_eq!(edges(Some(3), u64::MAX).len(), MOST);
    }

    #[test]
    fn k_is_marked_and_every_record_is_in_one_step() {
        let sizes = [(5, 2), (9, 1), (10, 1), (900, 1)];
        let picture = of(&sizes, Some(5), Small::HiddenBelow(5));
        let steps = picture.steps();
        assert_eq!(steps.iter().map(|step| step.released).sum::<u64>(), 929);
        assert_eq!((steps[0].from, steps[0].released), (5, 19));
        let drawn = picture.draw().svg();
        assert!(drawn.contains(">k = 5<") && drawn.contains("5 – 9"), "{drawn}");
    }

    #[test]
    fn few_records_are_not_told() {
        let small = Small::HiddenBelow(11);
        for (sizes, expected) in [
            (&[(3, 1), (7, 2), (30, 4)][..], vec![(0, Some(9), 17), (10, Some(19), 0), (20, None, 120)]),
            (&[(30, 4), (3, 1)][..], vec![(0, None, 123)]),
            (&[(3, 1)][..], vec![(0, None, 3)]),
        ] {
            let found: Vec<_> =
                of(sizes, None, small).steps().iter().map(|step| (step.from, step.to, step.released)).collect();
            assert_eq!(found, expected, "{sizes:?}");
        }
    }
}
