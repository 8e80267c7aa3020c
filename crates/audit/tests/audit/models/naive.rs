//! The models by their definitions, as plainly as they can be written.

#![allow(clippy::float_cmp, reason = "thresholds that are met exactly are the point")]

use std::collections::BTreeMap;

use serde_json::Value;

use super::table::{Table, meet};

type Counts = BTreeMap<usize, u64>;

/// Whether every released class keeps a claim, and whether some class meets its threshold exactly.
pub fn holds(claim: &Value, table: &Table) -> (bool, bool) {
    let whole = table.whole();
    let verdicts: Vec<(bool, bool)> =
        table.classes().iter().map(|(size, counts)| keeps(claim, *size, counts, &whole)).collect();
    (verdicts.iter().all(|(kept, _)| *kept), verdicts.iter().any(|(_, equal)| *equal))
}

fn keeps(claim: &Value, size: u64, counts: &Counts, whole: &Counts) -> (bool, bool) {
    let number = |key: &str| claim[key].as_f64().unwrap();
    let hundredths = |key: &str| whole_number(number(key) * 100.0);
    let total = |counts: &Counts| i128::from(counts.values().sum::<u64>());
    let (n, all) = (total(counts), total(whole));
    let here = |value: &usize| i128::from(counts.get(value).copied().unwrap_or(0));
    let there = |value: &usize| i128::from(whole[value]);
    match claim["model"].as_str().unwrap() {
        "k-anonymity" => (size as f64 >= number("k"), size as f64 == number("k")),
        "l-diversity" => diversity(claim, counts),
        "t-closeness" => {
            let (cost, span) = distance(claim["distance"].as_str().unwrap_or("equal"), counts, whole);
            let (left, right) = (cost * 100, hundredths("t") * span * n * all);
            (left <= right, left == right)
        }
        "beta-likeness" => {
            let basic = |value: &usize| (here(value) * all * 100, (100 + hundredths("beta")) * there(value) * n);
            let expected = |value: &usize| {
                let (p, q) = (here(value) as f64 / n as f64, there(value) as f64 / all as f64);
                p <= q * (1.0 - q.ln()) + 1e-12
            };
            let is_enhanced = claim["kind"] == "enhanced";
            let kept = |value: &usize| basic(value).0 <= basic(value).1 && (!is_enhanced || expected(value));
            (whole.keys().all(kept), whole.keys().any(|value| basic(value).0 == basic(value).1))
        }
        "delta-disclosure" => {
            let log = |value: &usize| ((here(value) * all) as f64 / (there(value) * n) as f64).log2().abs();
            let is_looked_at = |value: &&usize| here(value) > 0 || claim["absent"] != "ignored";
            let kept = whole.keys().filter(is_looked_at).all(|value| log(value) < number("delta"));
            (kept, whole.keys().any(|value| log(value) == number("delta")))
        }
        "alpha-k" => {
            let most = i128::from(*counts.values().max().unwrap());
            let (left, right) = (most * 100, hundredths("alpha") * n);
            (size as f64 >= number("k") && left <= right, left == right)
        }
        other => panic!("{other}"),
    }
}

fn diversity(claim: &Value, counts: &Counts) -> (bool, bool) {
    let l = claim["l"].as_f64().unwrap();
    let mut falling: Vec<u64> = counts.values().copied().collect();
    falling.sort_unstable_by(|one, other| other.cmp(one));
    let n: u64 = falling.iter().sum();
    match claim["kind"].as_str().unwrap_or("distinct") {
        "distinct" => (falling.len() as f64 >= l, falling.len() as f64 == l),
        "recursive" => {
            let from = usize::try_from(whole_number(l)).unwrap() - 1;
            let rest: u64 = falling.iter().skip(from).sum();
            let (first, bound) = (falling[0] as f64, claim["c"].as_f64().unwrap() * rest as f64);
            (first < bound, first == bound)
        }
        _ => {
            let is_grassberger = claim["estimator"] == "grassberger";
            let log = |count: u64| if is_grassberger { grassberger(count) } else { (count as f64).ln() };
            let told: f64 = falling.iter().map(|count| *count as f64 / n as f64 * log(*count)).sum();
            let short = l.log2() - (log(n) - told) / std::f64::consts::LN_2;
            (short <= 1e-9, short.abs() <= 1e-9)
        }
    }
}

/// G, pair by pair.
fn grassberger(count: u64) -> f64 {
    let pairs: f64 = (1..=count / 2).map(|pair| 2.0 / (2.0 * pair as f64 - 1.0)).sum();
    pairs - 0.577_215_664_901_532_9 - std::f64::consts::LN_2
}

/// What moving a class into the whole costs at least, times both sizes, and the cost from end to end.
fn distance(name: &str, counts: &Counts, whole: &Counts) -> (i128, i128) {
    let values: Vec<usize> = whole.keys().copied().collect();
    let (n, all) = (counts.values().sum::<u64>(), whole.values().sum::<u64>());
    let have: Vec<i128> = values.iter().map(|value| i128::from(counts.get(value).unwrap_or(&0) * all)).collect();
    let want: Vec<i128> = values.iter().map(|value| i128::from(whole[value] * n)).collect();
    let steps = |one: usize, other: usize| i128::try_from(one.abs_diff(other)).unwrap();
    let cost = |one: usize, other: usize| match name {
        "equal" => i128::from(one != other),
        "ordered" => steps(one, other),
        _ => meet(values[one], values[other]),
    };
    let span = match name {
        "equal" => 1,
        "ordered" => i128::try_from(values.len().max(2) - 1).unwrap(),
        _ => 3,
    };
    (transport(have, want, cost), span)
}

/// The least cost of moving what there is to where it is wanted: on, along the cheapest way that is left, some of which
/// may take back what was moved before.
fn transport(mut have: Vec<i128>, mut want: Vec<i128>, cost: impl Fn(usize, usize) -> i128) -> i128 {
    let count = have.len();
    let mut moved = vec![vec![0_i128; count]; count];
    let mut sum = 0;
    while have.iter().any(|rest| *rest > 0) {
        // Bellman and Ford: nodes are those who have, then those who want.
        let mut far = vec![None::<(i128, Option<usize>)>; 2 * count];
        for (node, rest) in have.iter().enumerate() {
            far[node] = (*rest > 0).then_some((0, None));
        }
        for _ in 0..2 * count {
            for one in 0..count {
                for other in 0..count {
                    if let Some((so_far, _)) = far[one]
                        && far[count + other].is_none_or(|(known, _)| so_far + cost(one, other) < known)
                    {
                        far[count + other] = Some((so_far + cost(one, other), Some(one)));
                    }
                    if moved[one][other] > 0
                        && let Some((so_far, _)) = far[count + other]
                        && far[one].is_none_or(|(known, _)| so_far - cost(one, other) < known)
                    {
                        far[one] = Some((so_far - cost(one, other), Some(count + other)));
                    }
                }
            }
        }
        let end =
            (0..count).filter(|other| want[*other] > 0).min_by_key(|other| far[count + *other].unwrap().0).unwrap();
        let mut way = vec![count + end];
        while let Some((_, Some(before))) = far[*way.last().unwrap()] {
            way.push(before);
        }
        way.reverse();
        let back = way.windows(2).filter(|step| step[0] >= count).map(|step| moved[step[1]][step[0] - count]);
        let amount = back.chain([have[way[0]], want[end]]).min().unwrap();
        for step in way.windows(2) {
            if step[0] < count {
                moved[step[0]][step[1] - count] += amount;
            } else {
                moved[step[1]][step[0] - count] -= amount;
            }
        }
        sum += amount * far[count + end].unwrap().0;
        have[way[0]] -= amount;
        want[end] -= amount;
    }
    sum
}

fn whole_number(number: f64) -> i128 {
    format!("{number:.0}").parse().unwrap()
}
