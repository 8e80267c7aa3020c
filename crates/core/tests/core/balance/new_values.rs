//! Variables with new values on the market: one level for all of them, goods below the budget line, and no node that is better.

use equanym_core::balance::{
    Amount, Balance, BalanceError, Goods, Market, NewValueReading, Offer, Points, Preferences, Ration, ToldBits,
    offer_of_new_values,
};
use proptest::prelude::*;

use super::choosing::preferences;

/// Shares of what a variable with new values tells a user and keeps from an intruder, level by level.
fn readings() -> impl Strategy<Value = Vec<Vec<(f64, f64)>>> {
    (1_usize..5, 1_usize..4).prop_flat_map(|(levels, variables)| {
        let share = (0.0_f64..1.0, 0.0_f64..1.0).prop_map(|(told, rest)| (told, (1.0 - told) * rest));
        prop::collection::vec(prop::collection::vec(share, levels), variables)
    })
}

/// Ladders and variables with new values that share all points.
fn market(ladders: &[Vec<f64>], readings: &[Vec<(f64, f64)>], shares: &[f64], alpha: f64) -> Market {
    let count = ladders.len() + readings.len();
    let sum = |turn: usize| (0..count).map(|place| shares[2 * place + turn]).sum::<f64>();
    let points = |place: usize| Points {
        user: 100.0 * shares[2 * place] / sum(0),
        intruder: 100.0 * shares[2 * place + 1] / sum(1),
    };
    let ladder = |(place, inner): (usize, &Vec<f64>)| {
        let entropies = [4.0].into_iter().chain(inner.iter().map(|share| 4.0 * share)).chain([0.0]).collect();
        Offer::new(format!("l{place}"), entropies, points(place))
    };
    let walked = |(place, levels): (usize, &Vec<(f64, f64)>)| {
        let bits = |told: f64, untold: f64| ToldBits { told: 6.0 * told, untold: 6.0 * untold, ..ToldBits::default() };
        let reading = |&(told, untold): &(f64, f64)| NewValueReading {
            grid: bits(told, 1.0 - told),
            ranks: bits(1.0 - untold, untold),
        };
        let readings: Vec<NewValueReading> = levels.iter().map(reading).collect();
        offer_of_new_values(&format!("w{place}"), 6.0, points(ladders.len() + place), &readings, 1.0)
    };
    let offers = ladders.iter().enumerate().map(ladder).chain(readings.iter().enumerate().map(walked)).collect();
    Market::new(alpha, 1.0 - alpha, offers).unwrap()
}

/// Every choice of levels; variables with new values have the same one, and none is as collected.
fn nodes(market: &Market, ladders: usize) -> Vec<Vec<usize>> {
    let mut nodes: Vec<Vec<usize>> = vec![Vec::new()];
    for offer in &market.offers()[..ladders] {
        nodes = nodes
            .iter()
            .flat_map(|node| (0..offer.entropies.len()).map(move |level| [node.as_slice(), &[level]].concat()))
            .collect();
    }
    let (settings, walked) = (market.offers()[ladders].entropies.len(), market.offers().len() - ladders);
    nodes
        .iter()
        .flat_map(|node| (1..settings).map(move |level| [node.as_slice(), &vec![level; walked]].concat()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_levels_and_no_setting_are_better(
        ladders in prop::collection::vec(prop::collection::vec(0.01_f64..0.99, 0..4), 0..3),
        readings in readings(), shares in prop::collection::vec(0.05_f64..1.0, 12), alpha in 0.05_f64..0.95, total in 0.0_f64..1.0
    ) {
        let plain = market(&ladders, &readings, &shares, alpha);
        let most: f64 = plain.offers().iter().map(|offer| offer.points.user * offer.entropy()).sum();
        let rationed = Ration { min_utility: (total < 0.5).then_some(Amount::Of(total * most)), ..Ration::default() };
        for market in [plain.clone(), plain.with_total(rationed)] {
            let least = match market.total().min_utility { Some(Amount::Of(least)) => least, _ => 0.0 };
            for preferences in preferences() {
                let balance = Balance::solve(market.clone(), preferences);
                let scored = |balance: &Balance| {
                    let cost = |node: &Vec<usize>| -> u128 {
                        node.iter().enumerate().map(|(variable, &level)| balance.score(variable, level).packed()).sum()
                    };
                    let utility = |node: &Vec<usize>| balance.goods(node).into_iter().sum::<Goods>().utility;
                    let all = nodes(&market, ladders.len());
                    let kept = all.into_iter().filter(|node| utility(node) >= least - 1e-7);
                    kept.map(|node| (cost(&node), node)).min()
                };
                match balance {
                    Ok(balance) => {
                        let node = balance.node();
                        let best = scored(&balance).unwrap();
                        let cost: u128 = node.iter().enumerate().map(|(variable, &level)| balance.score(variable, level).packed()).sum();
                        prop_assert_eq!(cost, best.0, "{:?} instead of {:?}", node, best.1);
                        prop_assert!(node[ladders.len()..].iter().all(|&level| level == node[ladders.len()] && level > 0));
                    }
                    Err(BalanceError::Total { .. }) => {
                        let open = Balance::before_withholding(market.clone(), preferences);
                        prop_assert!(open.is_err() || scored(&open.unwrap()).is_none());
                    }
                    Err(error) => prop_assert!(false, "{error}"),
                }
            }
        }
    }

    /// The distance that uses all symbols, by its formula and over all settings.
    #[test]
    fn the_nearest_setting_is_chosen_by_the_formula(
        readings in readings(), shares in prop::collection::vec(0.05_f64..1.0, 12), alpha in 0.05_f64..0.95
    ) {
        let market = market(&[], &readings, &shares, alpha);
        let balance = Balance::solve(market.clone(), Preferences::default()).unwrap();
        let off = |level: usize| -> f64 {
            let each = market.offers().iter().zip(&readings);
            each.map(|(offer, readings)| {
                let (told, untold) = readings[level - 1];
                let Points { user: q, intruder: r } = offer.points;
                let kept = alpha * q / (alpha * q + (1.0 - alpha) * r);
                let (x, y) = (q * 6.0 * kept - q * 6.0 * told, r * 6.0 * (1.0 - kept) - r * 6.0 * untold);
                alpha * q / 100.0 * x.abs() + (1.0 - alpha) * r / 100.0 * y.abs()
            })
            .sum()
        };
        let best = (1..=readings[0].len()).map(off).fold(f64::INFINITY, f64::min);
        prop_assert!(off(balance.node()[0]) <= best + 1e-6, "{:?}", balance.node());
        prop_assert_eq!(balance.new_value_level().unwrap(), Some(balance.node()[0]));
        let spent = market.cost(&balance.goods(&balance.node()));
        prop_assert!(spent <= market.income() * (1.0 + 1e-9), "what is neither read nor kept is spent on nothing");
    }
}

#[test]
fn rations_that_no_setting_keeps_for_all_are_refused() {
    let readings = [vec![(0.9, 0.1), (0.1, 0.9)], vec![(0.9, 0.1), (0.1, 0.9)]];
    let plain = market(&[], &readings, &[1.0; 4], 0.5);
    let mut offers = plain.offers().to_vec();
    // Half of the points: 50 × 6 × 0.9 bits at one setting, a ninth of it at the other.
    offers[0].ration.min_utility = Some(Amount::Of(100.0));
    let one = Market::new(0.5, 0.5, offers.clone()).unwrap();
    assert_eq!(Balance::solve(one, Preferences::default()).unwrap().node(), [1, 1]);
    offers[1].ration.min_protection = Some(Amount::Of(100.0));
    let both = Market::new(0.5, 0.5, offers).unwrap();
    let error = Balance::solve(both, Preferences::default()).err().unwrap();
    assert_eq!(error, BalanceError::NoSharedLevel);
}
