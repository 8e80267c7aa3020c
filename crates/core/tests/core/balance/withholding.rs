//! Withheld records: rations that hold on what is left, and classes that the balance leaves out of its own accord.

use equanym_core::balance::{Amount, Balance, BalanceError, Imbalance, Market, Preferences, Ration, Score, target};
use equanym_core::frequency::Table;
use equanym_core::lattice::Node;
use equanym_core::loss::{JudgedClasses, Loss};
use equanym_core::privacy::{Guard, Verdict};
use equanym_core::search::SearchAnswer;
use proptest::prelude::*;

use super::guarded::{agree, market, run};
use crate::questions::{classes, guard};
use crate::tables::{all_nodes, drawn, ladder, table, variable};

/// The bits that a variable shows, from the definition: the mean over all records of what the labels of released ones tell.
fn shown(table: &Table, node: &Node, verdict: &Verdict, variable: usize) -> f64 {
    let set = classes(table, node);
    let label = |class: usize| table.label(&set, class, variable).to_owned();
    let sharing = |label: &str| -> u64 {
        let coded = |value: u32| {
            let level = &table.variables[variable].hierarchy.levels()[usize::from(node.0[variable])];
            level.labels[level.of[value as usize] as usize].as_str() == label
        };
        (0..).zip(table.value_counts(variable)).filter(|(value, _)| coded(*value)).map(|(_, records)| records).sum()
    };
    let told = |class: usize| {
        let share = sharing(&label(class)) as f64 / table.records as f64;
        -share.log2() * set.sizes[class] as f64
    };
    (0..set.len()).filter(|&class| verdict.kept[class]).map(told).sum::<f64>() / table.records as f64
}

/// The verdict of a release, with what was left out by choice.
fn released(table: &Table, guard: &Guard, loss: &Imbalance, found: &SearchAnswer) -> Verdict {
    let set = classes(table, &found.best.node);
    let verdict = guard.judge(&set);
    loss.released(table, &JudgedClasses::new(&set, &verdict))
}

/// Rations for each variable, as shares of what it could have.
fn rationed(market: &Market, shares: &[f64]) -> Market {
    let mut offers = market.offers().to_vec();
    for (offer, shares) in offers.iter_mut().zip(shares.chunks(4)) {
        let amount = |share: f64, points: f64| (share < 0.6).then(|| Amount::Of(share * points * offer.entropy()));
        let points = offer.points;
        offer.ration = Ration {
            min_utility: amount(shares[0], points.user),
            min_protection: amount(shares[1], points.intruder),
            max_utility: amount(shares[2], points.user).filter(|_| shares[3] < 0.2),
            max_protection: None,
        };
    }
    Market::new(market.alpha(), market.beta(), offers).unwrap()
}

fn amount(given: Option<Amount>, absent: f64) -> f64 {
    match given {
        Some(Amount::Of(amount)) => amount,
        _ => absent,
    }
}

/// Ten thousand markets that come to a release; rations that cannot be met are drawn again.
fn ten_thousand() -> ProptestConfig {
    ProptestConfig { max_global_rejects: 1_000_000, ..ProptestConfig::with_cases(10_000) }
}

proptest! {
    #![proptest_config(ten_thousand())]

    #[test]
    fn no_ration_is_broken_by_a_release_that_is_charged(
        drawn in drawn(), k in 1_i64..5, share in 0_u64..=10, alpha in 0.05_f64..0.95,
        shares in prop::collection::vec(0.0_f64..1.0, 20), chooses in any::<bool>(), place in 0_usize..3
    ) {
        let table = drawn.table();
        let allowance = table.records * share / 10;
        let mut market = rationed(&market(&table, &drawn.weights, alpha), &shares);
        let whole = 100.0 * market.income();
        let total = |share: f64| (share < 0.2).then_some(Amount::Of(share * whole));
        let total = Ration { min_utility: total(shares[16]), min_protection: total(shares[17]), ..Ration::default() };
        market = market.with_total(total);
        let preferences = Preferences { target: &target::ALL[place], ..Preferences::default() };
        let solved = Balance::before_withholding(market.clone(), preferences);
        prop_assume!(solved.is_ok());
        let balance = solved.unwrap();
        let make = if chooses { Imbalance::choosing } else { Imbalance::charging };
        let Ok(loss) = make(&balance, &table, allowance, 1.0) else { return Ok(()) };
        let guard = guard(k, 1);
        let found = run("balance", &table, &guard, &loss, allowance);
        prop_assume!(found.is_ok());
        let found = found.unwrap();
        let verdict = released(&table, &guard, &loss, &found);
        prop_assert!(verdict.suppressed <= allowance);
        let (mut utility, mut protection) = (0.0, 0.0);
        for (variable, offer) in market.offers().iter().enumerate() {
            let shown = shown(&table, &found.best.node, &verdict, variable);
            let (x, y) = (offer.points.user * shown, offer.points.intruder * (offer.entropy() - shown));
            let (Ration { min_utility, max_utility, min_protection, .. }, slack) = (offer.ration, 1e-6);
            prop_assert!(x >= amount(min_utility, 0.0) - slack, "{x} of utility, {:?}", offer);
            prop_assert!(x <= amount(max_utility, f64::INFINITY) + slack, "{x} of utility, {:?}", offer);
            prop_assert!(y >= amount(min_protection, 0.0) - slack, "{y} of protection, {:?}", offer);
            (utility, protection) = (utility + x, protection + y);
        }
        prop_assert!(utility >= amount(total.min_utility, 0.0) - 1e-5, "{utility} of utility, {total:?}");
        prop_assert!(protection >= amount(total.min_protection, 0.0) - 1e-5, "{protection} of protection, {total:?}");
    }
}

/// How many markets with rations are compared with all that there is to choose from; `EQUANYM_MARKETS` says otherwise.
fn markets() -> ProptestConfig {
    let cases = std::env::var("EQUANYM_MARKETS").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    ProptestConfig { max_global_rejects: 1_000_000, ..ProptestConfig::with_cases(cases) }
}

/// By how much goods miss their rations at most; less than nothing where all are kept with room to spare.
fn missed(market: &Market, shown: &[f64]) -> f64 {
    let goods = market.offers().iter().zip(shown);
    let goods: Vec<(f64, f64)> = goods
        .map(|(offer, shown)| (offer.points.user * shown, offer.points.intruder * (offer.entropy() - shown)))
        .collect();
    let miss = |(x, y): (f64, f64), ration: Ration| {
        [
            amount(ration.min_utility, 0.0) - x,
            x - amount(ration.max_utility, f64::INFINITY),
            amount(ration.min_protection, 0.0) - y,
            y - amount(ration.max_protection, f64::INFINITY),
        ]
        .into_iter()
        .fold(f64::NEG_INFINITY, f64::max)
    };
    let sum = goods.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let each = market.offers().iter().zip(&goods).map(|(offer, &goods)| miss(goods, offer.ration));
    // Nothing can be missed by nothing: a bound of 0 is met by 0.
    let each = each.map(|by| if by.abs() < 1e-12 { f64::NEG_INFINITY } else { by });
    each.fold(miss(sum, market.total()).min(f64::MAX), f64::max)
}

/// What a release may be: every node, and of each what withholds all classes below a size and not too many records.
fn releases(table: &Table, guard: &Guard, allowance: u64, chooses: bool) -> Vec<(Node, Verdict)> {
    let sizes = if chooses { table.records } else { 0 };
    let mut all = Vec::new();
    for node in all_nodes(&table.lattice()) {
        let set = classes(table, &node);
        let judged = guard.judge(&set);
        for least in 0..=sizes {
            let kept = judged.kept.iter().zip(&set.sizes).map(|(kept, size)| *kept && *size >= least).collect();
            let verdict = Verdict::keeping(kept, &set);
            if verdict.suppressed <= allowance && verdict.suppressed < table.records {
                all.push((node.clone(), verdict));
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(markets())]

    /// A level that meets its ration only after withholding is not left out, and no release that keeps the rations is better.
    #[test]
    fn no_release_that_keeps_the_rations_is_better(
        drawn in drawn(), k in 1_i64..5, share in 0_u64..=10, alpha in 0.05_f64..0.95,
        shares in prop::collection::vec(0.0_f64..1.0, 24), chooses in any::<bool>(), place in 0_usize..3
    ) {
        let table = drawn.table();
        let allowance = table.records * share / 10;
        let mut market = rationed(&market(&table, &drawn.weights, alpha), &shares);
        let whole = 100.0 * market.income();
        let total = |share: f64, below: f64| (share < below).then_some(Amount::Of(share * whole));
        market = market.with_total(Ration {
            min_utility: total(shares[16], 0.2),
            min_protection: total(shares[17], 0.2),
            max_utility: total(shares[18], 0.3),
            max_protection: None,
        });
        let preferences = Preferences { target: &target::ALL[place], ..Preferences::default() };
        let guard = guard(k, 1);
        let balance = Balance::before_withholding(market.clone(), preferences);
        let make = if chooses { Imbalance::choosing } else { Imbalance::charging };
        let found = balance.as_ref().ok().and_then(|balance| make(balance, &table, allowance, 1.0).ok());
        let found = found.and_then(|loss| run("balance", &table, &guard, &loss, allowance).ok());
        let found = found.map_or(u128::MAX, |found| found.best.summary.units);
        // Those that keep the rations with room to spare, and those that keep them up to rounding.
        let (mut surely, mut perhaps) = (u128::MAX, u128::MAX);
        for (node, verdict) in releases(&table, &guard, allowance, chooses) {
            let set = classes(&table, &node);
            let by_definition: Vec<f64> =
                (0..table.variables.len()).map(|variable| shown(&table, &node, &verdict, variable)).collect();
            let missed = missed(&market, &by_definition);
            let within = node.0.iter().zip(market.offers()).all(|(&level, offer)| offer.permits(usize::from(level)));
            if !within || missed > 1e-6 {
                continue;
            }
            // Rations that some release keeps contradict nothing.
            let Ok(balance) = &balance else {
                prop_assert!(missed > -1e-6 || balance.as_ref().err().is_some_and(|error| matches!(error, BalanceError::Surplus { .. })), "{:?}", balance.as_ref().err());
                continue;
            };
            let exact = equanym_core::balance::shown(&table, &JudgedClasses::new(&set, &verdict));
            let scores = node.0.iter().zip(&exact).enumerate();
            let scores = scores.map(|(variable, (&level, &shown))| balance.score_at(variable, usize::from(level), shown));
            let units = scores.fold(Score::default(), |sum, score| sum + score).packed();
            perhaps = perhaps.min(units);
            surely = if missed < -1e-6 { surely.min(units) } else { surely };
        }
        prop_assert!((perhaps..=surely).contains(&found), "{found} is not between {perhaps} and {surely}");
    }
}

#[test]
fn what_meets_its_ration_only_after_withholding_is_released() {
    // Level 0 shows 0.72 bits, and 0.26 without the record that stands alone; the top shows nothing.
    let table = table(vec![variable("v", 1.0, ladder("a;*\nb;*\n"))], &[[0], [0], [0], [0], [1]].map(Vec::from), None);
    let guard = guard(2, 1);
    let rationed = |min_utility: Option<f64>| {
        let mut offers = market(&table, &[1], 0.5).offers().to_vec();
        offers[0].ration.max_utility = Some(Amount::Of(50.0));
        offers[0].ration.min_utility = min_utility.map(Amount::Of);
        Market::new(0.5, 0.5, offers).unwrap()
    };
    for (least, free_node) in [(None, Some(vec![1])), (Some(10.0), None)] {
        let balance = Balance::before_withholding(rationed(least), Preferences::default()).unwrap();
        assert_eq!(balance.free_node(), free_node);
        for make in [Imbalance::charging, Imbalance::choosing] {
            let loss = make(&balance, &table, 1, 1.0).unwrap();
            assert_eq!(run("balance", &table, &guard, &loss, 1).unwrap().best.node, vec![0].into());
        }
        assert_eq!(Balance::solve(rationed(least), Preferences::default()).is_err(), least.is_some());
    }
    // Where so little may be withheld that no level comes to meet it, it is refused with what is missing.
    let balance = Balance::before_withholding(rationed(Some(10.0)), Preferences::default()).unwrap();
    let error = Imbalance::charging(&balance, &table, 0, 1.0).err().unwrap();
    assert!(matches!(error, BalanceError::NoLevel { good: "utility", .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// What is left out is the best of all sizes, each judged as if a guarantee had asked for it.
    #[test]
    fn the_size_that_is_left_out_is_the_best(drawn in drawn(), k in 1_i64..4, share in 0_u64..=10, alpha in 0.05_f64..0.95) {
        let table = drawn.table();
        let allowance = table.records * share / 10;
        let guard = guard(k, 1);
        for target in target::ALL {
            let preferences = Preferences { target, ..Preferences::default() };
            let balance = Balance::solve(market(&table, &drawn.weights, alpha), preferences).unwrap();
            let charged = Imbalance::charging(&balance, &table, allowance, 1.0).unwrap();
            let chosen = Imbalance::choosing(&balance, &table, allowance, 1.0).unwrap();
            for node in all_nodes(&table.lattice()) {
                let set = classes(&table, &node);
                let judged = guard.judge(&set);
                if judged.suppressed > allowance || judged.suppressed >= table.records {
                    continue;
                }
                let above = |least: u64| {
                    let kept: Vec<bool> = judged.kept.iter().zip(&set.sizes).map(|(kept, size)| *kept && *size >= least).collect();
                    Verdict::keeping(kept, &set)
                };
                let units = |loss: &Imbalance, verdict: &Verdict| {
                    loss.summarise(&table, &JudgedClasses::new(&set, verdict)).units
                };
                let permitted = |verdict: &Verdict| verdict.suppressed <= allowance && verdict.suppressed < table.records;
                let all = (0..=table.records).map(above).filter(permitted);
                let best = all.map(|verdict| (units(&charged, &verdict), verdict.suppressed)).min().unwrap();
                prop_assert_eq!(units(&chosen, &judged), best.0);
                let count = JudgedClasses::new(&set, &judged);
                prop_assert_eq!(chosen.released(&table, &count).suppressed, best.1);
            }
            agree(&table, &guard, &chosen, allowance)?;
        }
    }
}
