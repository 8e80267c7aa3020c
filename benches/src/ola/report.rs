//! The comparison as a text with tables, and as the rows of the plot.

use equanym_engine::write::pen::Picture;

use super::metrics::{self, Metric, TIMED};
use super::plot::{self, MeasureRow, SetPanel};
use super::verdict::{capital, optimality, verdict};
use super::{ALGORITHMS, KS, PLOTTED, SetTrial, appendix};
use crate::failure::Result;
use crate::figures::{grouped, percent, short};
use crate::markdown;
use crate::settings::Settings;

/// The report.
pub fn text(trials: &[SetTrial], settings: &Settings) -> Result<String> {
    Ok(format!(
        "# OLA against Datafly, Samarati and Incognito\n\n\
         Written by `cargo xtask reproduce ola{}`: do not edit.\n\n\
         El Emam et al. (A globally optimal k-anonymity method for the de-identification of health data, JAMIA 16(5), \
         2009) compared their search with three others. These are the same searches. Information loss is a share of that \
         of the fully generalised table. Each search is measured at its best: where it leaves a choice among nodes, the \
         metric in question makes it. Incognito lists all safe nodes, so its answer is the best there is.\n\n\
         {SETTINGS}\n\
         ![Loss and counted nodes by k, suppression limit {PLOTTED}](ola.svg)\n\n\
         ## Verdict\n\n{}\n## Where the optimality claim applies\n\n{}\n\
         ## The appendix, derivation by derivation\n\n{APPENDIX}\n\n{}\n{}\n\
         ## Information loss\n\n{}\n{}\n## Speed\n\n\
         Seconds and counted nodes of the runs that minimise the entropy as printed. The last two columns are `optimal`, \
         the exact search, with the entropy as printed and with suppression charged.\n\n{}",
        settings.flags(),
        verdict(trials),
        optimality(trials),
        appendix::report()?,
        costs(trials),
        losses(trials, 0),
        losses(trials, metrics::COUNT / 2),
        speed(trials)
    ))
}

/// The paper's settings and ours.
const SETTINGS: &str = "\
| | paper | here |
| --- | --- | --- |
| data | six sets, most of them not public | sets at hand with their published ladders, all columns as quasi-identifiers |
| suppression limits | 1, 5 and 10 % of the records | the same, and 0 |
| metrics | Prec, DM and DM*, entropy; weights for the entropy | the same, and the entropy with suppression charged |
| weights | chosen by the recipient | 1 for the first of J columns, then one J-th less for each |
| charge for suppression | DM: the whole table; DM* and entropies: none | the same; the charged entropy counts a withheld record as \
fully generalised |
";

/// What the appendix says, and where it is.
const APPENDIX: &str = "\
The third figure is lost; ten records of gender and age band stand in for it, whose gender is generalised from (a) to (b), with k = \
2. Weights are 0.5 for the gender and 0 for the age. The charged entropy falls from (a), where four records are withheld, to (b), \
where none is: the paper's claim does not cover it.";

/// Derivation 4: what counting took, and what it would have taken.
fn costs(trials: &[SetTrial]) -> String {
    let mut sets: Vec<&str> = trials.iter().map(|trial| trial.data.as_str()).collect();
    sets.dedup();
    let line = |data: &&str| -> Option<Vec<String>> {
        let costs: Vec<_> =
            trials.iter().filter(|trial| trial.data == *data).filter_map(|one| one.of("ola")?.cost).collect();
        let sum = |of: fn(&equanym_core::search::CountingCost) -> f64| costs.iter().map(of).sum::<f64>();
        let (shared, alone) = (sum(|cost| cost.shared), sum(|cost| cost.alone));
        let millions = |number: f64| format!("{:.1}", number / 1e6);
        (shared > 0.0).then(|| vec![(*data).to_owned(), millions(alone), millions(shared), short(alone / shared)])
    };
    let lines: Vec<Vec<String>> = sets.iter().filter_map(line).collect();
    format!(
        "**Derivation 4.** A node whose J' variables change level is counted from a set of N classes in J' × N + N' × log₂ N' + \
         N' operations, N' being its own classes (equation 3). Below are the operations of all runs of OLA, in millions: with \
         each node counted from the keys of the table, and from the smallest finer set at hand, as OLA does.\n\n{}",
        markdown::table(&["data", "from the keys", "from the smallest set", "saved: times"], 1, &lines)
    )
}

/// Half of the metrics, from one on.
fn losses(trials: &[SetTrial], first: usize) -> String {
    let chosen = first..first + metrics::COUNT / 2;
    let names = metrics::ALL[chosen.clone()]
        .iter()
        .flat_map(|Metric { name: metric, .. }| ALGORITHMS.map(|name| format!("{metric}: {}", capital(name))));
    let head: Vec<String> = ["data", "k", "limit"].map(str::to_owned).into_iter().chain(names).collect();
    let line = |trial: &SetTrial| {
        let cell = |metric: usize, name: &str| {
            let shares = trial.of(name).and_then(|answer| answer.shares);
            shares.map_or_else(|| "–".to_owned(), |shares| percent(shares[metric]))
        };
        let cells = chosen.clone().flat_map(|metric| ALGORITHMS.map(|name| cell(metric, name)));
        asked(trial).into_iter().chain(cells).collect()
    };
    markdown::table(
        &head.iter().map(String::as_str).collect::<Vec<_>>(),
        1,
        &trials.iter().map(line).collect::<Vec<_>>(),
    )
}

fn speed(trials: &[SetTrial]) -> String {
    let names = ["nodes", "s"].into_iter().flat_map(|what| ALGORITHMS.map(|name| format!("{what}: {}", capital(name))));
    let exact = ["s: optimal", "s: optimal, charged"].map(str::to_owned);
    let head = ["data", "k", "limit", "nodes in all"].map(str::to_owned).into_iter().chain(names).chain(exact);
    let head = head.collect::<Vec<_>>();
    let line = |trial: &SetTrial| {
        let nodes = trial.answers.iter().map(|one| one.nodes.map_or("–".to_owned(), |nodes| grouped(nodes.into())));
        let seconds = trial
            .answers
            .iter()
            .map(|one| if one.nodes.is_some() { short(one.seconds) } else { format!("> {}", short(one.seconds)) });
        let asked = asked(trial).into_iter().chain([grouped(trial.lattice)]);
        let exact = [TIMED, metrics::COUNT - 1].map(|metric| short(trial.exact[metric]));
        asked.chain(nodes).chain(seconds).chain(exact).collect()
    };
    markdown::table(
        &head.iter().map(String::as_str).collect::<Vec<_>>(),
        1,
        &trials.iter().map(line).collect::<Vec<_>>(),
    )
}

fn asked(trial: &SetTrial) -> Vec<String> {
    vec![trial.data.clone(), trial.question.k.to_string(), trial.question.limit.to_string()]
}

/// One row of panels for each metric and one for the nodes; one panel for each data set.
pub fn plot(trials: &[SetTrial]) -> Picture {
    let of_limit = |trial: &&SetTrial| trial.question.limit.to_bits() == PLOTTED.to_bits();
    let trials: Vec<&SetTrial> = trials.iter().filter(of_limit).collect();
    let row = |title: &str, counts, panels| MeasureRow { title: title.to_owned(), counts, panels };
    let metrics = metrics::ALL.iter().enumerate().map(|(place, metric)| {
        row(metric.title, false, panels(&trials, |trial, name| Some(trial.of(name)?.shares?[place])))
    });
    let nodes = panels(&trials, |trial, name| trial.of(name)?.nodes.map(|nodes| nodes as f64));
    let rows: Vec<MeasureRow> = metrics.chain([row("Nodes counted", true, nodes)]).collect();
    plot::plot(&rows, &ALGORITHMS.map(capital), &KS)
}

fn panels(trials: &[&SetTrial], value: impl Fn(&SetTrial, &str) -> Option<f64>) -> Vec<SetPanel> {
    let mut sets: Vec<&str> = trials.iter().map(|trial| trial.data.as_str()).collect();
    sets.dedup();
    let panel = |data: &&str| {
        let of_set = || trials.iter().filter(|trial| trial.data == *data);
        let points = |name: &str| of_set().filter_map(|trial| Some((trial.question.k, value(trial, name)?))).collect();
        SetPanel { title: (*data).to_owned(), curves: ALGORITHMS.iter().map(|name| points(name)).collect() }
    };
    sets.iter().map(panel).collect()
}
