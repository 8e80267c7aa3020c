//! The walk through its door: what it promises about columns, and what it refuses.

mod sums;

use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::random::Seed;
use equanym_core::utility::localities;
use equanym_core::walk::{
    ALL, ColumnFindings, ColumnScale, LastDigits, NumberWriting, Property, RecordPair, Relation, Segmentation, Sweeps,
    TermRecords, TieRule, WalkColumn, WalkDomain, WalkError, WalkSettings, WalkedColumns, locality, runs, walk,
};

fn column(values: &[i128]) -> WalkColumn {
    WalkColumn {
        name: "x".into(),
        values: values.iter().map(|value| Some(*value)).collect(),
        places: 0,
        scale: ColumnScale::Numbers,
        writing: NumberWriting::default(),
        bounds: None,
        interval: None,
    }
}

fn bounded(values: &[i128], low: i128, high: i128) -> WalkColumn {
    WalkColumn { bounds: Some((low, high)), ..column(values) }
}

fn new_values(walked: &WalkedColumns, column: usize) -> Vec<i128> {
    walked.columns[column].values.iter().flatten().copied().collect()
}

fn settings(sampler: &str) -> WalkSettings {
    WalkSettings { sampler: sampler.to_owned(), ..WalkSettings::default() }
}

/// Ages of 18 to 90, more of them in the middle: whole numbers with many ties.
fn ages(count: usize, seed: u64) -> Vec<i128> {
    let mut stream = Seed::from(seed).stream(0);
    (0..count).map(|_| (18 + stream.below(37) + stream.below(37)) as i128).collect()
}

/// Amounts with many digits.
fn amounts(count: usize, seed: u64) -> Vec<i128> {
    let mut stream = Seed::from(seed).stream(0);
    (0..count).map(|_| i128::from(stream.bits() >> 20)).collect()
}

/// All localities of the old values that the new ones break, and all there are.
fn broken(old: &[i128], new: &[i128]) -> (usize, usize) {
    let mut pairs: Vec<(i128, i128)> = old.iter().copied().zip(new.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let (old, new): (Vec<i128>, Vec<i128>) = pairs.into_iter().unzip();
    let (mut broken, mut all) = (0, 0);
    for middle in 0..old.len() {
        for left in 0..middle {
            for right in middle + 1..old.len() {
                let lead =
                    |values: &[i128]| (values[right] - values[middle]).abs() - (values[middle] - values[left]).abs();
                let (before, after) = (lead(&old), lead(&new));
                all += usize::from(before != 0);
                broken += usize::from(before.signum() * after.signum() < 0);
            }
        }
    }
    (broken, all)
}

#[test]
fn whole_ages_with_ties_do_move() {
    let old = ages(100, 1);
    let walked = walk(&[column(&old)], &[], &WalkSettings::default(), Seed::from(1)).unwrap();
    let new = new_values(&walked, 0);
    let findings = &walked.columns[0].findings;
    assert!(findings.unchanged < 0.5 && findings.mean_change > 0.005, "{findings:?}");
    assert_eq!((findings.segments, findings.frozen_segments, findings.unmixed_segments), (1, 0, 0));
    let shift = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    assert!(shift > 50, "{shift} of 100 moved");
}

#[test]
fn equal_values_stay_equal_and_order_is_kept() {
    for member in ALL {
        let old = ages(250, 2);
        let walked = walk(&[column(&old)], &[], &settings(member.card.name), Seed::from(2)).unwrap();
        let new = new_values(&walked, 0);
        // Segments of 100, 100 and 50 records.
        assert_eq!(walked.columns[0].findings.segments, 3);
        for (old, new) in [(&old[..100], &new[..100]), (&old[100..200], &new[100..200]), (&old[200..], &new[200..])] {
            for (one, other) in (0..old.len()).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let wanted = old[one].cmp(&old[other]);
                let found = new[one].cmp(&new[other]);
                assert!(found == wanted || found.is_eq() && wanted.is_ne(), "{}", member.card.name);
            }
        }
    }
}

#[test]
fn records_come_back_in_their_order() {
    // With all localities the new values are nearly an affine image of the old ones, record by record.
    let old = amounts(60, 3);
    let walked = walk(&[column(&old)], &[], &WalkSettings::default(), Seed::from(3)).unwrap();
    let new = new_values(&walked, 0);
    let mean = |values: &[i128]| values.iter().map(|value| *value as f64).sum::<f64>() / values.len() as f64;
    let (old_mean, new_mean) = (mean(&old), mean(&new));
    let moment = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        old.iter().zip(&new).map(|(old, new)| f(*old as f64 - old_mean, *new as f64 - new_mean)).sum()
    };
    let correlation =
        moment(&|old, new| old * new) / (moment(&|old, _| old * old) * moment(&|_, new| new * new)).sqrt();
    assert!(correlation > 0.9999, "{correlation}");
    assert_eq!(broken(&old, &new).0, 0);
}

#[test]
fn missing_values_stay_missing() {
    let cells = ["5", "", "7", "12", "", "30"];
    let walked =
        walk(&[WalkColumn::parse("x", cells, None).unwrap()], &[], &WalkSettings::default(), Seed::from(3)).unwrap();
    let missing: Vec<bool> = walked.columns[0].values.iter().map(Option::is_none).collect();
    assert_eq!(missing, [false, true, false, false, true, false]);
}

#[test]
fn every_kept_locality_holds_before_rounding_and_rounding_is_counted() {
    for (theta, seed) in [(1.0, 4), (0.3, 5), (0.0, 6)] {
        let old = amounts(80, seed);
        let asked = WalkSettings { theta, ..WalkSettings::default() };
        let walked = walk(&[column(&old)], &[], &asked, Seed::from(seed)).unwrap();
        let findings: &ColumnFindings = &walked.columns[0].findings;
        assert_eq!(findings.broken, 0, "amounts of many digits: rounding breaks nothing");
        let (broken, all) = broken(&old, &new_values(&walked, 0));
        assert_eq!(all as u64, findings.localities);
        assert_eq!(broken == 0, theta >= 1.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let share = (theta * findings.extracted as f64).round() as u64;
        assert_eq!(findings.kept, share);
    }
    // Ages: rounding breaks some, and what is counted is what is broken among the kept ones.
    let old = ages(100, 7);
    let walked = walk(&[column(&old)], &[], &WalkSettings::default(), Seed::from(7)).unwrap();
    let (broken, all) = broken(&old, &new_values(&walked, 0));
    let findings = &walked.columns[0].findings;
    assert_eq!(all as u64, findings.localities);
    assert!(broken > 0 && broken < all / 50, "{broken} of {all}");
    assert!(findings.broken > 0 && findings.broken < findings.kept / 5, "{findings:?}");
}

#[test]
fn reversed_localities_are_counted_by_their_definition() {
    let mut stream = Seed::from(36).stream(0);
    let (mut with_order, mut without) = (0, 0);
    for seed in 0..3000 {
        let count = 5 + stream.below(16);
        let old: Vec<i128> = (0..count).map(|_| i128::from(stream.bits() >> 57)).collect();
        let (order, theta) = (seed % 2 == 0, [1.0, 0.4][stream.below(2)]);
        let sampler = ALL[stream.below(ALL.len())].card.name;
        let asked = WalkSettings {
            order,
            theta,
            sweeps: Sweeps::Fixed(20),
            segment: 3 + stream.below(15),
            ..settings(sampler)
        };
        let walked = walk(&[column(&old)], &[], &asked, Seed::from(seed)).unwrap();
        let (new, findings) = (new_values(&walked, 0), &walked.columns[0].findings);
        let pieces = runs(count, asked.segment).map(|run| broken(&old[run.clone()], &new[run]));
        let defined = pieces.fold((0, 0), |sum, one| (sum.0 + one.0 as u64, sum.1 + one.1 as u64));
        assert_eq!((findings.reversed, findings.localities), defined, "{asked:?}");
        let floats = |values: &[i128]| values.iter().map(|value| *value as f64).collect::<Vec<f64>>();
        let compared = localities::compare(&floats(&old), &floats(&new), asked.segment, asked.segments);
        assert_eq!((compared.broken, compared.all), defined, "{asked:?}");
        *if order { &mut with_order } else { &mut without } += defined.0;
    }
    assert!(without > 2 * with_order && with_order > 0, "{without} without order, {with_order} with it");
}

#[test]
fn without_order_all_relations_may_be_kept_and_localities_be_reversed() {
    // The kept relations hold to the last one; what they do not imply is counted.
    let old = amounts(30, 36);
    let found = |order: bool| {
        let asked = WalkSettings { order, ..settings("hit-and-run") };
        let asked = WalkSettings { sweeps: Sweeps::Fixed(20_000), segment: 10, ..asked };
        walk(&[column(&old)], &[], &asked, Seed::from(5)).unwrap().columns.remove(0).findings
    };
    let [with, without] = [true, false].map(found);
    assert_eq!((with.broken, with.reversed, without.broken, without.kept), (0, 0, 0, without.extracted));
    assert!(without.reversed > 0, "{without:?}");
}

#[test]
fn exact_integers_break_nothing() {
    for member in ALL {
        for theta in [1.0, 0.2] {
            let old = ages(100, 8);
            let asked = WalkSettings { integer: LastDigits::Exact, theta, ..settings(member.card.name) };
            let walked = walk(&[bounded(&old, 0, 120)], &[], &asked, Seed::from(8)).unwrap();
            let findings = &walked.columns[0].findings;
            assert_eq!((findings.broken, findings.merged), (0, 0), "{}", member.card.name);
            assert!(findings.unchanged < 0.9, "{} {theta}: {}", member.card.name, findings.unchanged);
            let new = new_values(&walked, 0);
            assert!(new.iter().all(|value| (0..=120).contains(value)));
            if theta >= 1.0 {
                assert_eq!(broken(&old, &new).0, 0);
            }
        }
    }
}

#[test]
fn the_published_walk_is_found_frozen() {
    let old = ages(300, 9);
    let walked = walk(&[column(&old)], &[], &settings("paper"), Seed::from(9)).unwrap();
    let findings = &walked.columns[0].findings;
    assert_eq!(findings.frozen_segments, 3);
    assert!(findings.unchanged > 0.9 && findings.is_frozen(), "{findings:?}");
    assert_eq!(findings.steps, 3 * 4000);
    assert_eq!(walked.frozen().collect::<Vec<_>>(), ["x"]);
    let walked = walk(&[column(&old)], &[], &WalkSettings::default(), Seed::from(9)).unwrap();
    assert_eq!(walked.frozen().count(), 0);
    // Amounts of many digits never come out as they were; their change gives the frozen walk away.
    let walked = walk(&[column(&amounts(100, 9))], &[], &settings("paper"), Seed::from(9)).unwrap();
    assert!(walked.columns[0].findings.unchanged < 0.1 && walked.columns[0].findings.is_frozen());
}

#[test]
fn the_published_walk_is_pinned() {
    let values = [7_i128, 19, 23, 48, 61, 95, 140, 177, 233, 301, 388, 512].map(|value| value * 1000);
    let new = |theta: f64, order: bool| {
        let asked = WalkSettings { theta, order, segment: 12, sweeps: Sweeps::Fixed(4000), ..settings("paper") };
        new_values(&walk(&[column(&values)], &[], &asked, Seed::from(2011)).unwrap(), 0)
    };
    let pinned: [[i128; 12]; 3] = [
        [-13414, 3364, 8336, 30087, 49562, 83143, 128_881, 171_968, 233_992, 312_283, 411_450, 552_165],
        [-29694, -13771, 2151, 15685, 23391, 70556, 107_781, 161_966, 226_083, 321_738, 422_704, 551_409],
        [-40758, -18388, -21789, 1709, 13528, 55761, 107_413, 149_200, 224_956, 311_801, 433_223, 554_646],
    ];
    assert_eq!([new(1.0, true), new(0.5, true), new(0.5, false)], pinned);
}

#[test]
fn threads_change_nothing() {
    let columns = [column(&ages(700, 10)), column(&amounts(700, 11))];
    let properties = [Property::sum(0, TermRecords::Listed(vec![1, 350, 600]), Relation::AtMost, None)];
    for member in ALL {
        let asked = WalkSettings { segment: 50, sweeps: Sweeps::Fixed(20), theta: 0.3, ..settings(member.card.name) };
        let at = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| walk(&columns, &properties, &asked, Seed::from(12)).unwrap())
        };
        let one = at(1);
        assert_eq!(one, at(2));
        assert_eq!(one, at(5));
        assert_ne!(one, walk(&columns, &properties, &asked, Seed::from(13)).unwrap());
    }
}

#[test]
fn a_walk_of_moved_and_stretched_data_is_moved_and_stretched() {
    let old = amounts(50, 14);
    let (shift, factor) = (-123_456_789, 1 << 7);
    let mapped: Vec<i128> = old.iter().map(|value| shift + factor * value).collect();
    for member in ALL {
        let asked = WalkSettings { sweeps: Sweeps::Fixed(50), ..settings(member.card.name) };
        let plain = new_values(&walk(&[column(&old)], &[], &asked, Seed::from(15)).unwrap(), 0);
        let other = new_values(&walk(&[column(&mapped)], &[], &asked, Seed::from(15)).unwrap(), 0);
        // Both are rounded to their own units: half a unit of the plain one is half the factor here.
        for (plain, other) in plain.iter().zip(&other) {
            assert!((shift + factor * plain - other).abs() <= factor / 2 + 1, "{}", member.card.name);
        }
    }
}

#[test]
fn without_localities_the_order_of_uniform_draws_is_left() {
    // Theta = 0: sorted uniform draws. The k-th of n has the mean k / (n + 1), here over 400 segments of 9 values.
    let old: Vec<i128> = (0..3600).map(|record| (record * 7 % 9) * 1000 + 500).collect();
    let asked = WalkSettings { theta: 0.0, segment: 9, ..WalkSettings::default() };
    let walked = walk(&[bounded(&old, 0, 1_000_000)], &[], &asked, Seed::from(16)).unwrap();
    let new = new_values(&walked, 0);
    for rank in 0..9_i32 {
        let place = (0..9).find(|place| old[*place] == i128::from(rank) * 1000 + 500).unwrap();
        let draws: Vec<f64> = new.iter().skip(place).step_by(9).map(|value| *value as f64 / 1e6).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let wanted = f64::from(rank + 1) / 10.0;
        // Beta(k, n + 1 - k) has the variance k (n + 1 - k) / ((n + 1)² (n + 2)); four standard errors.
        let error = (wanted * (1.0 - wanted) / 11.0 / draws.len() as f64).sqrt();
        assert!((mean - wanted).abs() < 4.0 * error, "rank {rank}: {mean}");
    }
}

#[test]
fn one_unknown_has_the_law_of_its_sampler() {
    // Segments of equal values: one unknown each on [0, 1], no locality. Uniform: variance 1/12; one-sided: 1/8, the arcsine law.
    let old: Vec<i128> = (0..60_000).map(|record| 300_000 + record / 3 % 7 * 50_000).collect();
    let variance = |sampler: &str, sweeps: u32| {
        let asked = WalkSettings { segment: 3, sweeps: Sweeps::Fixed(sweeps), ..settings(sampler) };
        let walked = walk(&[bounded(&old, 0, 1_000_000)], &[], &asked, Seed::from(17)).unwrap();
        let draws: Vec<f64> = new_values(&walked, 0).iter().step_by(3).map(|value| *value as f64 / 1e6).collect();
        assert_eq!(draws.len(), 20_000);
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64
    };
    for sampler in ["mixing", "hit-and-run", "coordinate"] {
        assert!((variance(sampler, 8) * 12.0 - 1.0).abs() < 0.05, "{sampler}");
    }
    assert!((variance("paper", 80) * 8.0 - 1.0).abs() < 0.05);
}

#[test]
fn decimals_have_the_rows_of_their_units() {
    let tenths: Vec<String> = ages(60, 18).iter().map(|age| format!("{}.{}", age / 10, age % 10)).collect();
    let decimals = WalkColumn::parse("x", tenths.iter().map(String::as_str), None).unwrap();
    let whole = column(&ages(60, 18));
    let walk_one = |column: &WalkColumn| {
        walk(std::slice::from_ref(column), &[], &WalkSettings::default(), Seed::from(18)).unwrap()
    };
    assert_eq!(decimals.values, whole.values);
    assert_eq!(new_values(&walk_one(&decimals), 0), new_values(&walk_one(&whole), 0));
}

#[test]
fn equal_distances_can_be_kept_equal() {
    let old: Vec<i128> = [0, 10, 20, 50, 80, 81, 300].iter().map(|value| value * 1_000_000_000).collect();
    let asked = WalkSettings { ties: TieRule::Equal, ..WalkSettings::default() };
    for member in ALL.iter().filter(|member| member.is_uniform()) {
        let asked = WalkSettings { sampler: member.card.name.to_owned(), ..asked.clone() };
        let walked = walk(&[column(&old)], &[], &asked, Seed::from(19)).unwrap();
        let new = new_values(&walked, 0);
        assert!(walked.columns[0].findings.unchanged < 0.2, "{}", member.card.name);
        for [left, middle, right] in locality::ties(&old) {
            let [left, middle, right] = [left, middle, right].map(|place| new[usize::from(place)]);
            // Rounding to whole numbers leaves up to two units.
            assert!((left + right - 2 * middle).abs() <= 2, "{}", member.card.name);
        }
        assert_eq!(broken(&old, &new).0, 0);
    }
    // Equally spaced values have nothing left but affine maps.
    let even: Vec<i128> = (0..30).map(|value| value * 1_000_000).collect();
    let new = new_values(&walk(&[column(&even)], &[], &asked, Seed::from(20)).unwrap(), 0);
    let step = new[1] - new[0];
    assert!(new.windows(2).all(|pair| (pair[1] - pair[0] - step).abs() <= 3) && step != 1_000_000);
}

#[test]
fn properties_of_the_policy_are_kept() {
    let one = amounts(120, 21);
    let two: Vec<i128> = one.iter().zip(amounts(120, 22)).map(|(one, more)| one + more).collect();
    let number = |value: i128| Decimal::new(value, 0).unwrap();
    let mut order: Vec<usize> = (1..=120).collect();
    order.sort_unstable_by_key(|record| one[record - 1]);
    let (small, large) = (order[20], order[90]);
    let ratio = Decimal::new(one[large - 1] * 1000 / one[small - 1] + 1, 3).unwrap();
    let pair = RecordPair { column: 0, record: large, other: small };
    let mut properties = vec![
        Property::columns(0, 1),
        Property::sum(0, TermRecords::All, Relation::AtMost, Some(number(one.iter().sum::<i128>() * 21 / 20))),
        Property::sum(1, TermRecords::Listed(vec![3, 77, 110]), Relation::Equal, None),
        Property::difference(pair, Relation::AtLeast, Some(number((one[large - 1] - one[small - 1]) / 2))),
        Property::ratio(pair, Relation::AtMost, ratio),
    ];
    properties.extend(Property::increasing(0, &[order[3], order[50], order[100]]));
    let columns = [column(&one), column(&two)];
    for member in ALL.iter().filter(|member| member.is_uniform()) {
        let asked = WalkSettings { segment: 60, theta: 0.2, sweeps: Sweeps::Fixed(100), ..settings(member.card.name) };
        let walked = walk(&columns, &properties, &asked, Seed::from(23)).unwrap();
        let (first, second) = (new_values(&walked, 0), new_values(&walked, 1));
        assert_eq!(walked.findings.properties, 120 + 4 + 2);
        // The equation is rounded off; everything else has room.
        assert!(walked.findings.properties_broken <= 1, "{}", member.card.name);
        assert!(first.iter().zip(&second).all(|(first, second)| first <= second));
        let kept = |values: &[i128]| [3, 77, 110].map(|record: usize| values[record - 1]).iter().sum::<i128>();
        assert!((kept(&second) - kept(&two)).abs() <= 2, "{}", member.card.name);
        assert!(second.iter().zip(&two).any(|(new, old)| new != old));
        let moved = walked.columns.iter().map(|column| column.findings.mean_change).fold(1.0, f64::min);
        assert!(member.card.name != "mixing" || moved > 0.001, "{moved}");
    }
}

#[test]
fn in_value_order_the_column_keeps_its_order() {
    let old = amounts(500, 24);
    let asked = WalkSettings { segments: Segmentation::ValueOrder, segment: 40, ..WalkSettings::default() };
    let walked = walk(&[column(&old)], &[], &asked, Seed::from(24)).unwrap();
    let new = new_values(&walked, 0);
    let mut pairs: Vec<(i128, i128)> = old.into_iter().zip(new).collect();
    pairs.sort_unstable();
    assert!(pairs.windows(2).all(|pair| pair[0].1 <= pair[1].1));
    assert!(pairs.iter().filter(|(old, new)| old == new).count() < 5);
}

#[test]
fn domains_bound_the_values() {
    let old = ages(200, 25);
    let within = |asked: &WalkSettings, column: WalkColumn, low: i128, high: i128| {
        let new = new_values(&walk(&[column], &[], asked, Seed::from(25)).unwrap(), 0);
        assert!(new.iter().all(|value| (low..=high).contains(value)));
        new
    };
    let (low, high) = (*old.iter().min().unwrap(), *old.iter().max().unwrap());
    within(&WalkSettings { domain: WalkDomain::Column, ..WalkSettings::default() }, column(&old), low, high);
    within(
        &WalkSettings { domain: WalkDomain::Segment { margin: 0.0 }, ..WalkSettings::default() },
        column(&old),
        low,
        high,
    );
    // A wide domain is filled: (n - 1) / (n + 1) of it on average.
    let new = within(&WalkSettings::default(), bounded(&old, 0, 10_000), 0, 10_000);
    assert!(new.iter().max().unwrap() - new.iter().min().unwrap() > 8000);
}

#[test]
fn what_cannot_be_walked_is_refused_with_the_reason() {
    let refuse = |columns: &[WalkColumn], asked: &WalkSettings| walk(columns, &[], asked, Seed::from(0)).unwrap_err();
    let fine = column(&[1, 2, 4]);
    let few = WalkError::TooFewValues { column: "x".into(), distinct: 2 };
    assert_eq!(refuse(&[column(&[1, 2, 2, 1])], &WalkSettings::default()), few);
    let outside = WalkError::OutsideDomain { column: "x".into(), count: 2, first: 2 };
    assert_eq!(refuse(&[bounded(&[5, 11, -1, 7], 0, 10)], &WalkSettings::default()), outside);
    assert_eq!(
        refuse(&[bounded(&[5, 5, 5], 5, 5)], &WalkSettings::default()),
        WalkError::EmptyDomain { column: "x".into() }
    );
    let lengths = WalkError::UnequalLengths { column: "x".into(), found: 4, expected: 3 };
    assert_eq!(refuse(&[fine.clone(), column(&[1, 2, 3, 4])], &WalkSettings::default()), lengths);
    for theta in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let error = refuse(std::slice::from_ref(&fine), &WalkSettings { theta, ..WalkSettings::default() });
        assert_eq!(error.to_string(), "theta must be a number from 0 to 1");
    }
    for margin in [-0.1, f64::NAN, f64::INFINITY] {
        let asked = WalkSettings { domain: WalkDomain::Segment { margin }, ..WalkSettings::default() };
        assert!(matches!(refuse(std::slice::from_ref(&fine), &asked), WalkError::BadSetting { setting: "margin", .. }));
    }
    for segment in [0, 2, 1_000_000] {
        let asked = WalkSettings { segment, ..WalkSettings::default() };
        assert!(matches!(
            refuse(std::slice::from_ref(&fine), &asked),
            WalkError::BadSetting { setting: "segment", .. }
        ));
    }
    let error = refuse(std::slice::from_ref(&fine), &settings("stroll"));
    assert_eq!(error.to_string(), "walk must be one of: mixing, hit-and-run, coordinate, paper");
    let asked = WalkSettings { sweeps: Sweeps::Fixed(0), ..WalkSettings::default() };
    assert!(matches!(refuse(&[fine], &asked), WalkError::BadSetting { setting: "sweeps", .. }));
}

#[test]
fn nothing_to_walk_is_no_error() {
    let walked = walk(&[], &[], &WalkSettings::default(), Seed::from(0)).unwrap();
    assert!(walked.columns.is_empty());
}

#[test]
fn segments_of_one_value_stay_unless_the_domain_has_room() {
    let old: Vec<i128> = (0..30).map(|record| record / 3 * 1000).collect();
    let asked = WalkSettings { segment: 3, ..WalkSettings::default() };
    let walked = walk(&[column(&old)], &[], &asked, Seed::from(26)).unwrap();
    assert_eq!(new_values(&walked, 0), old);
    assert_eq!(walked.columns[0].findings.frozen_segments, 10);
    let asked = WalkSettings { domain: WalkDomain::Column, ..asked };
    let walked = walk(&[column(&old)], &[], &asked, Seed::from(26)).unwrap();
    assert!(walked.columns[0].findings.frozen_segments < 2);
}
