//! Rations of all variables together: the optimum within them, and the best of all nodes that meet them.

use equanym_core::balance::{
    Amount, Balance, BalanceError, Goods, Market, Offer, Points, Preferences, Ration, Score, target,
};
use equanym_core::random::Seed;
use proptest::prelude::*;

use super::choosing::{offers, preferences};

fn example_two() -> Vec<Offer> {
    let year = vec![1.350_266, 1.122_696, 0.942_124, 0.750_800, 0.476_001, 0.300_067, 0.0];
    let marital = vec![0.521_329, 0.217_322, 0.0];
    vec![
        Offer::new("born", year, Points { user: 60.0, intruder: 60.0 }),
        Offer::new("marital_status", marital, Points { user: 40.0, intruder: 40.0 }),
    ]
}

fn solve(target: &str, total: Ration) -> Result<Balance, BalanceError> {
    let market = Market::new(0.5, 0.5, example_two()).unwrap().with_total(total);
    Balance::solve(market, Preferences { target: target::find(target).unwrap(), ..Preferences::default() })
}

fn sum(goods: &[Goods]) -> Goods {
    goods.iter().copied().sum()
}

#[test]
fn all_four_bounds_bind_in_the_second_example_of_the_paper() {
    let at = |amount| Some(Amount::Of(amount));
    let free = solve("coupled", Ration::default()).unwrap();
    let Goods { utility, protection } = sum(free.optimum());
    assert!((utility - 50.9346).abs() < 1e-3 && (protection - 50.9346).abs() < 1e-3, "{utility} {protection}");
    for target in ["coupled", "paper", "max-satisfaction"] {
        for (total, wanted) in [
            (Ration { min_utility: at(70.0), ..Ration::default() }, 70.0),
            (Ration { max_utility: at(30.0), ..Ration::default() }, 30.0),
        ] {
            let balance = solve(target, total).unwrap();
            let found = sum(balance.optimum());
            assert!((found.utility - wanted).abs() < 1e-6, "{target} {found:?}");
            assert!((balance.market().cost(balance.optimum()) - balance.market().income()).abs() < 1e-9);
            assert!(balance.keeps_rations(&balance.shown(&balance.node())), "{target}");
        }
        for total in [
            Ration { min_protection: at(80.0), ..Ration::default() },
            Ration { max_protection: at(20.0), ..Ration::default() },
        ] {
            let balance = solve(target, total).unwrap();
            let wanted = if total.min_protection.is_some() { 80.0 } else { 20.0 };
            assert!((sum(balance.optimum()).protection - wanted).abs() < 1e-6, "{target}");
            assert!(balance.keeps_rations(&balance.shown(&balance.node())), "{target}");
        }
    }
}

#[test]
fn what_all_variables_together_cannot_have_is_refused_with_the_nearest() {
    let error = |total| solve("coupled", total).err().unwrap();
    let BalanceError::Total { good, found, wanted } =
        error(Ration { min_utility: Some(Amount::Of(120.0)), ..Ration::default() })
    else {
        panic!()
    };
    // All that there is: 60 × 1.350266 + 40 × 0.521329.
    assert_eq!((good, wanted), ("utility", 120.0));
    assert!((found - 101.869_12).abs() < 1e-4, "{found}");
    let both =
        Ration { min_utility: Some(Amount::Of(60.0)), min_protection: Some(Amount::Of(60.0)), ..Ration::default() };
    assert!(matches!(error(both), BalanceError::Total { .. }));
    let level = Ration { min_utility: Some(Amount::Level(1)), ..Ration::default() };
    assert_eq!(error(level), BalanceError::LevelOfAll { level: 1 });
    let crossed =
        Ration { min_utility: Some(Amount::Of(9.0)), max_utility: Some(Amount::Of(8.0)), ..Ration::default() };
    let told = "the ration of `all variables together` asks for utility of at least 9 and at most 8";
    assert_eq!(error(crossed).to_string(), told);
    // The optimum can have it, no combination of levels can.
    let between =
        Ration { min_utility: Some(Amount::Of(50.0)), max_utility: Some(Amount::Of(50.5)), ..Ration::default() };
    assert!(matches!(error(between), BalanceError::Total { good: "utility", .. }));
}

/// Both sums bind, and rewards of goods in one budget nearly cancel.
#[test]
fn two_bounds_that_leave_room_are_met() {
    let offers = vec![
        Offer::new("v0", vec![3.757_508_303, 2.215_443_223, 0.0], Points { user: 50.0, intruder: 40.944_556_355 }),
        Offer::new("v1", vec![1.678_590_063, 0.424_786_290, 0.0], Points { user: 50.0, intruder: 59.055_443_645 }),
    ];
    let total =
        Ration { min_utility: Some(Amount::Of(130.66)), min_protection: Some(Amount::Of(128.89)), ..Ration::default() };
    let market = Market::new(0.935, 0.065, offers).unwrap().with_total(total);
    let balance = Balance::solve(market, Preferences::default()).unwrap();
    let Goods { utility, protection } = sum(balance.optimum());
    assert!(utility > 130.66 - 1e-6 && protection > 128.89 - 1e-6, "{utility} {protection}");
    assert_eq!(balance.node(), [1, 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_other_node_and_no_other_goods_within_the_bounds_are_better(
        offers in offers(), alpha in 0.05_f64..0.95, low in 0.0_f64..1.0, high in 0.0_f64..1.0, draws in any::<u64>()
    ) {
        let free = Market::new(alpha, 1.0 - alpha, offers).unwrap();
        let whole = |points: fn(&Offer) -> f64| free.offers().iter().map(|offer| points(offer) * offer.entropy()).sum::<f64>();
        let (utility, protection) = (whole(|offer| offer.points.user), whole(|offer| offer.points.intruder));
        let total = Ration {
            min_utility: (low < 0.6).then_some(Amount::Of(low * utility)),
            min_protection: (high < 0.6).then_some(Amount::Of(high * protection)),
            ..Ration::default()
        };
        let market = free.with_total(total);
        let keeps = |goods: Goods| {
            let least = |given: Option<Amount>| match given { Some(Amount::Of(amount)) => amount, _ => 0.0 };
            goods.utility >= least(total.min_utility) - 1e-7 && goods.protection >= least(total.min_protection) - 1e-7
        };
        for preferences in preferences() {
            let nodes = nodes(&market);
            let sums = |node: &Vec<usize>| -> Goods {
                market.offers().iter().zip(node).map(|(offer, &level)| offer.goods(level)).sum()
            };
            let Ok(balance) = Balance::solve(market.clone(), preferences) else {
                // What is refused because of levels has no node; what is refused because of the optimum has none either.
                prop_assert!(preferences.target.card.name == "paper" || !nodes.iter().any(|node| keeps(sums(node))), "{market:?}");
                continue;
            };
            let score = |node: &Vec<usize>| node.iter().enumerate().map(|(place, &level)| balance.score(place, level)).fold(Score::default(), |sum, one| sum + one);
            let best = nodes.iter().filter(|node| keeps(sums(node))).map(|node| (score(node), node.clone())).min();
            prop_assert_eq!(best.map(|(score, _)| score), Some(score(&balance.node())), "{:?}", market);
            if preferences.target.card.name != "coupled" {
                continue;
            }
            let found = balance.optimum().iter().copied().sum::<Goods>();
            let found = Goods { utility: found.utility + 1e-6, protection: found.protection + 1e-6 };
            prop_assert!(keeps(found), "{:?}", found);
            let here = market.satisfaction(balance.optimum());
            let mut stream = Seed::from(draws).stream(0);
            for _ in 0..50 {
                let share = |stream: &mut equanym_core::random::Stream| stream.below(1_000_001) as f64 / 1e6;
                let other: Vec<Goods> = market.offers().iter().map(|offer| offer.goods_at(share(&mut stream) * offer.entropy())).collect();
                let better = keeps(other.iter().copied().sum()) && market.satisfaction(&other) > here * (1.0 + 1e-6) + 1e-12;
                prop_assert!(!better, "{:?} {:?}", market, other);
            }
        }
    }

    /// Other points of one variable leave the shares of the others among each other.
    #[test]
    fn points_can_be_shared_anew(offers in offers(), user in 0.0_f64..100.0, intruder in 0.0_f64..100.0) {
        let market = Market::new(0.5, 0.5, offers).unwrap();
        if market.offers().len() < 2 {
            return Ok(());
        }
        let points = Points { user, intruder };
        let changed = market.with_points(0, points).unwrap();
        prop_assert_eq!(changed.offers()[0].points, points);
        let [one, other] = [1, market.offers().len() - 1];
        let before = [one, other].map(|place| market.offers()[place].points.user);
        let after = [one, other].map(|place| changed.offers()[place].points.user);
        prop_assert!(market.offers()[0].points.user > 99.999 || (before[0] * after[1] - before[1] * after[0]).abs() < 1e-6);
    }
}

fn nodes(market: &Market) -> Vec<Vec<usize>> {
    market.offers().iter().fold(vec![Vec::new()], |nodes, offer| {
        let extend = |node: &Vec<usize>| {
            (0..offer.entropies.len()).map(|level| [node.as_slice(), &[level]].concat()).collect::<Vec<_>>()
        };
        nodes.iter().flat_map(extend).collect()
    })
}
