//! What rations cost, against multipliers worked out by hand.

use equanym_core::balance::{
    Amount, Balance, Market, Offer, Points, Preferences, Ration, RationCost, ration_costs, target,
};

fn costs(target: &str, ration: Ration, total: Ration) -> Vec<RationCost> {
    let even = Points { user: 50.0, intruder: 50.0 };
    let zip = Offer { ration, ..Offer::new("zip", vec![4.0, 2.0, 0.0], even) };
    let age = Offer::new("age", vec![4.0, 2.0, 0.0], even);
    let market = Market::new(0.5, 0.5, vec![zip, age]).unwrap().with_total(total);
    let sought = Preferences { target: target::find(target).unwrap(), ..Preferences::default() };
    ration_costs(&Balance::solve(market, sought).unwrap()).unwrap()
}

fn price_of(costs: &[RationCost], place: usize) -> f64 {
    costs[place].price.unwrap()
}

#[test]
fn a_ration_that_does_not_bind_costs_nothing() {
    for target in ["coupled", "paper"] {
        let ration = Ration {
            min_utility: Some(Amount::Of(50.0)),
            max_protection: Some(Amount::Of(150.0)),
            ..Ration::default()
        };
        let costs = costs(target, ration, Ration { min_protection: Some(Amount::Of(90.0)), ..Ration::default() });
        assert_eq!(costs.len(), 3);
        assert!((0..3).all(|place| price_of(&costs, place) <= 0.0), "{target} {costs:?}");
        // 100 of each good: every exponent is a quarter.
        assert!(costs.iter().all(|cost| (cost.without - 100.0).abs() < 1e-6), "{costs:?}");
    }
}

#[test]
fn prices_are_the_multipliers() {
    // At least 3 bits of the zip, at 50 points: x = 150, y = 50. The derivative of ¼ ln x + ¼ ln(200 − x) at 150 is
    // −¼ (1/50 − 1/150) = −1/300.
    let ration = Ration { min_utility: Some(Amount::Of(150.0)), ..Ration::default() };
    let found = costs("coupled", ration, Ration::default());
    assert!((price_of(&found, 0) - 1.0 / 300.0).abs() < 1e-6, "{found:?}");
    assert!((found[0].without - 100.0).abs() < 1e-6 && found[0].is_least && found[0].variable == Some(0));
    // As a level: level 0 leaves no protection, so the satisfaction vanishes and has no margin.
    let ration = Ration { min_utility: Some(Amount::Level(0)), ..Ration::default() };
    assert_eq!(costs("coupled", ration, Ration::default())[0].price, None);
    // One budget of 8 for four goods: 150 of one take 3, the other three get 5/3 each. The derivative by the amount is
    // ¼/150 − ¾/(5 · 50) = 1/600 − 3/1000.
    let ration = Ration { min_utility: Some(Amount::Of(150.0)), ..Ration::default() };
    let found = costs("paper", ration, Ration::default());
    assert!((price_of(&found, 0) - (0.003 - 1.0 / 600.0)).abs() < 1e-6, "{found:?}");
    // 300 of utility in all: each variable shows 3 of its 4 bits, and a unit more of the sum is half a unit of each.
    let total = Ration { min_utility: Some(Amount::Of(300.0)), ..Ration::default() };
    let found = costs("coupled", Ration::default(), total);
    assert!((price_of(&found, 0) - 1.0 / 300.0).abs() < 1e-6 && found[0].variable.is_none(), "{found:?}");
}
