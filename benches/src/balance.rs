//! How long a balance takes: large markets, and the search under a guarantee beside every node.

use std::time::{Duration, Instant};

use equanym_core::balance::{Amount, Balance, Imbalance, Market, Offer, Points, Preferences, Ration, target};
use equanym_core::entropy::{Coding, codings};
use equanym_core::frequency::Table;
use equanym_core::loss::{CountedNode, Loss};
use equanym_core::search::{self, Problem, SearchAnswer};
use equanym_engine::policy::share_of;

use crate::cell::guard;
use crate::failure::Result;
use crate::figures::{grouped, median, short};
use crate::settings::Settings;
use crate::{markdown, oracle, table};

/// Variables and levels of the large market.
const VARIABLES: usize = 10_000;
const LEVELS: usize = 20;
/// Runs of which the median is taken.
const RUNS: usize = 7;
/// What is asked of the tables.
const K: u32 = 5;
const LIMIT: f64 = 0.05;

/// The part of the README.
pub fn report(settings: &Settings) -> Result<String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!(
        "`cargo xtask bench balance` on {cores} cores:\n\n\
         A market of {} variables with {LEVELS} levels each is solved: optimum, distances and choice, on one thread. Every \
         third variable is rationed, in the right column.\n\n{}\n\
         The search `balance` under k-anonymity (k = {K}) with a suppression limit of {LIMIT}, points that differ from \
         variable to variable, beside a walk over every node in which no search takes part.\n\n{}",
        grouped(VARIABLES as u128),
        markets()?,
        searches(settings)?
    ))
}

fn markets() -> Result<String> {
    let row = |target: &'static target::TargetMember| -> Result<Vec<String>> {
        let preferences = Preferences { target, ..Preferences::default() };
        let time = |rationed: bool| -> Result<String> {
            let market = market(VARIABLES, LEVELS, rationed)?;
            let run = |_| -> Result<f64> {
                let (start, market) = (Instant::now(), market.clone());
                let node = Balance::solve(market, preferences)?.node();
                if node.len() == VARIABLES {
                    Ok(start.elapsed().as_secs_f64())
                } else {
                    Err("a variable is lost".into())
                }
            };
            let seconds = (0..RUNS).map(run).collect::<Result<Vec<_>>>()?;
            Ok(median(&seconds).map_or_else(String::new, |seconds| short(seconds * 1000.0)))
        };
        Ok(vec![target.card.name.to_owned(), time(false)?, time(true)?])
    };
    let rows = target::ALL.iter().map(row).collect::<Result<Vec<_>>>()?;
    Ok(markdown::table(&["target", "ms", "ms with rations"], 1, &rows))
}

/// A market of any size, the same every time.
fn market(variables: usize, levels: usize, rationed: bool) -> Result<Market> {
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let shares = |draw: &mut dyn FnMut() -> f64| {
        let shares: Vec<f64> = (0..variables).map(|_| 0.1 + draw()).collect();
        let sum: f64 = shares.iter().sum();
        shares.into_iter().map(|share| 100.0 * share / sum).collect::<Vec<f64>>()
    };
    let (user, intruder) = (shares(&mut draw), shares(&mut draw));
    let mut offer = |place: usize| {
        let whole = 1.0 + 9.0 * draw();
        let entropies =
            (0..levels).map(|level| whole * (1.0 - level as f64 / (levels - 1) as f64).powf(0.5 + draw())).collect();
        let points = Points { user: user[place], intruder: intruder[place] };
        let third = u8::try_from(levels / 3).unwrap_or(0);
        let ration = Ration {
            min_protection: Some(Amount::Level(third)),
            max_utility: Some(Amount::Level(third)),
            ..Ration::default()
        };
        let is_rationed = rationed && place.is_multiple_of(3);
        Offer {
            ration: if is_rationed { ration } else { Ration::default() },
            ..Offer::new(format!("v{place}"), entropies, points)
        }
    };
    Ok(Market::new(0.5, 0.5, (0..variables).map(&mut offer).collect())?)
}

fn searches(settings: &Settings) -> Result<String> {
    let names: &[&str] = match (settings.data.is_dir(), settings.quick) {
        (true, false) => &["adult", "fars10pct", "ss13acs5", "hospital-10000"],
        (true, true) => &["adult"],
        (false, _) => &["hospital-1000", "hospital-10000"],
    };
    let mut rows = Vec::new();
    for name in names {
        let table = table::named(&settings.data, name)?;
        for target in target::ALL {
            for charged in [false, true] {
                let answer = answer(&table, target, charged)?;
                rows.push(vec![
                    (*name).to_owned(),
                    target.card.name.to_owned(),
                    if charged { "charged" } else { "free" }.to_owned(),
                    if answer.agrees { "yes" } else { "**no**" }.to_owned(),
                    grouped(table.lattice().size()),
                    grouped(answer.found.evaluated.into()),
                    short(answer.time.as_secs_f64() * 1000.0),
                ]);
            }
        }
    }
    let head = ["data", "target", "suppression", "= every node", "nodes in all", "counted", "ms"];
    Ok(markdown::table(&head, 4, &rows))
}

struct BalanceAnswer {
    found: SearchAnswer,
    time: Duration,
    agrees: bool,
}

/// What the search answers, how long it takes, and whether every node looked at says the same.
fn answer(table: &Table, target: &'static target::TargetMember, charged: bool) -> Result<BalanceAnswer> {
    let most = share_of(LIMIT, table.records);
    let imbalance = || imbalance(table, target, charged, most);
    let (loss, guard) = (imbalance()?, guard(K)?);
    let problem = Problem::new(table, &guard, loss.as_ref(), most);
    let start = Instant::now();
    let found = (search::find("balance").ok_or("there is no search balance")?.run)(&problem)?;
    let time = start.elapsed();
    let rank = |counted: &CountedNode| (counted.node.clone(), counted.suppressed, counted.summary.units);
    let best = oracle::answer(table, K, most, imbalance()?)?;
    let agrees = best.is_some_and(|best| rank(&best) == rank(&found.best));
    Ok(BalanceAnswer { found, time, agrees })
}

fn imbalance(table: &Table, target: &'static target::TargetMember, charged: bool, most: u64) -> Result<Box<dyn Loss>> {
    let balance = Balance::solve(market_of(table)?, Preferences { target, ..Preferences::default() })?;
    Ok(if charged {
        Box::new(Imbalance::charging(&balance, table, most, 1.0)?)
    } else {
        Box::new(Imbalance::new(&balance))
    })
}

/// Points that differ: the user's rise from variable to variable, the intruder's fall.
fn market_of(table: &Table) -> Result<Market> {
    let count = table.variables.len();
    let sum = (count * (count + 1)) as f64 / 2.0;
    let offer = |place: usize| {
        let variable = &table.variables[place];
        let entropies = codings(&variable.hierarchy, table.value_counts(place)).iter().map(Coding::entropy).collect();
        let points = Points { user: 100.0 * (place + 1) as f64 / sum, intruder: 100.0 * (count - place) as f64 / sum };
        Offer::new(variable.name.clone(), entropies, points)
    };
    Ok(Market::new(0.5, 0.5, (0..count).map(offer).collect())?)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn attack(name: &str, data: &Path) {
        let table = table::named(data, name).unwrap();
        for target in target::ALL {
            for charged in [false, true] {
                let answer = answer(&table, target, charged).unwrap();
                let counted = u128::from(answer.found.evaluated);
                assert!(answer.agrees, "{name} {} {charged}: {:?}", target.card.name, answer.found);
                assert!(counted < table.lattice().size(), "{name} {}: {counted} counted", target.card.name);
            }
        }
    }

    #[test]
    fn the_search_equals_brute_force_and_counts_fewer() {
        attack("hospital-1000", Path::new(""));
    }

    #[test]
    fn the_search_equals_brute_force_on_adult() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
        if data.join("adult").is_dir() {
            attack("adult", &data);
        } else {
            eprintln!("not checked: the benchmark data sets are not beside the repository");
        }
    }

    #[test]
    fn a_large_market_adds_up() {
        let market = market(300, LEVELS, true).unwrap();
        let balance = Balance::solve(market.clone(), Preferences::default()).unwrap();
        assert!((market.cost(balance.optimum()) - market.income()).abs() < 1e-9 * market.income());
        let kept = |(place, &level): (usize, &usize)| {
            let offer = &market.offers()[place];
            place % 3 > 0 || offer.goods(level).protection > offer.goods(LEVELS / 3).protection - 1e-6
        };
        assert!(balance.node().iter().enumerate().all(kept));
    }
}
