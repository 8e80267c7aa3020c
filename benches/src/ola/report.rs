//! The comparison as a text with tables, and as the rows of the plot.

use super::plot::{Panel, Row, Scale, Series};
use super::verdict::{METRIC_NAMES, capital, verdict};
use super::{ALGORITHMS, DRAWN, METRICS, Trial};
use crate::figures::{grouped, percent, short};
use crate::markdown;
use crate::settings::Settings;

/// The report.
pub fn text(trials: &[Trial], settings: &Settings) -> String {
    format!(
        "# OLA against Datafly, Samarati and Incognito\n\n\
         Written by `cargo xtask reproduce ola{}`: do not edit.\n\n\
         El Emam et al. (A globally optimal k-anonymity method for the de-identification of health data, JAMIA 16(5), \
         2009) compared their search with three others. These are the same searches, on the data at hand, all columns as \
         quasi-identifiers. Information loss is a share of that of the fully generalised table. Each search is measured \
         at its best: where it leaves a choice among nodes, the metric in question makes it. Incognito lists all safe \
         nodes, so its answer is the best there is.\n\n\
         ![Loss and counted nodes by k, suppression limit {DRAWN}](ola.svg)\n\n\
         ## Verdict\n\n{}\n## Information loss\n\n{}\n## Speed\n\n\
         Seconds and counted nodes of the runs that minimise entropy.\n\n{}",
        settings.flags(),
        verdict(trials),
        losses(trials),
        speed(trials)
    )
}

fn losses(trials: &[Trial]) -> String {
    let names = METRIC_NAMES.iter().flat_map(|metric| ALGORITHMS.map(|name| format!("{metric}: {}", capital(name))));
    let head: Vec<String> = ["data", "k", "limit"].map(str::to_owned).into_iter().chain(names).collect();
    let line = |trial: &Trial| {
        let cell = |metric: usize, name: &str| {
            let shares = trial.of(name).and_then(|answer| answer.shares);
            shares.map_or_else(|| "–".to_owned(), |shares| percent(shares[metric]))
        };
        let cells = (0..METRICS.len()).flat_map(|metric| ALGORITHMS.map(|name| cell(metric, name)));
        asked(trial).into_iter().chain(cells).collect()
    };
    markdown::table(
        &head.iter().map(String::as_str).collect::<Vec<_>>(),
        1,
        &trials.iter().map(line).collect::<Vec<_>>(),
    )
}

fn speed(trials: &[Trial]) -> String {
    let names = ["nodes", "s"].into_iter().flat_map(|what| ALGORITHMS.map(|name| format!("{what}: {}", capital(name))));
    let head = ["data", "k", "limit", "nodes in all"].map(str::to_owned).into_iter().chain(names).collect::<Vec<_>>();
    let line = |trial: &Trial| {
        let nodes = trial.answers.iter().map(|one| one.nodes.map_or("–".to_owned(), |nodes| grouped(nodes.into())));
        let seconds = trial
            .answers
            .iter()
            .map(|one| if one.nodes.is_some() { short(one.seconds) } else { format!("> {}", short(one.seconds)) });
        let asked = asked(trial).into_iter().chain([grouped(trial.lattice)]);
        asked.chain(nodes).chain(seconds).collect()
    };
    markdown::table(
        &head.iter().map(String::as_str).collect::<Vec<_>>(),
        1,
        &trials.iter().map(line).collect::<Vec<_>>(),
    )
}

fn asked(trial: &Trial) -> Vec<String> {
    vec![trial.data.clone(), trial.question.k.to_string(), trial.question.limit.to_string()]
}

/// One row of panels for each metric and one for the nodes; one panel for each data set.
pub fn rows(trials: &[Trial]) -> Vec<Row> {
    let drawn: Vec<&Trial> = trials.iter().filter(|trial| trial.question.limit.to_bits() == DRAWN.to_bits()).collect();
    let titles = [
        "Prec: share of the ladders climbed",
        "DM: share of the fully generalised table",
        "Entropy: share of the bits lost",
    ];
    let metric = |(metric, title): (usize, &str)| {
        let panels = panels(&drawn, |trial, name| Some(trial.of(name)?.shares?[metric]));
        Row { title: title.to_owned(), scale: Scale::share(&panels), panels }
    };
    let mut rows: Vec<Row> = titles.into_iter().enumerate().map(metric).collect();
    let nodes = panels(&drawn, |trial, name| trial.of(name)?.nodes.map(|nodes| nodes as f64));
    rows.push(Row { title: "Nodes counted".to_owned(), scale: Scale::log(&nodes), panels: nodes });
    rows
}

fn panels(trials: &[&Trial], value: impl Fn(&Trial, &str) -> Option<f64>) -> Vec<Panel> {
    let mut sets: Vec<&str> = trials.iter().map(|trial| trial.data.as_str()).collect();
    sets.dedup();
    let panel = |data: &&str| {
        let of_set = || trials.iter().filter(|trial| trial.data == *data);
        let points = |name: &str| of_set().filter_map(|trial| Some((trial.question.k, value(trial, name)?))).collect();
        let series = ALGORITHMS.iter().map(|name| Series { name: capital(name), points: points(name) }).collect();
        Panel { title: (*data).to_owned(), series }
    };
    sets.iter().map(panel).collect()
}
