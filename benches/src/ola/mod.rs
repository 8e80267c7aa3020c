//! What the paper on optimal lattice anonymisation compared, with our numbers.
//!
//! OLA, Datafly, Samarati's search and Incognito answer the same questions; of each answer the information loss is
//! measured by the metrics of the paper, as a share of that of the fully generalised table, and the time and the counted
//! nodes are noted, with what counting them took by the paper's expression. Each search is measured at its best: where it leaves a choice (OLA among the k-minimal nodes, Samarati among the
//! safe nodes of the lowest height) the metric in question makes it. Datafly has no choice. Incognito lists all safe
//! nodes, so its answer is the best there is, whatever the metric: what the exact search finds.
//!
//! Source: El Emam et al. 2009, the section on results and the appendix.

mod appendix;
mod compare;
mod metrics;
mod plot;
mod report;
mod verdict;

use crate::failure::Result;
use crate::settings::Settings;
use crate::table;

use compare::{ALGORITHMS, KAndLimit, SetTrial, compare};

/// The classes that are asked for.
const KS: [u32; 5] = [2, 3, 5, 10, 15];
/// The shares of records that may be suppressed: none, which is ours, and those of the paper.
const LIMITS: [f64; 4] = [0.0, 0.01, 0.05, 0.1];
/// The limit that is plotted.
const PLOTTED: f64 = 0.05;

/// Compares, and writes the report and the plot.
pub fn reproduce(settings: &Settings) -> Result<()> {
    let mut trials = Vec::new();
    for (name, questions) in plan(settings) {
        let table = metrics::weighted(table::named(&settings.data, name)?);
        for question in questions {
            eprintln!("{name}: k {} limit {}", question.k, question.limit);
            trials.push(compare(name, &table, question)?);
        }
    }
    let text = report::text(&trials, settings)?;
    println!("{text}");
    if !settings.quick || settings.write {
        std::fs::write(settings.home.join("REPRODUCE_OLA.md"), text)?;
        std::fs::write(settings.home.join("ola.svg"), report::plot(&trials).file())?;
    }
    Ok(())
}

/// The data sets and what is asked of each. On cup, Samarati's search takes a minute for each question, so there are few.
fn plan(settings: &Settings) -> Vec<(&'static str, Vec<KAndLimit>)> {
    let all = || KS.into_iter().flat_map(|k| LIMITS.map(|limit| KAndLimit { k, limit })).collect::<Vec<_>>();
    let few = |ks: &[u32]| ks.iter().map(|&k| KAndLimit { k, limit: PLOTTED }).collect::<Vec<_>>();
    match (settings.data.is_dir(), settings.quick) {
        (true, false) => vec![("adult", all()), ("fars10pct", all()), ("ss13acs5", all()), ("cup", few(&[2, 5, 15]))],
        (true, true) => vec![("adult", few(&[5])), ("ss13acs5", few(&KS))],
        (false, false) => vec![("hospital-1000", all()), ("hospital-10000", all())],
        (false, true) => vec![("hospital-1000", few(&KS))],
    }
}
