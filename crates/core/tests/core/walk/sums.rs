//! Walks that keep sums: totals of columns and of groups, to the last digit.

use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::random::Seed;
use equanym_core::walk::{
    ALL, LastDigits, Property, RecordGroups, Relation, Sweeps, Term, TermRecords, WalkColumn, WalkError, WalkSettings,
    walk,
};

use super::{ages, amounts, bounded, column, new_values, settings};

/// Groups of records, dealt in turn by a stride.
fn groups(records: usize, count: usize, stride: usize) -> RecordGroups {
    RecordGroups((0..records).map(|record| u32::try_from(record * stride / 7 % count).ok()).collect())
}

/// The total of each group.
fn totals(values: &[i128], groups: &RecordGroups) -> Vec<i128> {
    let mut sums = vec![0; groups.0.iter().flatten().max().map_or(0, |last| *last as usize + 1)];
    for (value, group) in values.iter().zip(groups.0.iter()) {
        if let Some(group) = group {
            sums[*group as usize] += value;
        }
    }
    sums
}

#[test]
fn a_kept_total_is_exact_and_lets_every_segment_mix() {
    for (old, seed) in [(ages(300, 71), 71), (amounts(300, 72), 72), (ages(6000, 73), 73)] {
        let kept = Property::sum(0, TermRecords::All, Relation::Equal, None);
        let walked = walk(&[column(&old)], &[kept], &WalkSettings::default(), Seed::from(seed)).unwrap();
        let new = new_values(&walked, 0);
        let findings = &walked.columns[0].findings;
        assert_eq!(new.iter().sum::<i128>(), old.iter().sum::<i128>());
        assert_eq!((walked.findings.properties_broken, findings.unmixed_segments, findings.frozen_segments), (0, 0, 0));
        assert!(findings.unchanged < 0.5 && findings.sweeps < 2000, "{findings:?}");
    }
}

#[test]
fn totals_of_groups_are_exact() {
    // Values of few digits, which groups share within a segment; few segments, and many; groups that follow each other.
    for (count, groups) in [(700, groups(700, 5, 7)), (3000, groups(3000, 9, 16)), (1200, groups(1200, 300, 1))] {
        let columns = [column(&ages(count, 81)), column(&amounts(count, 82))];
        let properties = [
            Property::totals(0, groups.clone()),
            Property::totals(1, groups.clone()),
            Property::sum(0, TermRecords::All, Relation::Equal, None),
        ];
        let asked = WalkSettings { sweeps: Sweeps::Fixed(40), segment: 50, ..WalkSettings::default() };
        let walked = walk(&columns, &properties, &asked, Seed::from(83)).unwrap();
        assert_eq!(walked.findings.properties_broken, 0);
        for (place, column) in columns.iter().enumerate() {
            let old: Vec<i128> = column.values.iter().flatten().copied().collect();
            let new = new_values(&walked, place);
            assert_eq!(totals(&new, &groups), totals(&old, &groups), "{count}");
            // Groups of seven records leave whole ages next to no room.
            assert!(
                count == 1200 || walked.columns[place].findings.unchanged < 0.7,
                "{:?}",
                walked.columns[place].findings
            );
        }
    }
}

#[test]
fn every_sampler_keeps_sums_exactly_whatever_the_factors() {
    let (one, two) = (amounts(90, 84), ages(90, 85));
    let factor = |number: i128, places: u32| Decimal::new(number, places).unwrap();
    let term = |factor, column| Term { factor, column, records: TermRecords::All };
    let properties = [
        Property::new(vec![term(factor(25, 1), 0), term(factor(-3, 0), 1)], Relation::Equal, None),
        Property::sum(1, TermRecords::Listed((1..40).collect()), Relation::Equal, None),
    ];
    for member in ALL {
        let asked = WalkSettings { sweeps: Sweeps::Fixed(20), segment: 30, ..settings(member.card.name) };
        let walked = walk(&[column(&one), column(&two)], &properties, &asked, Seed::from(86)).unwrap();
        assert_eq!(walked.findings.properties_broken, 0, "{}", member.card.name);
        let (first, second) = (new_values(&walked, 0), new_values(&walked, 1));
        let sum = |one: &[i128], two: &[i128]| one.iter().sum::<i128>() * 5 - two.iter().sum::<i128>() * 6;
        assert_eq!(sum(&first, &second), sum(&one, &two));
        assert_eq!(second[..39].iter().sum::<i128>(), two[..39].iter().sum::<i128>());
        assert_ne!(first, one);
    }
}

/// All tables of whole numbers with these margins, cells from 0 to the largest.
fn tables(lines: &[i128], rows: &[i128], largest: i128) -> Vec<Vec<i128>> {
    let Some((&line, rest)) = lines.split_first() else {
        return if rows.iter().all(|row| *row == 0) { vec![Vec::new()] } else { Vec::new() };
    };
    let mut found = Vec::new();
    for one in 0..=largest {
        for two in 0..=largest {
            let three = line - one - two;
            let left = [rows[0] - one, rows[1] - two, rows[2] - three];
            if (0..=largest).contains(&three) && left.iter().all(|left| *left >= 0) {
                let more = tables(rest, &left, largest);
                found.extend(more.into_iter().map(|more| [vec![one, two, three], more].concat()));
            }
        }
    }
    found
}

#[test]
fn tables_with_kept_margins_are_drawn_alike() {
    // Three records of three columns; the margins are kept, and every whole table that has them counts.
    let old = [[1, 3, 2], [2, 1, 4], [4, 2, 1]];
    let columns: Vec<WalkColumn> =
        (0..3).map(|place| bounded(&old.map(|record: [i128; 3]| record[place]), 0, 5)).collect();
    let each = |column| Term { factor: Decimal::new(1, 0).unwrap(), column, records: TermRecords::Each };
    let mut properties = vec![Property::new((0..3).map(each).collect(), Relation::Equal, None)];
    properties.extend((0..3).map(|place| Property::sum(place, TermRecords::All, Relation::Equal, None)));
    let asked = WalkSettings {
        theta: 0.0,
        order: false,
        integer: LastDigits::Exact,
        sweeps: Sweeps::Fixed(10),
        ..WalkSettings::default()
    };
    let all = tables(&[6, 7, 7], &[7, 6, 7], 5);
    let mut counts = vec![0.0_f64; all.len()];
    let draws = all.len() * 20;
    for seed in 0..draws as u64 {
        let walked = walk(&columns, &properties, &asked, Seed::from(seed)).unwrap();
        let values: Vec<Vec<i128>> = (0..3).map(|place| new_values(&walked, place)).collect();
        let table: Vec<i128> = (0..3).flat_map(|record| values.iter().map(move |column| column[record])).collect();
        counts[all.iter().position(|one| *one == table).expect("a table with these margins")] += 1.0;
    }
    let statistic: f64 = counts.iter().map(|count| (count - 20.0).powi(2) / 20.0).sum();
    let degrees = (all.len() - 1) as f64;
    // The 0.01 % point by the approximation of Wilson and Hilferty.
    let part = 2.0 / (9.0 * degrees);
    assert!(all.len() > 20 && statistic < degrees * (1.0 - part + 3.72 * part.sqrt()).powi(3), "{statistic} {degrees}");
}

#[test]
fn groups_that_publish_a_value_are_refused() {
    let old = amounts(60, 87);
    let lonely = RecordGroups((0..60).map(|record| Some(u32::from(record == 17))).collect());
    let refused =
        walk(&[column(&old)], &[Property::totals(0, lonely.clone())], &WalkSettings::default(), Seed::from(1));
    assert_eq!(refused, Err(WalkError::FixesValues { property: 1, count: 1, groups: 2 }));
    // Outside of every group it is fine, and so is a bound.
    let left_out = RecordGroups((0..60).map(|record| (record != 17).then_some(0)).collect());
    assert!(walk(&[column(&old)], &[Property::totals(0, left_out)], &WalkSettings::default(), Seed::from(1)).is_ok());
    let bound = Property { groups: Some(lonely), ..Property::sum(0, TermRecords::All, Relation::AtMost, None) };
    assert!(walk(&[column(&old)], &[bound], &WalkSettings::default(), Seed::from(1)).is_ok());
    let other = RecordGroups(vec![Some(0); 59].into());
    let error = walk(&[column(&old)], &[Property::totals(0, other)], &WalkSettings::default(), Seed::from(1));
    assert!(matches!(error, Err(WalkError::BadProperty { .. })));
}

#[test]
fn means_are_sums_by_their_counts() {
    let old: Vec<i128> = (0..40).map(|record| record * record % 97 + 3).collect();
    let sum: i128 = old.iter().sum();
    let mean = |relation, tenths: i128| Property {
        is_mean: true,
        ..Property::sum(0, TermRecords::All, relation, Decimal::new(tenths, 1))
    };
    let room = sum * 10 / 40;
    assert!(
        walk(&[column(&old)], &[mean(Relation::AtMost, room + 1)], &WalkSettings::default(), Seed::from(2)).is_ok()
    );
    let refused = walk(&[column(&old)], &[mean(Relation::AtMost, room - 1)], &WalkSettings::default(), Seed::from(2));
    assert_eq!(refused, Err(WalkError::Contradictory { property: 1, count: 1 }));
}

#[test]
fn too_many_equations_are_refused_by_their_number() {
    let old = amounts(2100, 88);
    let kept = Property::sum(0, TermRecords::All, Relation::Equal, None);
    let refused = walk(&[column(&old)], &[kept], &settings("coordinate"), Seed::from(1));
    assert_eq!(refused, Err(WalkError::TooManyEquations { sampler: "coordinate", equations: 1, values: 2100 }));
}
