//! What must hold for every market: budget, decomposition, invariances, ties, and the edges.

use equanym_core::balance::{
    Balance, BalanceError, Goods, Market, Offer, POINTS, Points, Preferences, UnwantedLevel, closed_form, coupled,
    distance, rationed, target,
};
use proptest::prelude::*;

/// Random points that sum to 100.
fn points(share: impl Strategy<Value = f64>, count: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(share, count).prop_map(|shares| {
        let sum: f64 = shares.iter().sum();
        let even = POINTS / shares.len() as f64;
        shares.iter().map(|share| if sum > 0.0 { share * POINTS / sum } else { even }).collect()
    })
}

/// Entropies from as collected down to nothing; not sorted in between, because codings need not be nested.
fn entropies(whole: impl Strategy<Value = f64>, inner: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    (whole, prop::collection::vec(0.001_f64..0.999, inner)).prop_map(|(whole, shares)| {
        let between = shares.into_iter().map(|share| share * whole);
        std::iter::once(whole).chain(between).chain([0.0]).collect()
    })
}

fn offered(entropies: Vec<Vec<f64>>, user: &[f64], intruder: &[f64]) -> Vec<Offer> {
    let offer = |(place, entropies): (usize, Vec<f64>)| {
        Offer::new(format!("v{place}"), entropies, Points { user: user[place], intruder: intruder[place] })
    };
    entropies.into_iter().enumerate().map(offer).collect()
}

/// Variables of all kinds: some without entropy, some without points.
pub fn offers() -> impl Strategy<Value = Vec<Offer>> {
    (1_usize..7).prop_flat_map(|count| {
        let share = || prop_oneof![1 => Just(0.0), 5 => 0.01_f64..1.0];
        let whole = prop_oneof![1 => Just(0.0), 8 => 0.05_f64..8.0];
        (prop::collection::vec(entropies(whole, 0..6), count), points(share(), count), points(share(), count))
            .prop_map(|(entropies, user, intruder)| offered(entropies, &user, &intruder))
    })
}

/// Variables that everybody wants and that have levels between the two ends.
fn wanted_offers() -> impl Strategy<Value = Vec<Offer>> {
    (1_usize..7).prop_flat_map(|count| {
        let share = || 0.01_f64..1.0;
        (prop::collection::vec(entropies(0.05_f64..8.0, 1..6), count), points(share(), count), points(share(), count))
            .prop_map(|(entropies, user, intruder)| offered(entropies, &user, &intruder))
    })
}

fn weights() -> impl Strategy<Value = (f64, f64)> {
    let weight = || prop_oneof![1 => Just(0.0), 8 => 0.01_f64..3.0];
    (weight(), weight()).prop_filter("both are 0", |(alpha, beta)| alpha + beta > 0.0)
}

pub fn preferences() -> impl Iterator<Item = Preferences> {
    target::ALL.iter().flat_map(|target| {
        let with = move |distance| Preferences { target, distance, unwanted: UnwantedLevel::default() };
        distance::ALL.iter().map(with)
    })
}

fn aiming(name: &str) -> Preferences {
    Preferences { target: target::find(name).unwrap(), ..Preferences::default() }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * (1.0 + one.abs().max(other.abs()))
}

/// Σ s ln(s/h).
fn divergence(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    pairs.filter(|(share, _)| *share > 0.0).map(|(share, other)| share * (share / other).ln()).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_assignment_of_levels_costs_the_income(offers in wanted_offers(), seed in any::<u64>()) {
        let market = Market::new(0.5, 0.5, offers).unwrap();
        let level = |(place, offer): (usize, &Offer)| usize::try_from(seed >> (5 * place)).unwrap() % offer.entropies.len();
        let goods: Vec<Goods> =
            market.offers().iter().enumerate().map(|(place, offer)| offer.goods(level((place, offer)))).collect();
        prop_assert!(near(market.cost(&goods), market.income()));
        prop_assert!(near(market.cost(&closed_form(&market)), market.income()));
        prop_assert!(near(market.cost(&coupled(&market).unwrap()), market.income()));
    }

    #[test]
    fn the_general_solver_agrees_with_the_formula(offers in offers(), (alpha, beta) in weights()) {
        let market = Market::new(alpha, beta, offers).unwrap();
        let at_stake: f64 = market.offers().iter().map(|offer| market.exponents(offer)).map(|(a, b)| a + b).sum();
        prop_assume!(at_stake > 0.0);
        for (one, other) in rationed(&market).unwrap().iter().zip(closed_form(&market)) {
            prop_assert!(near(one.utility, other.utility) && near(one.protection, other.protection), "{market:?}");
        }
        let entropy_everywhere = market.offers().iter().all(|offer| offer.entropy() > 0.0);
        if entropy_everywhere {
            // The published form, which assumes that all 100 points are at work.
            let share = market.income() / (POINTS * (alpha + beta));
            for (goods, offer) in closed_form(&market).iter().zip(market.offers()) {
                prop_assert!(near(goods.utility, alpha * offer.points.user.powi(2) * share));
                prop_assert!(near(goods.protection, beta * offer.points.intruder.powi(2) * share));
            }
        }
    }

    #[test]
    fn what_is_lost_falls_into_coupling_and_discreteness(offers in wanted_offers(), alpha in 0.01_f64..3.0, beta in 0.01_f64..3.0, seed in any::<u64>()) {
        let market = Market::new(alpha, beta, offers).unwrap();
        let (whole, income) = (1.0, market.income());
        let level = |place: usize, offer: &Offer| 1 + usize::try_from(seed >> (5 * place)).unwrap() % (offer.entropies.len() - 2);
        let node: Vec<usize> = market.offers().iter().enumerate().map(|(place, offer)| level(place, offer)).collect();
        let goods: Vec<Goods> = market.offers().iter().zip(&node).map(|(offer, &level)| offer.goods(level)).collect();
        let exponents: Vec<(f64, f64)> = market.offers().iter().map(|offer| market.exponents(offer)).collect();
        let shares = market.offers().iter().zip(&exponents).map(|(offer, (a, b))| ((a + b) / whole, offer.entropy() / income));
        let coupling = whole * divergence(shares);
        let discreteness: f64 = market.offers().iter().zip(&exponents).zip(&node).map(|((offer, (a, b)), &level)| {
            let (kept, shown) = (a / (a + b), offer.entropies[level] / offer.entropy());
            (a + b) * divergence([(kept, shown), (1.0 - kept, 1.0 - shown)].into_iter())
        }).sum();
        let logs = |goods: &[Goods]| -> f64 {
            goods.iter().zip(&exponents).map(|(goods, (a, b))| a * goods.utility.ln() + b * goods.protection.ln()).sum()
        };
        let lost = logs(&closed_form(&market)) - logs(&goods);
        prop_assert!((lost - coupling - discreteness).abs() < 1e-9, "{lost} {coupling} {discreteness}");
        prop_assert!((logs(&closed_form(&market)) - logs(&coupled(&market).unwrap()) - coupling).abs() < 1e-9);
    }

    #[test]
    fn permuted_variables_give_the_permuted_choice(offers in offers(), (alpha, beta) in weights(), turn in 0_usize..6) {
        let mut turned = offers.clone();
        turned.rotate_left(turn % offers.len());
        for preferences in preferences() {
            let node = |offers: &Vec<Offer>| Balance::solve(Market::new(alpha, beta, offers.clone()).unwrap(), preferences).unwrap().node();
            let mut plain = node(&offers);
            plain.rotate_left(turn % offers.len());
            prop_assert_eq!(plain, node(&turned));
        }
    }

    #[test]
    fn no_unit_and_no_common_factor_changes_a_choice(offers in offers(), (alpha, beta) in weights(), power in -300_i32..300) {
        let (mut scaled, factor) = (offers.clone(), 10_f64.powi(power));
        scaled.iter_mut().flat_map(|offer| &mut offer.entropies).for_each(|entropy| *entropy *= 2_f64.log10());
        for preferences in preferences() {
            let gap = preferences.distance.card.name == "satisfaction-gap" && preferences.target.card.name == "paper";
            let market = |offers: &[Offer], factor: f64| Market::new(factor * alpha, factor * beta, offers.to_vec()).unwrap();
            let node = |market: Market| Balance::solve(market, preferences).unwrap().node();
            let plain = node(market(&offers, 1.0));
            // A gap is a difference of products, and its unit is that of none of them.
            if !gap {
                prop_assert_eq!(&plain, &node(market(&scaled, 1.0)), "{}", preferences.target.card.name);
            }
            prop_assert_eq!(&plain, &node(market(&offers, factor)), "{}", preferences.distance.card.name);
        }
    }

    #[test]
    fn the_coupled_choice_is_the_entropy_nearest_to_the_retained_share(offers in offers(), (alpha, beta) in weights()) {
        let market = Market::new(alpha, beta, offers).unwrap();
        let node = Balance::solve(market.clone(), aiming("coupled")).unwrap().node();
        for (offer, &level) in market.offers().iter().zip(&node) {
            let (a, b) = market.exponents(offer);
            if a + b > 0.0 {
                let wanted = offer.entropy() * a / (a + b);
                let best = offer.entropies.iter().map(|entropy| (entropy - wanted).abs()).fold(f64::INFINITY, f64::min);
                prop_assert!((offer.entropies[level] - wanted).abs() <= best + 1e-6 * offer.entropy());
            } else {
                prop_assert_eq!(level, 0);
            }
        }
    }

    #[test]
    fn no_node_satisfies_more_than_the_most_satisfying(offers in offers(), (alpha, beta) in weights()) {
        let market = Market::new(alpha, beta, offers).unwrap();
        let node = Balance::solve(market.clone(), aiming("max-satisfaction")).unwrap().node();
        // First the exponents of the goods that vanish, then the product of the others.
        let rank = |offer: &Offer, level: usize| {
            let (a, b) = market.exponents(offer);
            let goods = offer.goods(level);
            let pairs = [(a, goods.utility), (b, goods.protection)].into_iter().filter(|(exponent, _)| *exponent > 0.0);
            let (gone, there): (Vec<_>, Vec<_>) = pairs.partition(|(_, good)| *good <= 0.0);
            let exponents: f64 = gone.iter().map(|(exponent, _)| exponent).sum();
            (exponents, there.iter().map(|(exponent, good)| exponent * good.ln()).sum::<f64>())
        };
        for (offer, &level) in market.offers().iter().zip(&node) {
            let best = rank(offer, level);
            for other in (0..offer.entropies.len()).map(|other| rank(offer, other)) {
                let is_better = other.0 < best.0 - 1e-6 || ((other.0 - best.0).abs() < 1e-9 && other.1 > best.1 + 1e-6);
                prop_assert!(!is_better, "{offer:?}: {other:?} beats {best:?}");
            }
        }
    }

    #[test]
    fn no_entropy_between_two_is_nearer_than_the_least(offers in offers(), (alpha, beta) in weights(), low in 0.0_f64..1.0, part in 0.0_f64..1.0) {
        let market = Market::new(alpha, beta, offers).unwrap();
        for preferences in preferences() {
            let balance = Balance::solve(market.clone(), preferences).unwrap();
            for (variable, offer) in market.offers().iter().enumerate() {
                for (level, &high) in offer.entropies.iter().enumerate() {
                    let low = low * high;
                    let least = balance.least_score(variable, level, low);
                    for shown in [low, low + part * (high - low), high] {
                        let score = balance.score_at(variable, level, shown.min(high));
                        prop_assert!(least.packed() <= score.packed(), "{} {}", preferences.target.card.name, preferences.distance.card.name);
                    }
                }
            }
        }
    }
}

fn one(entropies: &[f64], user: f64, intruder: f64) -> Offer {
    Offer::new("v", entropies.to_vec(), Points { user, intruder })
}

fn chosen(alpha: f64, beta: f64, offers: Vec<Offer>, target: &str) -> Vec<usize> {
    Balance::solve(Market::new(alpha, beta, offers).unwrap(), aiming(target)).unwrap().node()
}

const TARGETS: [&str; 3] = ["paper", "coupled", "max-satisfaction"];

#[test]
fn a_good_without_points_is_no_good() {
    for target in ["coupled", "max-satisfaction"] {
        let ladder = [2.0, 1.0, 0.0];
        let offers = vec![one(&ladder, 0.0, 60.0), one(&ladder, 100.0, 40.0)];
        let market = Market::new(0.5, 0.5, offers).unwrap();
        let balance = Balance::solve(market.clone(), aiming(target)).unwrap();
        assert_eq!(balance.node()[0], 2, "{target}: nobody wants to see the first");
        assert_eq!(market.offers()[0].price().utility, None);
        assert!(balance.optimum()[0].utility.abs() < f64::EPSILON && balance.optimum()[0].protection > 0.0);
    }
}

#[test]
fn what_nobody_wants_goes_where_the_policy_says() {
    let offers =
        || vec![one(&[2.0, 1.0, 0.0], 0.0, 0.0), one(&[2.0, 1.0, 0.0], 100.0, 100.0), one(&[0.0, 0.0, 0.0], 0.0, 0.0)];
    for target in TARGETS {
        for (unwanted, expected) in [(UnwantedLevel::AsCollected, [0, 1, 0]), (UnwantedLevel::Withheld, [2, 1, 2])] {
            let preferences = Preferences { unwanted, ..aiming(target) };
            let balance = Balance::solve(Market::new(0.5, 0.5, offers()).unwrap(), preferences).unwrap();
            assert_eq!(balance.node(), expected, "{target}");
        }
    }
}

#[test]
fn one_side_alone_takes_all() {
    for target in TARGETS {
        assert_eq!(chosen(0.0, 1.0, vec![one(&[2.0, 1.0, 0.0], 100.0, 100.0)], target), [2], "{target}");
        assert_eq!(chosen(3.0, 0.0, vec![one(&[2.0, 1.0, 0.0], 100.0, 100.0)], target), [0], "{target}");
    }
}

#[test]
fn a_table_without_entropy_stays_as_it_is() {
    for target in TARGETS {
        assert_eq!(chosen(0.5, 0.5, vec![one(&[0.0, 0.0, 0.0], 100.0, 100.0)], target), [0], "{target}");
    }
}

#[test]
fn a_variable_without_entropy_takes_its_share_of_one_budget_and_none_of_another() {
    let constant = one(&[0.0, 0.0], 50.0, 50.0);
    let other = one(&[2.0, 1.0, 0.0], 50.0, 50.0);
    let market = Market::new(0.5, 0.5, vec![constant, other]).unwrap();
    let optimum = closed_form(&market);
    // 0.5 · 50² · 2 / 100: a quarter of the income for each of the four goods, as published.
    for goods in optimum.into_iter().chain(rationed(&market).unwrap()) {
        assert!(near(goods.utility, 25.0) && near(goods.protection, 25.0), "{goods:?}");
    }
    let coupled = coupled(&market).unwrap();
    assert_eq!(coupled[0], Goods::default());
    assert!(near(coupled[1].utility, 50.0) && near(coupled[1].protection, 50.0));
    for target in TARGETS {
        assert_eq!(Balance::solve(market.clone(), aiming(target)).unwrap().node()[1], 1, "{target}");
    }
}

#[test]
fn two_levels_are_decided_by_the_greater_exponent() {
    let sex = |user: f64, intruder: f64| {
        let rest = Offer::new("rest", vec![1.0, 0.5, 0.0], Points { user: 100.0 - user, intruder: 100.0 - intruder });
        vec![Offer::new("sex", vec![1.0, 0.0], Points { user, intruder }), rest]
    };
    let choose =
        |alpha: f64, user: f64, intruder: f64| chosen(alpha, 1.0 - alpha, sex(user, intruder), "max-satisfaction")[0];
    assert_eq!([choose(0.5, 30.0, 20.0), choose(0.5, 20.0, 30.0), choose(0.6, 30.0, 40.0)], [0, 1, 0]);
    assert_eq!(choose(0.5, 30.0, 30.0), 1, "on a tie the variable is withheld");
}

#[test]
fn ties_go_to_satisfaction_and_then_to_the_more_general() {
    // Both levels are as far from 1 bit: 1.5 and 0.5. Their satisfaction is the same, so the more general one wins.
    assert_eq!(chosen(0.5, 0.5, vec![one(&[2.0, 1.5, 0.5, 0.0], 100.0, 100.0)], "coupled"), [2]);
    assert_eq!(chosen(0.5, 0.5, vec![one(&[2.0, 0.5, 1.5, 0.0], 100.0, 100.0)], "coupled"), [2]);
    // Wanted are 0.8 of 2 bits; 1 bit and 0.6 are as near. The product is greater at 0.6 of the two.
    let market = Market::new(0.4, 0.6, vec![one(&[2.0, 1.0, 0.6, 0.0], 100.0, 100.0)]).unwrap();
    let satisfaction = |level: usize| market.satisfaction(&[market.offers()[0].goods(level)]);
    let expected = if satisfaction(1) > satisfaction(2) { 1 } else { 2 };
    assert!((satisfaction(1) - satisfaction(2)).abs() > 1e-3);
    assert_eq!(Balance::solve(market, aiming("coupled")).unwrap().node(), [expected]);
}

#[test]
fn what_does_not_add_up_is_refused() {
    let refuse = |alpha: f64, beta: f64, offers: Vec<Offer>| Market::new(alpha, beta, offers).unwrap_err();
    let fine = || vec![one(&[1.0, 0.0], 100.0, 100.0)];
    assert_eq!(refuse(0.0, 0.0, fine()), BalanceError::NoPreference);
    for found in [-1.0, f64::INFINITY] {
        assert_eq!(refuse(found, 1.0, fine()), BalanceError::Weight { name: "alpha", found });
    }
    assert!(matches!(refuse(0.5, f64::NAN, fine()), BalanceError::Weight { name: "beta", .. }));
    assert_eq!(
        refuse(0.5, 0.5, vec![one(&[1.0, 0.0], 90.0, 100.0)]),
        BalanceError::Points { whose: "user", sum: 90.0 }
    );
    assert_eq!(
        refuse(0.5, 0.5, vec![one(&[1.0, 0.0], 100.0, 110.0)]),
        BalanceError::Points { whose: "intruder", sum: 110.0 }
    );
    assert!(matches!(refuse(0.5, 0.5, vec![one(&[1.0, 0.0], -1.0, 100.0)]), BalanceError::Point { whose: "user", .. }));
    assert!(matches!(refuse(0.5, 0.5, vec![one(&[1.0, 2.0], 100.0, 100.0)]), BalanceError::Entropy { .. }));
    assert!(matches!(refuse(0.5, 0.5, vec![one(&[], 100.0, 100.0)]), BalanceError::Entropy { .. }));
    assert!(matches!(refuse(0.5, 0.5, vec![]), BalanceError::Points { .. }));
}

#[test]
fn only_the_ratio_of_the_weights_counts() {
    let ladder = || vec![one(&[6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0], 60.0, 40.0), one(&[3.0, 1.5, 0.0], 40.0, 60.0)];
    let solved = |alpha: f64, beta: f64, preferences: Preferences| {
        let balance = Balance::solve(Market::new(alpha, beta, ladder()).unwrap(), preferences).unwrap();
        let market = balance.market();
        (market.alpha(), market.satisfaction(balance.optimum()), balance.node(), balance.optimum().to_vec())
    };
    for preferences in preferences() {
        let plain = solved(0.3, 0.7, preferences);
        for (alpha, beta) in [(3.0, 7.0), (30.0, 70.0), (3.0 * 2.0_f64.powi(1020), 7.0 * 2.0_f64.powi(1020))] {
            assert_eq!(solved(alpha, beta, preferences), plain, "{} {alpha}", preferences.distance.card.name);
        }
        let even = solved(0.5, 0.5, preferences);
        for weight in [f64::MAX, f64::MIN_POSITIVE, 5e-324] {
            assert_eq!(solved(weight, weight, preferences), even, "{weight:e}");
        }
    }
}
