//! Treatments: what each promises, on made-up cells and with a made-up keyed function.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use equanym_core::card::Kind;
use equanym_core::frequency::FrequencySet;
use equanym_core::hierarchy::DateFormat;
use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::treatment::{ALL, Age, AgeDay, Cell, DateShift, KeyedFunction, Treatment, UntreatedCell};
use proptest::prelude::*;

/// Mixes well enough for a test; no secret is made of it.
struct MixingFunction(u64);

impl KeyedFunction for MixingFunction {
    fn bytes(&self, words: &[&str]) -> [u8; 32] {
        let mut state = self.0;
        let mut mix = |word: u64| {
            state = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
            state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            state ^= state >> 31;
            state
        };
        for word in words {
            mix(word.len() as u64);
            word.bytes().for_each(|byte| {
                mix(byte.into());
            });
        }
        let mut bytes = [0; 32];
        bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&mix(7).to_be_bytes()));
        bytes
    }
}

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn treat(treatment: &Treatment, text: &str, other: &str) -> Result<String, UntreatedCell> {
    treatment.treat(Cell { column: "column", text, other }, &MixingFunction(1))
}

fn shift(days: u32) -> DateShift {
    DateShift { days, by: "id".to_owned(), format: DateFormat::Iso }
}

fn age(at: AgeDay, top: Option<u16>) -> Treatment {
    Treatment::Derive(Age { at, format: DateFormat::Dotted, top })
}

fn at_column() -> AgeDay {
    AgeDay::Column { at: "admitted".to_owned(), at_format: DateFormat::Iso }
}

#[test]
fn each_member_has_a_card_of_its_own() {
    let samples = [
        Treatment::Pseudonym,
        Treatment::Shift(shift(1)),
        Treatment::Round { to: decimal("1") },
        Treatment::Top { at: decimal("1") },
        Treatment::Bottom { at: decimal("1") },
        age(at_column(), None),
    ];
    let names: Vec<&str> = samples.iter().map(|sample| sample.card().name).collect();
    assert_eq!(names, ALL.iter().map(|card| card.name).collect::<Vec<_>>());
    for card in ALL {
        for parameter in card.parameters {
            if let (Kind::Choice(words), "format") = (parameter.kind, parameter.name) {
                assert_eq!(words, DateFormat::ALL.map(DateFormat::name), "{}", card.name);
            }
        }
    }
    assert_eq!(samples.each_ref().map(Treatment::is_keyed), [true, true, false, false, false, false]);
    assert!(samples.iter().all(|sample| treat(sample, "", "x") == Ok(String::new())));
}

#[test]
fn tokens_have_their_form_and_belong_to_a_column() {
    let token =
        |column, text, key| Treatment::Pseudonym.treat(Cell { column, text, other: "" }, &MixingFunction(key)).unwrap();
    let one = token("patient", "17", 1);
    assert!(one.len() == 33 && one.starts_with('p') && one[1..].bytes().all(|b| b"0123456789abcdef".contains(&b)));
    assert_eq!(one, token("patient", "17", 1));
    let others =
        [token("patient", "18", 1), token("doctor", "17", 1), token("patient", "17", 2), token("patient1", "7", 1)];
    assert!(others.iter().all(|other| *other != one));
}

#[test]
fn dates_of_a_person_move_alike() {
    let treatment = Treatment::Shift(shift(180));
    let days = |text: &str| DateFormat::Iso.read_day(&text[..10]).unwrap().days();
    for person in 0..500 {
        let id = person.to_string();
        let moved = |date: &str| treat(&treatment, date, &id).unwrap();
        let offset = shift(180).offset(&id, &MixingFunction(1));
        assert!((-180..=180).contains(&offset));
        for date in ["2024-02-29", "2024-12-31", "1999-01-01"] {
            assert_eq!(days(&moved(date)) - days(date), offset);
        }
        assert_eq!(moved("2024-02-29T10:30+01:00")[10..], *"T10:30+01:00");
    }
}

/// Chi-square of the offsets of many people against the uniform distribution, and of pairs of people who share one.
#[test]
fn offsets_are_uniform_and_equal_by_chance_only() {
    let (days, people) = (10_u32, 21_000_u32);
    let mut counts = HashMap::<i64, f64>::new();
    for person in 0..people {
        *counts.entry(shift(days).offset(&format!("P{person:05}"), &MixingFunction(5))).or_default() += 1.0;
    }
    let (cells, expected) = (f64::from(2 * days + 1), f64::from(people) / f64::from(2 * days + 1));
    assert_eq!(counts.len(), 21);
    let chi_square: f64 = counts.values().map(|count| (count - expected).powi(2) / expected).sum();
    // 20 degrees of freedom: beyond 45.3 once in a thousand keys. The key is fixed.
    assert!(chi_square < 45.3, "{chi_square}");
    let pairs = |count: f64| count * (count - 1.0) / 2.0;
    let sharing: f64 = counts.values().map(|&count| pairs(count)).sum();
    let share = sharing / pairs(f64::from(people)) * cells;
    assert!((0.98..1.02).contains(&share), "{share}");
}

/// Draws that would favour some offsets are thrown away.
#[test]
fn no_offset_is_favoured_at_the_end_of_the_words() {
    struct LastWord;
    impl KeyedFunction for LastWord {
        fn bytes(&self, words: &[&str]) -> [u8; 32] {
            if *words.last().unwrap() == "0" { [0xff; 32] } else { [0; 32] }
        }
    }
    // 361 does not divide 2^64: its last words are left over.
    assert_eq!(shift(180).offset("x", &LastWord), -180);
}

#[test]
fn dates_without_a_person_or_a_calendar_are_lost_and_others_refused() {
    let treatment = Treatment::Shift(shift(30));
    assert_eq!(treat(&treatment, "2024-01-01", ""), Err(UntreatedCell::Lost));
    assert_eq!(treat(&treatment, "01.01.2024", "x"), Err(UntreatedCell::Unreadable));
    let ends = (0..200).map(|id| treat(&treatment, "9999-12-31", &id.to_string()));
    let (mut lost, mut kept) = (0, 0);
    ends.for_each(|end| if end == Err(UntreatedCell::Lost) { lost += 1 } else { kept += 1 });
    assert!(lost > 60 && kept > 60, "{lost} {kept}");
}

#[test]
fn numbers_are_rounded_to_the_nearest_multiple_and_ties_to_the_even_one() {
    for (number, to, expected) in [
        ("149.99", "100", "100"),
        ("150", "100", "200"),
        ("250", "100", "200"),
        ("-150", "100", "-200"),
        ("-250", "100", "-200"),
        ("0.3", "0.25", "0.25"),
        ("1e3", "300", "900"),
        ("-1", "5", "0"),
    ] {
        assert_eq!(treat(&Treatment::Round { to: decimal(to) }, number, ""), Ok(expected.to_owned()), "{number}");
    }
    assert_eq!(treat(&Treatment::Round { to: decimal("5") }, "1,5", ""), Err(UntreatedCell::Unreadable));
}

#[test]
fn numbers_stay_within_top_and_bottom() {
    let [top, bottom] = [Treatment::Top { at: decimal("90") }, Treatment::Bottom { at: decimal("15.5") }];
    assert_eq!(["89.9", "90", "1e9"].map(|text| treat(&top, text, "").unwrap()), ["89.9", "90", "90"]);
    assert_eq!(["15.4", "-3", "16.0"].map(|text| treat(&bottom, text, "").unwrap()), ["15.5", "15.5", "16"]);
}

#[test]
fn ages_are_whole_years() {
    for (born, at, expected) in [
        ("19.04.1976", "2024-04-18", Ok("47")),
        ("19.04.1976", "2024-04-19", Ok("48")),
        ("29.02.2000", "2001-02-28", Ok("0")),
        ("29.02.2000", "2001-03-01", Ok("1")),
        ("01.01.1900", "2024-06-01T08:00", Ok("90")),
        ("19.04.1976", "1976-04-18", Err(UntreatedCell::Lost)),
        ("19.04.1976", "", Err(UntreatedCell::Lost)),
        ("1976-04-19", "2024-04-19", Err(UntreatedCell::Unreadable)),
    ] {
        assert_eq!(treat(&age(at_column(), Some(90)), born, at), expected.map(str::to_owned), "{born} {at}");
    }
    let fixed = age(AgeDay::Day { day: "2026-01-01".to_owned() }, None);
    assert_eq!((fixed.other(), treat(&fixed, "02.01.1926", "")), (None, Ok("99".to_owned())));
}

proptest! {
    #[test]
    fn people_alone_are_those_whose_classes_nobody_shares(
        rows in prop::collection::vec((0_u32..6, 0_u32..12), 1..40),
        kept in prop::array::uniform6(any::<bool>()),
    ) {
        let (classes, persons): (Vec<u32>, Vec<u32>) = rows.iter().copied().unzip();
        let sizes = (0..6).map(|class| classes.iter().filter(|one| **one == class).count() as u64).collect();
        let set = FrequencySet::without_keys(sizes, Vec::new()).of_people(&classes, &persons, &[]);
        let mut of_person = BTreeMap::<u32, BTreeSet<u32>>::new();
        for (class, person) in rows.iter().filter(|(class, _)| kept[*class as usize]) {
            of_person.entry(*person).or_default().insert(*class);
        }
        let shared = |trail: &BTreeSet<u32>| of_person.values().filter(|other| *other == trail).count();
        let alone = of_person.values().filter(|trail| shared(trail) == 1).count() as u64;
        prop_assert_eq!(set.people_alone(|class| kept[class]), Some(alone));
    }

    #[test]
    fn rounding_is_near_and_exact(units in -10_i64.pow(12)..10_i64.pow(12), scale in 0_u32..6, width in 1_i64..100_000) {
        let (number, to) = (Decimal::new(units.into(), scale).unwrap(), Decimal::new(width.into(), 2).unwrap());
        let rounded = decimal(&treat(&Treatment::Round { to }, &number.to_string(), "").unwrap());
        prop_assert_eq!(rounded.floor_to(to), Some(rounded));
        let away = if rounded > number { rounded.minus(number) } else { number.minus(rounded) }.unwrap();
        prop_assert!(away.plus(away).unwrap() <= to);
    }

    #[test]
    fn no_cell_breaks_a_treatment(text in "\\PC*", digits in "[-+0-9.:TeE]{0,30}", other in "\\PC*") {
        let all = [
            Treatment::Pseudonym,
            Treatment::Shift(shift(36_500)),
            Treatment::Round { to: decimal("1e-38") },
            Treatment::Top { at: decimal("1e38") },
            age(at_column(), Some(1)),
        ];
        for treatment in &all {
            for text in [&text, &digits] {
                let _ = treat(treatment, text, &other);
            }
        }
    }
}
