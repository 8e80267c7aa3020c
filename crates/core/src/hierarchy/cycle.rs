//! Labels that generalise into one another.
//!
//! A written ladder may use one word at several levels: `White` over `White` is fine. But when a word leads over
//! another word back to itself (`A` to `B` in one line, `B` to `A` in the next), a released label no longer tells
//! what it stands for. Levels as such cannot form a circle; words can, and words are what is released.

use std::collections::VecDeque;

use hashbrown::HashMap;

use super::Hierarchy;

/// A step from a word to the word above it, and the first value that makes it.
type WordSteps = HashMap<(usize, usize), usize>;

/// The values whose steps close a circle of words, if there is one; one value for each step.
pub(super) fn find(ladder: &Hierarchy) -> Option<Vec<usize>> {
    let steps = steps(ladder);
    let circle = circle(&steps)?;
    Some(circle.iter().filter_map(|step| steps.get(step).copied()).collect())
}

/// All steps between different words.
fn steps(ladder: &Hierarchy) -> WordSteps {
    let labels = ladder.levels().iter().map(|level| level.labels.len()).sum();
    let mut words: HashMap<&str, usize> = HashMap::with_capacity(labels);
    let mut numbers: Vec<Vec<usize>> = Vec::new();
    for level in ladder.levels() {
        let mut number = |label| {
            let next = words.len();
            *words.entry(label).or_insert(next)
        };
        numbers.push(level.labels.iter().map(|label| number(label.as_str())).collect());
    }
    let mut steps = WordSteps::new();
    // The usual case: each word has one level, and steps only lead upwards.
    if words.len() == labels {
        return steps;
    }
    for (levels, names) in ladder.levels().windows(2).zip(numbers.windows(2)) {
        let ([below, above], [lower, upper]) = (levels, names) else { continue };
        for (value, codes) in below.of.iter().zip(&above.of).enumerate() {
            let (Some(from), Some(to)) = (lower.get(*codes.0 as usize), upper.get(*codes.1 as usize)) else { continue };
            if from != to {
                steps.entry((*from, *to)).or_insert(value);
            }
        }
    }
    steps
}

/// Takes away words that nothing leads to until none is left; what stays holds a circle (Kahn 1962).
fn circle(steps: &WordSteps) -> Option<Vec<(usize, usize)>> {
    let mut above: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut waiting: HashMap<usize, usize> = HashMap::new();
    for (from, to) in steps.keys() {
        above.entry(*from).or_default().push(*to);
        waiting.entry(*from).or_default();
        *waiting.entry(*to).or_default() += 1;
    }
    let mut free: VecDeque<usize> = waiting.iter().filter(|(_, count)| **count == 0).map(|(word, _)| *word).collect();
    while let Some(word) = free.pop_front() {
        waiting.remove(&word);
        for next in above.get(&word).into_iter().flatten() {
            let Some(count) = waiting.get_mut(next) else { continue };
            *count -= 1;
            if *count == 0 {
                free.push_back(*next);
            }
        }
    }
    walk_down(steps, &waiting)
}

/// Every word that stayed has one that stayed below it: going down from any of them runs into a circle.
fn walk_down(steps: &WordSteps, stayed: &HashMap<usize, usize>) -> Option<Vec<(usize, usize)>> {
    let mut below: HashMap<usize, usize> = HashMap::new();
    for (from, to) in steps.keys().filter(|(from, to)| stayed.contains_key(from) && stayed.contains_key(to)) {
        // The smallest, so that the same file always gives the same lines.
        below.entry(*to).and_modify(|least| *least = (*least).min(*from)).or_insert(*from);
    }
    let mut word = *stayed.keys().min()?;
    for _ in 0..stayed.len() {
        word = *below.get(&word)?;
    }
    let start = word;
    let mut circle = Vec::new();
    loop {
        let lower = *below.get(&word)?;
        circle.push((lower, word));
        word = lower;
        if word == start {
            return Some(circle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::csv::HierarchyFile;
    use super::super::{Hierarchy, HierarchyError};
    use super::*;

    fn ladder(lines: &[&[&str]]) -> Hierarchy {
        let column = |level: usize| lines.iter().map(|line| line[level]).collect::<Vec<_>>();
        let above: Vec<_> = (1..lines[0].len()).map(column).collect();
        Hierarchy::listed(&column(0), &above).unwrap()
    }

    fn check(lines: &[&[&str]], expected: Option<&[usize]>) {
        let found = find(&ladder(lines)).map(|mut values| {
            values.sort_unstable();
            values
        });
        assert_eq!(found.as_deref(), expected, "{lines:?}");
    }

    #[test]
    fn words_may_stay_or_return_higher_up() {
        check(&[&["White", "White", "*"], &["Asian", "Other", "*"]], None);
        check(&[&["1", "2", "*"], &["2", "3", "*"], &["3", "4", "*"]], None);
        check(&[&["a", "x", "p", "*"], &["b", "x", "q", "*"], &["p", "p", "p", "*"]], None);
    }

    #[test]
    fn circles_are_found() {
        check(&[&["a", "b", "a"]], Some(&[0, 0]));
        check(&[&["c", "G", "*"], &["a", "b", "*"], &["b", "a", "*"]], Some(&[1, 2]));
        check(&[&["a", "b", "*"], &["b", "c", "*"], &["c", "a", "*"], &["d", "a", "*"]], Some(&[0, 1, 2]));
        check(&[&["a", "*", "b", "*"]], Some(&[0, 0]));
    }

    #[test]
    fn a_long_chain_is_no_circle() {
        let line = |number: u32| format!("{number};{};*\n", number + 1);
        let lines = (0..20_000).fold(String::new(), |text, number| text + &line(number));
        assert!(HierarchyFile::parse(&lines).unwrap().fit(&[]).is_ok());
        let closed = lines + "20000;0;*\n";
        let error = HierarchyFile::parse(&closed).unwrap().fit(&[]).unwrap_err();
        assert!(matches!(error, HierarchyError::Cycle { lines } if lines.len() == 20_001));
    }
}
