//! The general solver on random problems: the Karush-Kuhn-Tucker certificate, and the closed form where there is one.

use equanym_core::balance::{Demand, SpendingError, spend};
use proptest::prelude::*;

/// What the conditions of optimality leave, as shares of the income: 0 for an optimum.
pub fn violation(demands: &[Demand], spent: &[f64], income: f64) -> f64 {
    let tight = 1e-9 * income;
    let total = (spent.iter().sum::<f64>() - income).abs() / income;
    let outside =
        demands.iter().zip(spent).map(|(demand, &e)| (demand.least - e).max(e - demand.most).max(0.0) / income);
    // λ lies between the slopes of what could be more and of what could be less.
    let slope = |demand: &Demand, e: f64| if demand.weight > 0.0 { demand.weight / e.max(1e-300) } else { 0.0 };
    let could_grow = demands.iter().zip(spent).filter(|(demand, e)| **e < demand.most - tight);
    let could_shrink = demands.iter().zip(spent).filter(|(demand, e)| **e > demand.least + tight);
    let gain = could_grow.map(|(demand, &e)| slope(demand, e)).fold(0.0, f64::max);
    let loss = could_shrink.map(|(demand, &e)| slope(demand, e)).fold(f64::INFINITY, f64::min);
    let profit = if loss.is_finite() { ((gain - loss) / loss.max(1e-300)).max(0.0) } else { 0.0 };
    outside.fold(total.max(profit), f64::max)
}

fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 6 => 0.001_f64..2.0]
}

/// Bounds that are absent, bind, or are equal.
fn demand() -> impl Strategy<Value = Demand> {
    let least = prop_oneof![3 => Just(0.0), 3 => 0.0_f64..1.0];
    let room = prop_oneof![3 => Just(f64::INFINITY), 3 => 0.0_f64..2.0, 1 => Just(0.0)];
    (weight(), least, room).prop_map(|(weight, least, room)| Demand { weight, least, most: least + room })
}

fn sums(demands: &[Demand]) -> (f64, f64) {
    (demands.iter().map(|one| one.least).sum(), demands.iter().map(|one| one.most).sum())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_solution_carries_its_certificate(demands in prop::collection::vec(demand(), 1..24), place in 0.0_f64..1.0) {
        let (least, most) = sums(&demands);
        let income = least + place * (most.min(least + 10.0) - least);
        prop_assume!(income > 1e-6);
        let spent = spend(&demands, income).unwrap();
        prop_assert!(violation(&demands, &spent, income) < 1e-7, "{demands:?} {income} {spent:?}");
    }

    #[test]
    fn without_bounds_spending_is_in_proportion_to_weights(weights in prop::collection::vec(weight(), 1..24), income in 0.01_f64..100.0) {
        let total: f64 = weights.iter().sum();
        prop_assume!(total > 0.0);
        let demands: Vec<Demand> = weights.iter().map(|&weight| Demand { weight, least: 0.0, most: f64::INFINITY }).collect();
        for (spent, weight) in spend(&demands, income).unwrap().iter().zip(&weights) {
            prop_assert!((spent - weight * income / total).abs() < 1e-9 * income);
        }
    }

    #[test]
    fn lower_bounds_alone_agree_with_pinning(demands in prop::collection::vec(demand(), 1..24), more in 0.0_f64..3.0) {
        let demands: Vec<Demand> = demands.into_iter().map(|one| Demand { weight: one.weight.max(0.01), most: f64::INFINITY, ..one }).collect();
        let income = sums(&demands).0 + more;
        prop_assume!(income > 1e-6);
        let spent = spend(&demands, income).unwrap();
        for (one, other) in spent.iter().zip(pinned(&demands, income)) {
            prop_assert!((one - other).abs() < 1e-9 * income, "{demands:?}");
        }
    }

    #[test]
    fn what_cannot_be_spent_is_refused_with_the_sum(demands in prop::collection::vec(demand(), 1..12), off in 0.01_f64..1.0) {
        let (least, most) = sums(&demands);
        if least > 0.0 {
            prop_assert_eq!(spend(&demands, least * (1.0 - off)), Err(SpendingError::Deficit(least)));
        }
        if most.is_finite() {
            prop_assert_eq!(spend(&demands, most * (1.0 + off) + off), Err(SpendingError::Surplus(most)));
        }
    }
}

/// The other algorithm: pin the goods that want less than their bound, until none does.
fn pinned(demands: &[Demand], income: f64) -> Vec<f64> {
    let mut is_pinned = vec![false; demands.len()];
    loop {
        let spent: f64 = demands.iter().zip(&is_pinned).filter(|(_, pinned)| **pinned).map(|(one, _)| one.least).sum();
        let weight: f64 =
            demands.iter().zip(&is_pinned).filter(|(_, pinned)| !**pinned).map(|(one, _)| one.weight).sum();
        let tau = if weight > 0.0 { (income - spent) / weight } else { 0.0 };
        let low = demands.iter().zip(&is_pinned).position(|(one, pinned)| !pinned && one.least > one.weight * tau);
        match low {
            Some(place) => is_pinned[place] = true,
            None => return demands.iter().map(|one| one.least.max(one.weight * tau)).collect(),
        }
    }
}

#[test]
fn goods_of_no_weight_take_only_what_nobody_else_can() {
    let demand = |weight: f64, least: f64, most: f64| Demand { weight, least, most };
    assert_eq!(spend(&[demand(1.0, 0.0, 5.0), demand(0.0, 1.0, 9.0)], 4.0), Ok(vec![3.0, 1.0]));
    assert_eq!(spend(&[demand(1.0, 0.0, 2.0), demand(0.0, 1.0, 9.0)], 6.0), Ok(vec![2.0, 4.0]));
    let rooms = [demand(1.0, 0.0, 2.0), demand(0.0, 0.0, 1.0), demand(0.0, 0.0, 3.0)];
    assert_eq!(spend(&rooms, 4.0), Ok(vec![2.0, 0.5, 1.5]));
    let endless = [demand(0.0, 0.0, 1.0), demand(0.0, 0.0, f64::INFINITY), demand(0.0, 1.0, f64::INFINITY)];
    assert_eq!(spend(&endless, 4.0), Ok(vec![0.0, 1.5, 2.5]));
    assert_eq!(spend(&[demand(1.0, 2.0, 1.0)], 2.0), Err(SpendingError::Crossed(0)));
    assert_eq!(spend(&[], 1.0), Err(SpendingError::Surplus(0.0)));
    // Bounds that a level defines spend the income exactly, up to rounding.
    assert!(spend(&[demand(1.0, 0.1 + 0.2, 1.0)], 0.3).is_ok());
}
