//! Side-by-side benchmarks: how fast searches and walks are, what they find, and what the papers print and compare.
//!
//! Speed is a ratio: every search answers the same question in the same run, in turns, because a machine is never quite
//! quiet. Nothing here is a test; tests do not look at clocks. `cargo xtask bench` and `cargo xtask reproduce` start this
//! program. What it measures in a process of its own (memory, instructions) it measures by starting itself.

mod anopi;
mod balance;
mod cell;
mod duel;
mod facts;
mod failure;
mod figures;
mod folder;
mod frontier;
mod grid;
mod growth;
mod hospital;
mod instructions;
mod large;
mod markdown;
mod models;
mod neighbours;
mod ola;
mod optima;
mod oracle;
mod parts;
mod populations;
mod processor;
mod reading;
mod scale;
mod settings;
mod single;
mod summary;
mod table;
mod uniques;
mod walk;
mod walk_paper;
mod whole;
mod wide;

use std::process::ExitCode;

use failure::Result;
use settings::Settings;

const USAGE: &str = "\
usage: equanym-benches WHAT [OPTION]...

  search         the grid of searches, the large lattices, and how cost grows
  instructions   instructions of three searches, under valgrind
  read           a table as people keep it beside the same in plain UTF-8
  release        the whole program on every data set at hand, part by part
  frontier       the risk–utility map of adult beside its 24 releases, and its ten best safe nodes
  models         every privacy model on adult, the large ones, people beside records, and the estimators
  neighbours     whether random samples of neighbouring tables refute differential privacy
  balance        large markets, and the search by preferences beside every node
  scale          counting beside DuckDB and Polars, and whole releases; --large goes to a hundred million records
  reproduce-ola  OLA against Datafly, Samarati and Incognito; writes benches/REPRODUCE_OLA.md and benches/ola.svg
  reproduce-anopi
                 the examples of the price-theory paper; writes benches/REPRODUCE_ANOPI.md and benches/anopi-*.svg
  walk           what the samplers of the walk are worth per second, and hopsy's beside them
  totals         a walk of a whole table that keeps the totals of columns and groups
  reproduce-walk the walk against noise and Mondrian; writes benches/REPRODUCE_WALK.md with its figures

options:
  --quick        a small part, within a minute
  --complete     search: checks cup against every node, too (minutes)
  --large        search: a whole release of ten million records, too (minutes)
  --write        puts the results into benches/README.md, those of walk and totals into benches/WALK.md
  --data FOLDER  the published data sets; without them the demo's hospital stands in

exit codes: 0 done, 1 it failed, 2 wrong use";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((what, rest)) = arguments.split_first() else { return wrong_use("say what to measure") };
    let words: Vec<&str> = rest.iter().map(String::as_str).collect();
    let done = match what.as_str() {
        "search" | "instructions" | "read" | "release" | "frontier" | "models" | "neighbours" | "balance" | "walk"
        | "totals" | "scale" | "reproduce-ola" | "reproduce-anopi" | "reproduce-walk" => match Settings::read(rest) {
            Ok(settings) => run(what, &settings),
            Err(failure) => return wrong_use(&failure.to_string()),
        },
        "one-cell" => single::one_cell(&words).map(|facts| print!("{facts}")),
        "wide" => single::wide(&words).map(|facts| print!("{facts}")),
        "count" => single::count_folder(&words).map(|facts| print!("{facts}")),
        "scale-count" => scale::count_file(&words).map(|facts| print!("{facts}")),
        "scale-release" => scale::release_file(&words).map(|facts| print!("{facts}")),
        "scale-table" => scale::write_file(&words).map(|facts| print!("{facts}")),
        "release-folder" => single::release_folder(&words).map(|facts| print!("{facts}")),
        other => return wrong_use(&format!("there is no `{other}`")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn wrong_use(message: &str) -> ExitCode {
    eprintln!("{message}\n\n{USAGE}");
    ExitCode::from(2)
}

fn run(what: &str, settings: &Settings) -> Result<()> {
    match what {
        "search" => search(settings),
        "instructions" => count_instructions(settings),
        "neighbours" => {
            let text =
                format!("`cargo xtask bench neighbours{}`:\n\n{}", settings.flags(), neighbours::report(settings)?);
            show(settings, "README.md", "neighbours", &text)
        }
        "balance" => show(settings, "README.md", "balance", &balance::report(settings)?),
        "reproduce-anopi" => anopi::reproduce(settings),
        "walk" => show(settings, "WALK.md", "walk", &walk::report(settings)?),
        "totals" => {
            let text =
                format!("`cargo xtask bench totals{}`:\n\n{}", settings.flags(), walk::totals::report(settings.quick)?);
            show(settings, "WALK.md", "totals", &text)
        }
        "reproduce-walk" => walk_paper::reproduce(settings),
        "scale" | "read" | "release" | "frontier" | "models" => {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let text = match what {
                "scale" => scale::report(settings)?,
                "models" => models::report(settings)? + &populations::report(settings)?,
                "read" => reading::report(settings)?,
                "frontier" => frontier::report(settings)?,
                _ => whole::report(settings)?,
            };
            let text = format!("`cargo xtask bench {what}{}` on {cores} cores:\n\n{text}", settings.flags());
            show(settings, "README.md", what, &text)
        }
        _ => ola::reproduce(settings),
    }
}

fn count_instructions(settings: &Settings) -> Result<()> {
    let Some(text) = instructions::report(settings)? else {
        println!("valgrind is not there: no instructions are counted");
        return Ok(());
    };
    show(settings, "README.md", "instructions", &text)
}

fn search(settings: &Settings) -> Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let text = format!(
        "`cargo xtask bench search{}` on {cores} cores:\n\n## The grid\n\n{}\n## Large lattices\n\n{}\n## Growth\n\n{}",
        settings.flags(),
        grid::report(settings)?,
        large::report(settings)?,
        growth::report(settings)?
    );
    show(settings, "README.md", "search", &text)
}

/// Prints a part and, when asked, puts it into its page.
fn show(settings: &Settings, page: &str, part: &str, text: &str) -> Result<()> {
    println!("{text}");
    if settings.write { markdown::write_part(&settings.home.join(page), part, text) } else { Ok(()) }
}
