//! Whether the paper's claims hold, in sentences made from the numbers.

use super::compare::Answer;
use super::{METRICS, Trial};
use crate::figures::{median, short};

/// The names of the metrics in sentences.
pub const METRIC_NAMES: [&str; 3] = ["Prec", "DM", "entropy"];

/// The verdict on all claims.
pub fn verdict(trials: &[Trial]) -> String {
    let rival = |name: &str| format!("- **{} loses more than OLA.** {}\n", capital(name), loses_more(trials, name));
    [
        rival("datafly"),
        rival("samarati"),
        format!("- **OLA evaluates fewer nodes than Incognito.** {}\n", counts_fewer(trials)),
        format!("- **OLA finds the optimum.** {}\n", finds_optimum(trials)),
    ]
    .concat()
}

/// How one number compares with another, over many trials.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    more: usize,
    same: usize,
    less: usize,
    ratios: Vec<f64>,
}

impl Tally {
    fn of(pairs: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut tally = Self::default();
        for (theirs, ours) in pairs {
            let close = (theirs - ours).abs() <= 1e-12 * ours.abs();
            let place = if close {
                &mut tally.same
            } else if theirs > ours {
                &mut tally.more
            } else {
                &mut tally.less
            };
            *place += 1;
            if ours > 0.0 {
                tally.ratios.push(theirs / ours);
            }
        }
        tally
    }

    fn all(&self) -> usize {
        self.more + self.same + self.less
    }

    fn ratio(&self) -> String {
        median(&self.ratios).map_or_else(|| "–".to_owned(), short)
    }

    /// A claim that the first number is the larger.
    fn word(&self) -> &'static str {
        match (self.all(), self.more, self.less) {
            (0, ..) => "No data.",
            (all, more, 0) if more == all => "Confirmed everywhere.",
            (all, more, 0) if 2 * more > all => "Confirmed: never less, and more in most cases.",
            (all, more, _) if 2 * more > all => "Confirmed in most cases, refuted in some.",
            _ => "Refuted.",
        }
    }
}

fn loses_more(trials: &[Trial], rival: &str) -> String {
    let by_metric: Vec<Tally> =
        (0..METRICS.len()).map(|metric| Tally::of(shares(trials, rival, "ola", metric))).collect();
    let together = Tally::of((0..METRICS.len()).flat_map(|metric| shares(trials, rival, "ola", metric)));
    let told = by_metric.iter().zip(METRIC_NAMES).map(|(tally, name)| {
        format!(
            "{name}: more in {} of {} cases, the same in {}, less in {}, median ratio {}",
            tally.more,
            tally.all(),
            tally.same,
            tally.less,
            tally.ratio()
        )
    });
    format!("{} {}.", together.word(), told.collect::<Vec<_>>().join("; "))
}

fn counts_fewer(trials: &[Trial]) -> String {
    let both: Vec<(&Answer, &Answer)> =
        trials.iter().filter_map(|trial| Some((trial.of("incognito")?, trial.of("ola")?))).collect();
    let nodes = both.iter().filter_map(|(rival, ola)| Some((rival.nodes? as f64, ola.nodes? as f64)));
    let done = both.iter().filter(|(rival, ola)| rival.nodes.is_some() && ola.nodes.is_some());
    let (nodes, time) = (Tally::of(nodes), Tally::of(done.map(|(rival, ola)| (rival.seconds, ola.seconds))));
    let clock = if time.less == 0 {
        "Time follows the nodes.".to_owned()
    } else {
        let less = time.less;
        format!(
            "Where OLA takes longer ({less} cases), its bookkeeping of intervals costs more than the counts it saves."
        )
    };
    format!(
        "{} Incognito counts more nodes in {} of {} cases, fewer in {}; the median ratio is {}. It counts a node anew \
         for each subset of the variables, as published; counts shared between subsets (a variable left out and one at \
         `*` make the same classes) would bring it close to OLA. Incognito takes longer in {} of {} cases; its median \
         time is {} times that of OLA. {clock}",
        nodes.word(),
        nodes.more,
        nodes.all(),
        nodes.less,
        nodes.ratio(),
        time.more,
        time.all(),
        time.ratio()
    )
}

fn finds_optimum(trials: &[Trial]) -> String {
    let tell = |(metric, name): (usize, &str)| {
        let tally = Tally::of(shares(trials, "ola", "incognito", metric));
        format!("{name}: {} of {} cases", tally.same, tally.all())
    };
    let told: Vec<String> = METRIC_NAMES.into_iter().enumerate().map(tell).collect();
    format!(
        "The best k-minimal node is the best safe node by {}. Prec does not look at suppression, so there it must be; the \
         others charge suppressed records, and a node above a k-minimal one that suppresses fewer can lose less (the paper \
         sets DM* beside DM for that reason: DM* does not charge).",
        told.join("; ")
    )
}

/// The losses of two searches by a metric, where both have an answer.
fn shares(trials: &[Trial], one: &str, other: &str, metric: usize) -> impl Iterator<Item = (f64, f64)> {
    trials.iter().filter_map(move |trial| Some((trial.of(one)?.shares?[metric], trial.of(other)?.shares?[metric])))
}

/// With a capital letter.
pub fn capital(name: &str) -> String {
    if name == "ola" {
        return "OLA".to_owned();
    }
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_judged_by_its_cases() {
        let word = |pairs: &[(f64, f64)]| Tally::of(pairs.iter().copied()).word();
        assert_eq!(word(&[]), "No data.");
        assert_eq!(word(&[(2.0, 1.0), (3.0, 1.0)]), "Confirmed everywhere.");
        assert_eq!(word(&[(2.0, 1.0), (3.0, 1.0), (1.0, 1.0)]), "Confirmed: never less, and more in most cases.");
        assert_eq!(word(&[(2.0, 1.0), (3.0, 1.0), (0.5, 1.0)]), "Confirmed in most cases, refuted in some.");
        assert_eq!(word(&[(1.0, 1.0), (3.0, 1.0)]), "Refuted.");
    }

    #[test]
    fn ratios_are_of_the_first_to_the_second() {
        assert_eq!(Tally::of([(6.0, 2.0), (1.0, 0.0)].into_iter()).ratios, [3.0]);
        assert_eq!((capital("ola"), capital("datafly")), ("OLA".to_owned(), "Datafly".to_owned()));
    }
}
