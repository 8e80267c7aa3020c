//! Invents a clinic's table as clinics have it: German headings, mixed habits, several rows per patient.
//!
//! Most patients come once, some a dozen times; who they are stays, the rest changes. The same number of records and the
//! same seed give the same table on every machine, because only whole numbers are drawn. Nobody in it exists: names, places
//! and stays are drawn from the lists below. Shares are plausible, not measured.
//!
//! What is messy on purpose: `NA`, `leer` and empty cells all mean missing; one postal code in thirty with a zero in front
//! has lost it; diagnoses are coded with three to five characters; remarks are free text, and some of them name people.

use super::words::{CASES, FIRST_NAMES, INSURANCES, LAST_NAMES, PLACES, REMARKS};

/// The headings, in the order of the file.
pub const COLUMNS: [&str; 15] = [
    "Fallnummer",
    "Versichertennr",
    "Nachname",
    "Vorname",
    "Geburtsdatum",
    "Geschlecht",
    "PLZ",
    "Krankenkasse",
    "Aufnahmedatum",
    "Aufnahmeart",
    "Fachabteilung",
    "Hauptdiagnose",
    "Gewicht_kg",
    "Verweildauer",
    "Bemerkung",
];

/// A cell before a format writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Text; words for missing among it.
    Text(String),
    /// A day, counted from 1970-01-01.
    Day(i32),
    /// A whole number.
    Whole(u32),
    /// Tenths.
    Tenths(u32),
    /// A word that means missing, in a column of another kind.
    Missing(&'static str),
}

/// Invents admissions.
pub fn admissions(records: usize, seed: u64) -> Vec<Vec<Cell>> {
    let mut draw = Draw(seed);
    let mut patients: Vec<Patient> = Vec::new();
    let mut visits: Vec<usize> = Vec::new();
    (0..records)
        .map(|record| {
            let place = match visits.get(draw.below(visits.len())) {
                Some(&place) if draw.happens(380) && patients[place].visits < MOST_VISITS => place,
                _ => {
                    patients.push(Patient::new(&mut draw, patients.len()));
                    patients.len() - 1
                }
            };
            visits.push(place);
            patients[place].visits += 1;
            admission(&mut draw, &patients[place], record)
        })
        .collect()
}

/// How often somebody comes at most.
const MOST_VISITS: u32 = 12;

/// 2024-01-01, the first of two years of admissions.
const FIRST_DAY: i32 = 19_723;

/// What stays with a patient.
struct Patient {
    id: String,
    last_name: &'static str,
    first_name: &'static str,
    sex: &'static str,
    born: i32,
    postal_code: String,
    insurance: &'static str,
    /// The weight in tenths of a kilogram, give or take.
    weight: u32,
    visits: u32,
}

impl Patient {
    fn new(draw: &mut Draw, number: usize) -> Self {
        let sex = draw.weighted(&[(505, "w"), (490, "m"), (5, "d")]);
        let years = match draw.weighted(&[(8, 0), (22, 18), (30, 45), (40, 65)]) {
            0 => draw.below(18),
            18 => 18 + draw.below(27),
            45 => 45 + draw.below(20),
            _ => 65 + draw.below(30).min(draw.below(34)),
        };
        let days = i32::try_from(years * 365 + years / 4 + draw.below(365)).unwrap_or(0);
        let grown = u32::try_from(years.min(18)).unwrap_or(0);
        Self {
            id: format!("{}{:09}", char::from(b'A' + draw.byte(26)), (number * 7_919 + 104_729) % 1_000_000_000),
            last_name: draw.any(LAST_NAMES),
            first_name: draw.any(FIRST_NAMES),
            sex,
            born: FIRST_DAY - days,
            postal_code: postal_code(draw),
            insurance: draw.weighted(INSURANCES),
            weight: 40 + grown * 32 + draw.up_to(260) + draw.up_to(20 * grown),
            visits: 0,
        }
    }
}

fn postal_code(draw: &mut Draw) -> String {
    let (first, last) = draw.weighted(PLACES);
    let code = format!("{:05}", first + draw.up_to(last - first));
    if draw.happens(33) { code.trim_start_matches('0').to_owned() } else { code }
}

fn admission(draw: &mut Draw, patient: &Patient, record: usize) -> Vec<Cell> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let born = if draw.happens(6) { missing(draw) } else { Cell::Day(patient.born) };
    let admitted = FIRST_DAY.max(patient.born) + i32::try_from(draw.below(731)).unwrap_or(0);
    let (department, codes, days) = draw.weighted(CASES);
    let code = codes.get(draw.below(codes.len()).min(draw.below(codes.len()))).copied().unwrap_or_default();
    let weight = patient.weight + draw.up_to(30);
    vec![
        Cell::Text(format!("F{:07}", (record * 3_571 + 62_233) % 10_000_000)),
        text(&patient.id),
        text(patient.last_name),
        text(patient.first_name),
        born,
        text(patient.sex),
        if draw.happens(12) { missing(draw) } else { text(&patient.postal_code) },
        if draw.happens(15) { missing(draw) } else { text(patient.insurance) },
        Cell::Day(admitted),
        text(draw.weighted(&[(60, "Notfall"), (34, "Einweisung"), (5, "Verlegung"), (1, "Begleitperson")])),
        text(department),
        text(code),
        if draw.happens(70) { missing(draw) } else { Cell::Tenths(weight) },
        Cell::Whole(1 + draw.up_to(days).min(draw.up_to(2 * days))),
        remark(draw, patient),
    ]
}

/// The words that this clinic has for missing.
fn missing(draw: &mut Draw) -> Cell {
    Cell::Missing(draw.weighted(&[(3, "NA"), (2, "leer"), (3, "")]))
}

fn remark(draw: &mut Draw, patient: &Patient) -> Cell {
    if draw.happens(350) {
        return missing(draw);
    }
    let first = draw.any(REMARKS).replace('#', patient.last_name);
    let second = draw.any(REMARKS).replace('#', patient.last_name);
    Cell::Text(format!("{first} {second} Kontrolle in {} Tagen.", 2 + draw.below(30)))
}

/// A stream of draws: `SplitMix64`, whose output is fixed by its few lines.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound; 0 when the bound is 0.
    fn below(&mut self, bound: usize) -> usize {
        let scaled = u128::from(self.next()) * bound as u128;
        usize::try_from(scaled >> 64).unwrap_or(0)
    }

    /// A number up to this one.
    fn up_to(&mut self, most: u32) -> u32 {
        u32::try_from(self.below(most as usize + 1)).unwrap_or(0)
    }

    fn byte(&mut self, bound: usize) -> u8 {
        u8::try_from(self.below(bound)).unwrap_or(0)
    }

    /// True in so many of a thousand draws.
    fn happens(&mut self, per_mille: usize) -> bool {
        self.below(1000) < per_mille
    }

    fn any(&mut self, choices: &[&'static str]) -> &'static str {
        choices.get(self.below(choices.len())).copied().unwrap_or_default()
    }

    /// One of the choices, each as often as its weight says.
    fn weighted<T: Copy + Default>(&mut self, choices: &[(usize, T)]) -> T {
        let mut left = self.below(choices.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in choices {
            if left < *weight {
                return *choice;
            }
            left -= weight;
        }
        T::default()
    }
}
