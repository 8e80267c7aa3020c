//! Whether the paper's claims hold, in sentences made from the numbers.

use super::SetTrial;
use super::compare::AlgorithmAnswer;
use super::metrics::{self, COUNT, Metric};
use crate::figures::{median, short};
use crate::markdown;

/// The verdict on all claims.
pub fn verdict(trials: &[SetTrial]) -> String {
    let rival = |name: &str| format!("- **{} loses more than OLA.** {}\n", capital(name), loses_more(trials, name));
    [
        rival("datafly"),
        rival("samarati"),
        format!("- **OLA evaluates fewer nodes than Incognito.** {}\n", counts_fewer(trials)),
        format!("- **OLA is faster than Incognito.** {}\n", is_faster(trials)),
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

fn loses_more(trials: &[SetTrial], rival: &str) -> String {
    let by_metric: Vec<Tally> = (0..COUNT).map(|metric| Tally::of(shares(trials, rival, "ola", metric))).collect();
    let together = Tally::of((0..COUNT).flat_map(|metric| shares(trials, rival, "ola", metric)));
    let told = by_metric.iter().zip(&metrics::ALL).map(|(tally, Metric { name, .. })| {
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

/// The answers of Incognito and OLA where both have one.
fn both(trials: &[SetTrial]) -> impl Iterator<Item = (&AlgorithmAnswer, &AlgorithmAnswer)> {
    let both = trials.iter().filter_map(|trial| Some((trial.of("incognito")?, trial.of("ola")?)));
    both.filter(|(rival, ola)| rival.nodes.is_some() && ola.nodes.is_some())
}

fn counts_fewer(trials: &[SetTrial]) -> String {
    let nodes = Tally::of(both(trials).filter_map(|(rival, ola)| Some((rival.nodes? as f64, ola.nodes? as f64))));
    format!(
        "{} Incognito counts more nodes in {} of {} cases, fewer in {}; the median ratio is {}. It counts a node anew \
         for each subset of the variables, as published; counts shared between subsets (a variable left out and one at \
         `*` make the same classes) would bring it close to OLA.",
        nodes.word(),
        nodes.more,
        nodes.all(),
        nodes.less,
        nodes.ratio(),
    )
}

fn is_faster(trials: &[SetTrial]) -> String {
    let time = Tally::of(both(trials).map(|(rival, ola)| (rival.seconds, ola.seconds)));
    let clock = if time.less == 0 {
        "Time follows the nodes.".to_owned()
    } else {
        let less = time.less;
        format!(
            "Where OLA takes longer ({less} cases), its bookkeeping of intervals costs more than the counts it saves."
        )
    };
    format!(
        "{} Incognito takes longer in {} of {} cases; its median time is {} times that of OLA. {clock}",
        time.word(),
        time.more,
        time.all(),
        time.ratio()
    )
}

fn finds_optimum(trials: &[SetTrial]) -> String {
    let applies = |trial: &SetTrial, metric: usize| metrics::ALL[metric].grows || trial.question.limit <= 0.0;
    let tally = |wanted: bool| {
        let places = trials.iter().flat_map(|trial| (0..COUNT).map(move |metric| (trial, metric)));
        let chosen = places.filter(|(trial, metric)| applies(trial, *metric) == wanted);
        Tally::of(chosen.filter_map(|(trial, metric)| pair(trial, ["ola", "incognito"], metric)))
    };
    let (claimed, others) = (tally(true), tally(false));
    let word = if claimed.same == claimed.all() { "Confirmed where the claim applies" } else { "Refuted" };
    format!(
        "{word}: {} of {} cases. Where it does not apply, it is optimal in {} of {}.",
        claimed.same,
        claimed.all(),
        others.same,
        others.all()
    )
}

/// For each metric where the best k-minimal node is the best of all.
pub fn optimality(trials: &[SetTrial]) -> String {
    let line = |(place, metric): (usize, &Metric)| {
        let cell = |wanted: bool| {
            let chosen = trials.iter().filter(|trial| (trial.question.limit <= 0.0) == wanted);
            let tally = Tally::of(chosen.filter_map(|trial| pair(trial, ["ola", "incognito"], place)));
            let worst = tally.ratios.iter().copied().fold(1.0, f64::max);
            let off =
                if tally.more > 0 { format!(", up to {} times the optimum", short(worst)) } else { String::new() };
            format!("{} of {}{off}", tally.same, tally.all())
        };
        let applies = if metric.grows { "at every limit" } else { "where nothing is withheld" };
        vec![metric.name.to_owned(), applies.to_owned(), cell(true), cell(false)]
    };
    let lines: Vec<Vec<String>> = metrics::ALL.iter().enumerate().map(line).collect();
    format!(
        "OLA takes the best of the k-minimal nodes. That is the best of all safe nodes if the loss never falls on the way up: \
         then nothing above a k-minimal node is better. Prec, DM* and the entropies of the appendix charge nothing for \
         withheld records and never fall, so for them the claim holds at every suppression limit. DM charges a withheld record \
         with the whole table; a node above that withholds fewer can lose less. So can one by the entropy with suppression \
         charged, which is our default and not the paper's. Where nothing is withheld nothing is charged, and the claim holds \
         for all. `optimal` finds the best in every case.\n\n{}",
        markdown::table(&["metric", "the claim applies", "optimal at limit 0", "optimal above"], 2, &lines)
    )
}

/// The losses of two searches by a metric, where both have an answer.
fn pair(trial: &SetTrial, [one, other]: [&str; 2], metric: usize) -> Option<(f64, f64)> {
    Some((trial.of(one)?.shares?[metric], trial.of(other)?.shares?[metric]))
}

/// The same over many trials.
fn shares(trials: &[SetTrial], one: &str, other: &str, metric: usize) -> impl Iterator<Item = (f64, f64)> {
    trials.iter().filter_map(move |trial| pair(trial, [one, other], metric))
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
