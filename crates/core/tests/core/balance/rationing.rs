//! Rations: bounds that bind, that contradict each other, that no variable or no level can meet.

use equanym_core::balance::{
    Amount, Balance, BalanceError, Demand, Market, Offer, Points, Preferences, Ration, rationed, target,
};
use proptest::prelude::*;

use super::choosing::{offers, preferences};
use super::spending::violation;

fn aiming(name: &str) -> Preferences {
    Preferences { target: target::find(name).unwrap(), ..Preferences::default() }
}

fn solve(ration: Ration, target: &str) -> Result<Balance, BalanceError> {
    let points = Points { user: 100.0, intruder: 100.0 };
    let offer = Offer { ration, ..Offer::new("zip", vec![4.0, 3.0, 2.0, 1.0, 0.0], points) };
    Balance::solve(Market::new(0.5, 0.5, vec![offer]).unwrap(), aiming(target))
}

const TARGETS: [&str; 3] = ["paper", "coupled", "max-satisfaction"];

#[test]
fn bounds_of_all_four_kinds_bind() {
    let of = Amount::Of;
    let cases = [
        (Ration { min_protection: Some(of(250.0)), ..Ration::default() }, 3, 1.5),
        (Ration { min_utility: Some(of(310.0)), ..Ration::default() }, 0, 3.1),
        (Ration { max_utility: Some(of(120.0)), ..Ration::default() }, 3, 1.2),
        (Ration { max_protection: Some(of(100.0)), ..Ration::default() }, 1, 3.0),
        (Ration { min_protection: Some(Amount::Level(3)), ..Ration::default() }, 3, 1.0),
        (Ration { min_utility: Some(Amount::Level(1)), ..Ration::default() }, 1, 3.0),
        (
            Ration { min_utility: Some(Amount::Level(1)), min_protection: Some(Amount::Level(1)), ..Ration::default() },
            1,
            3.0,
        ),
    ];
    for (ration, level, shown) in cases {
        for target in TARGETS {
            let balance = solve(ration, target).unwrap();
            assert_eq!(balance.node(), [level], "{target} {ration:?}");
            assert!(
                (balance.optimum()[0].utility - 100.0 * shown).abs() < 1e-6,
                "{target} {ration:?} {:?}",
                balance.optimum()
            );
        }
    }
}

#[test]
fn what_cannot_be_met_is_refused_with_the_deficit() {
    let of = Amount::Of;
    let error = |ration: Ration, target: &str| solve(ration, target).err().unwrap();
    let too_much = Ration { min_utility: Some(of(300.0)), min_protection: Some(of(150.0)), ..Ration::default() };
    assert_eq!(error(too_much, "paper"), BalanceError::Deficit { needed: 4.5, income: 4.0 });
    assert!(error(too_much, "paper").to_string().ends_with("the deficit is 0.5000"));
    assert_eq!(
        error(too_much, "coupled"),
        BalanceError::Impossible { variable: "zip".into(), needed: 4.5, entropy: 4.0 }
    );
    let too_little = Ration { max_utility: Some(of(100.0)), max_protection: Some(of(150.0)), ..Ration::default() };
    assert_eq!(error(too_little, "paper"), BalanceError::Surplus { most: 2.5, income: 4.0 });
    assert_eq!(error(too_little, "coupled"), BalanceError::Unused { variable: "zip".into(), most: 2.5, entropy: 4.0 });
    let crossed = Ration { min_utility: Some(of(200.0)), max_utility: Some(of(100.0)), ..Ration::default() };
    assert!(matches!(error(crossed, "coupled"), BalanceError::Crossed { good: "utility", .. }));
    let between = Ration { min_utility: Some(of(210.0)), min_protection: Some(of(110.0)), ..Ration::default() };
    for target in TARGETS {
        let BalanceError::NoLevel { good, found, wanted, .. } = error(between, target) else { panic!("{target}") };
        assert_eq!((good, found, wanted), ("protection", 100.0, 110.0));
    }
    let level = Ration { min_protection: Some(Amount::Level(9)), ..Ration::default() };
    assert_eq!(error(level, "coupled"), BalanceError::NoSuchLevel { variable: "zip".into(), level: 9, last: 4 });
    for amount in [-1.0, f64::NAN, f64::INFINITY] {
        let ration = Ration { max_utility: Some(of(amount)), ..Ration::default() };
        assert!(matches!(error(ration, "paper"), BalanceError::Amount { .. }));
    }
}

#[test]
fn what_nobody_wants_cannot_be_rationed() {
    let ration = Ration { min_utility: Some(Amount::Of(1.0)), ..Ration::default() };
    let offer = Offer { ration, ..Offer::new("zip", vec![1.0, 0.0], Points { user: 0.0, intruder: 50.0 }) };
    let other = Offer::new("age", vec![1.0, 0.0], Points { user: 100.0, intruder: 50.0 });
    let market = Market::new(0.5, 0.5, vec![offer, other]).unwrap();
    for target in TARGETS {
        let error = Balance::solve(market.clone(), aiming(target)).err().unwrap();
        assert!(matches!(error, BalanceError::NoLevel { good: "utility", .. }), "{target} {error}");
    }
}

#[test]
fn levels_beyond_the_bounds_of_the_policy_are_not_chosen() {
    let points = Points { user: 100.0, intruder: 100.0 };
    for (min_level, max_level, expected) in [(0, 4, 2), (3, 4, 3), (0, 1, 1)] {
        let offer = Offer { min_level, max_level, ..Offer::new("zip", vec![4.0, 3.0, 2.0, 1.0, 0.0], points) };
        let balance = Balance::solve(Market::new(0.5, 0.5, vec![offer]).unwrap(), aiming("coupled")).unwrap();
        assert_eq!(balance.node(), [expected]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// A ration that a level defines is met by that level at least, so there is an answer, and it keeps the ration.
    #[test]
    fn rations_given_as_levels_are_met(offers in offers(), pick in any::<u64>(), kinds in any::<u64>()) {
        let mut offers = offers;
        for (place, offer) in offers.iter_mut().enumerate() {
            let level = u8::try_from(pick >> (6 * place) & 63).unwrap() % u8::try_from(offer.entropies.len()).unwrap();
            let given = |bit: u32| (kinds >> (4 * place) >> bit & 1 == 1).then_some(Amount::Level(level));
            offer.ration = Ration { min_utility: given(0), max_utility: given(1), min_protection: given(2), max_protection: given(3) };
        }
        let market = Market::new(0.6, 0.4, offers).unwrap();
        for preferences in preferences() {
            let Ok(balance) = Balance::solve(market.clone(), preferences) else {
                // One budget for all can leave a surplus that caps do not take; nothing else may go wrong.
                prop_assert!(matches!(rationed(&market), Err(BalanceError::Surplus { .. })), "{:?}", market);
                continue;
            };
            for (place, (offer, level)) in market.offers().iter().zip(balance.node()).enumerate() {
                prop_assert!(balance.is_allowed(place, level));
                let (goods, slack) = (offer.goods(level), 1e-6 * (1.0 + offer.entropy() * 100.0));
                let amount = |given: Option<Amount>| match given {
                    Some(Amount::Level(level)) => Some(offer.goods(usize::from(level))),
                    _ => None,
                };
                let Ration { min_utility, max_utility, min_protection, max_protection } = offer.ration;
                prop_assert!(amount(min_utility).is_none_or(|least| goods.utility >= least.utility - slack));
                prop_assert!(amount(max_utility).is_none_or(|most| goods.utility <= most.utility + slack));
                prop_assert!(amount(min_protection).is_none_or(|least| goods.protection >= least.protection - slack));
                prop_assert!(amount(max_protection).is_none_or(|most| goods.protection <= most.protection + slack));
            }
        }
    }

    /// Bounds that bind, goods without points, variables without entropy: the conditions of optimality hold.
    #[test]
    fn the_rationed_optimum_carries_its_certificate(
        offers in offers(), alpha in 0.0_f64..1.0, shares in prop::collection::vec(0.0_f64..1.0, 28)
    ) {
        let mut offers = offers;
        for (offer, share) in offers.iter_mut().zip(shares.chunks(4)) {
            let (utility, protection) = (offer.points.user * offer.entropy(), offer.points.intruder * offer.entropy());
            let some = |amount: f64, share: f64| (share < 0.7).then_some(Amount::Of(amount));
            offer.ration = Ration {
                min_utility: some(0.5 * share[0] * utility, share[0]),
                max_utility: some((0.5 + 2.0 * share[1]) * utility, share[1]),
                min_protection: some(0.5 * share[2] * protection, share[2]),
                max_protection: some((0.5 + 2.0 * share[3]) * protection, share[3]),
            };
        }
        let market = Market::new(alpha, 1.0 - alpha, offers).unwrap();
        let Ok(optimum) = rationed(&market) else { return Ok(()) };
        let (mut demands, mut spent) = (Vec::new(), Vec::new());
        for (offer, goods) in market.offers().iter().zip(&optimum) {
            let Ration { min_utility, max_utility, min_protection, max_protection } = offer.ration;
            let exponents = market.published_exponents(offer);
            let utility = (exponents.0, offer.points.user, goods.utility, min_utility, max_utility);
            let protection = (exponents.1, offer.points.intruder, goods.protection, min_protection, max_protection);
            for (weight, points, amount, least, most) in [utility, protection].into_iter().filter(|good| good.1 > 0.0) {
                let bound = |given: Option<Amount>, absent: f64| match given {
                    Some(Amount::Of(amount)) => amount / points,
                    _ => absent,
                };
                demands.push(Demand { weight, least: bound(least, 0.0), most: bound(most, f64::INFINITY) });
                spent.push(amount / points);
            }
        }
        if !demands.is_empty() {
            prop_assert!(violation(&demands, &spent, market.income()) < 1e-6, "{market:?} {optimum:?}");
        }
    }
}
