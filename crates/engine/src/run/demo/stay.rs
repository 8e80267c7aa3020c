//! Why people are admitted, where, and for how long.
//!
//! One table says which cases there are: ward and diagnosis are drawn together, by weights for the stage of life and
//! the share of women, so the same diagnosis may be met on two wards. The codes look like the ICD-10's and mostly mean
//! what they mean there; weights and stays are plausible and nothing more.

use super::draw::Draw;
use super::person::Life;

/// A reason to be in hospital.
#[derive(Clone, Copy, Default)]
pub(super) struct Illness {
    /// The ward.
    pub ward: &'static str,
    /// The diagnosis.
    pub diagnosis: &'static str,
    /// How common it is among newborns, children, younger adults, older adults and the old.
    weights: [u32; 5],
    /// How many in a hundred of those who have it are women.
    women: u32,
    /// The shortest and the longest usual stay.
    days: (u32, u32),
}

type CaseRow = (&'static str, [u32; 5], u32, (u32, u32));

#[rustfmt::skip]
const WARDS: &[(&str, &[CaseRow])] = &[
    ("Neonatology", &[
        ("Z38.0", [60, 0, 0, 0, 0], 50, (2, 5)),
        ("P59.9", [18, 0, 0, 0, 0], 48, (3, 7)),
        ("P07.3", [12, 0, 0, 0, 0], 47, (8, 45)),
        ("P22.0", [6, 0, 0, 0, 0], 45, (5, 24)),
        ("P36.9", [4, 0, 0, 0, 0], 46, (7, 16)),
    ]),
    ("Paediatrics", &[
        ("J18.9", [0, 16, 0, 0, 0], 47, (3, 8)),
        ("J21.9", [0, 18, 0, 0, 0], 43, (2, 6)),
        ("A09.9", [0, 18, 0, 0, 0], 49, (1, 4)),
        ("J45.9", [0, 10, 0, 0, 0], 42, (2, 5)),
        ("E10.9", [0, 6, 0, 0, 0], 48, (3, 9)),
        ("G40.9", [0, 6, 0, 0, 0], 48, (2, 6)),
        ("S06.0", [0, 14, 0, 0, 0], 40, (1, 3)),
    ]),
    ("Obstetrics", &[
        ("O80", [0, 0, 46, 0, 0], 100, (2, 5)),
        ("O82", [0, 0, 20, 0, 0], 100, (3, 7)),
        ("O47.9", [0, 0, 9, 0, 0], 100, (1, 3)),
        ("O14.9", [0, 0, 5, 0, 0], 100, (3, 10)),
    ]),
    ("Gynaecology", &[
        ("D25.9", [0, 0, 6, 7, 1], 100, (2, 6)),
        ("N83.2", [0, 1, 8, 4, 1], 100, (1, 4)),
        ("N81.2", [0, 0, 1, 4, 6], 100, (2, 6)),
    ]),
    ("Internal medicine", &[
        ("J18.9", [0, 0, 6, 12, 32], 45, (4, 16)),
        ("J44.1", [0, 0, 1, 14, 26], 44, (4, 14)),
        ("E11.9", [0, 0, 3, 12, 16], 44, (3, 11)),
        ("A41.9", [0, 1, 2, 7, 18], 46, (6, 24)),
        ("N39.0", [0, 3, 7, 7, 18], 70, (2, 8)),
        ("N17.9", [0, 0, 1, 6, 15], 45, (4, 14)),
        ("K29.7", [0, 2, 10, 11, 10], 52, (1, 5)),
        ("A09.9", [0, 0, 9, 6, 9], 53, (1, 5)),
        ("K85.9", [0, 0, 6, 9, 5], 40, (4, 17)),
    ]),
    ("Cardiology", &[
        ("I50.1", [0, 0, 1, 16, 54], 50, (4, 17)),
        ("I48.9", [0, 0, 4, 17, 30], 47, (2, 7)),
        ("I21.4", [0, 0, 3, 18, 24], 33, (3, 11)),
        ("I20.0", [0, 0, 2, 15, 16], 36, (1, 6)),
        ("I10", [0, 0, 5, 11, 15], 62, (1, 5)),
    ]),
    ("Surgery", &[
        ("K35.8", [0, 12, 15, 6, 2], 47, (2, 6)),
        ("K80.2", [0, 1, 12, 14, 11], 62, (2, 6)),
        ("K40.9", [1, 5, 8, 13, 11], 14, (1, 4)),
        ("K56.6", [1, 1, 3, 7, 14], 51, (4, 17)),
        ("C18.9", [0, 0, 1, 8, 15], 46, (7, 21)),
    ]),
    ("Orthopaedics", &[
        ("S72.0", [0, 0, 1, 5, 28], 70, (7, 22)),
        ("M16.1", [0, 0, 1, 13, 19], 58, (5, 11)),
        ("M17.1", [0, 0, 1, 14, 17], 61, (5, 11)),
        ("M51.2", [0, 0, 12, 15, 7], 47, (3, 9)),
        ("S82.6", [0, 4, 11, 10, 6], 50, (3, 9)),
        ("S52.5", [0, 12, 5, 6, 9], 60, (1, 4)),
    ]),
    ("Neurology", &[
        ("I63.9", [0, 0, 2, 14, 36], 48, (5, 20)),
        ("G45.9", [0, 0, 1, 7, 14], 50, (2, 6)),
        ("G40.9", [0, 2, 9, 8, 9], 46, (2, 9)),
        ("G35", [0, 0, 8, 5, 1], 70, (3, 9)),
        ("S06.0", [0, 0, 14, 7, 12], 42, (1, 3)),
    ]),
    ("Urology", &[
        ("N40", [0, 0, 0, 10, 17], 0, (3, 7)),
        ("N20.0", [0, 1, 12, 15, 7], 35, (1, 4)),
        ("C61", [0, 0, 0, 7, 13], 0, (4, 10)),
        ("C67.9", [0, 0, 0, 5, 11], 24, (3, 9)),
    ]),
    ("Oncology", &[
        ("C50.9", [0, 0, 5, 16, 14], 99, (2, 8)),
        ("C34.1", [0, 0, 1, 14, 16], 40, (4, 15)),
        ("C83.3", [0, 1, 3, 6, 8], 45, (4, 18)),
        ("C92.0", [0, 3, 3, 3, 4], 46, (10, 35)),
    ]),
    ("Psychiatry", &[
        ("F32.2", [0, 2, 16, 14, 7], 62, (14, 48)),
        ("F10.2", [0, 0, 16, 18, 3], 25, (6, 22)),
        ("F20.0", [0, 0, 11, 6, 1], 42, (16, 50)),
        ("F43.2", [0, 6, 13, 6, 1], 60, (3, 14)),
    ]),
];

/// Draws a case that fits age and sex.
pub(super) fn case(draw: &mut Draw, life: &Life) -> Illness {
    let cases: Vec<Illness> =
        WARDS.iter().flat_map(|(ward, rows)| rows.iter().map(|row| Illness::new(ward, *row))).collect();
    draw.by_weight(&cases, |case| case.weight(life))
}

/// The case of this ward and diagnosis, if it fits age and sex.
pub(super) fn known(ward: &str, diagnosis: &str, life: &Life) -> Option<Illness> {
    let (ward, rows) = WARDS.iter().find(|(name, _)| *name == ward)?;
    let row = rows.iter().find(|row| row.0 == diagnosis)?;
    Some(Illness::new(ward, *row)).filter(|case| case.weight(life) > 0)
}

/// Draws the days in hospital: short stays are the rule, and the old stay longer.
pub(super) fn length(draw: &mut Draw, case: &Illness, life: &Life) -> u32 {
    let (shortest, longest) = case.days;
    let usual = shortest + draw.mostly_low(longest - shortest + 1);
    let recovery = draw.mostly_low(5);
    if life.years() >= 75 { usual + recovery } else { usual }
}

impl Illness {
    fn new(ward: &'static str, (diagnosis, weights, women, days): CaseRow) -> Self {
        Self { ward, diagnosis, weights, women, days }
    }

    fn weight(&self, life: &Life) -> u32 {
        let [newborn, child, younger, older, old] = self.weights;
        let stage = match (life.days_old, life.years()) {
            (0..=27, _) => newborn,
            (_, 0..=14) => child,
            (_, 15..=44) => younger,
            (_, 45..=64) => older,
            _ => old,
        };
        let share = if life.sex == "female" { self.women } else { 100 - self.women };
        stage * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_age_and_sex_has_a_choice_of_diagnoses() {
        for days_old in (0..35_000).step_by(25) {
            for sex in ["female", "male"] {
                let life = Life { days_old, sex };
                let rows = WARDS.iter().flat_map(|(ward, rows)| rows.iter().map(|row| Illness::new(ward, *row)));
                assert!(rows.filter(|case| case.weight(&life) > 0).count() >= 5);
            }
        }
    }

    #[test]
    fn shares_and_stays_are_sound() {
        for (_, _, women, (shortest, longest)) in WARDS.iter().flat_map(|(_, rows)| rows.iter()) {
            assert!(*women <= 100);
            assert!(0 < *shortest && shortest < longest);
        }
    }
}
