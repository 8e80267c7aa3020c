//! A made-up hospital, for demonstrations and tests.
//!
//! [`hospital`] invents admissions. Most patients come once, some again and again: about three admissions in ten are those of
//! somebody who was there before. Name, birth date and sex stay; now and then somebody has moved or married.
//!
//! The columns depend on each other as they do in life: age shapes marital status and education, age and sex shape ward and
//! diagnosis, the diagnosis shapes the stay. A table of independent columns would make anonymisation look easier than it is.
//!
//! The same number of records and the same seed give the same table on every machine: only whole numbers are drawn and compared.
//!
//! Nobody in it exists: names, postal codes and fates are drawn from the lists in this folder. The shares are plausible,
//! not measured, so no medical conclusion can be drawn. `examples/hospital/` holds [`RECORDS`] admissions made
//! with [`SEED`], and copies of the [`POLICY`] and the [`HIERARCHIES`] that lie here.

mod day;
mod draw;
mod person;
mod stay;

use std::fmt::Write;

pub use day::Day;
use draw::Draw;

/// The seed of the example table.
pub const SEED: u64 = 2024;

/// The records of the example table.
pub const RECORDS: usize = 2000;

/// The example policy, as in `examples/hospital/policy.toml`.
pub const POLICY: &str = include_str!("policy.toml");

/// The hierarchy files that the example policy names: path relative to the policy, and content.
pub const HIERARCHIES: &[(&str, &str)] = &[("hierarchies/education.csv", include_str!("education.csv"))];

/// The columns of the table, in file order.
pub const COLUMNS: [&str; 11] = [
    "patient_id",
    "name",
    "birth_date",
    "sex",
    "zip",
    "marital_status",
    "education",
    "admitted",
    "ward",
    "diagnosis",
    "length_of_stay",
];

/// One stay of one invented person. The empty text is a missing value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admission {
    /// The patient, by the order in which patients came.
    pub patient: u32,
    /// First name, initial, family name.
    pub name: String,
    /// The day of birth.
    pub birth_date: Day,
    /// `female` or `male`.
    pub sex: &'static str,
    /// A postal code of five digits.
    pub zip: u32,
    /// Marital status, or missing.
    pub marital_status: &'static str,
    /// The highest completed education, or missing.
    pub education: &'static str,
    /// The day of admission, in 2024 or 2025.
    pub admitted: Day,
    /// The ward.
    pub ward: &'static str,
    /// A code in the manner of the ICD-10.
    pub diagnosis: &'static str,
    /// Days in hospital.
    pub length_of_stay: u32,
}

/// Invents admissions. More records with the same seed begin with the same records.
#[must_use]
pub fn hospital(records: usize, seed: u64) -> Vec<Admission> {
    let mut draw = Draw::seeded(seed);
    let mut admissions: Vec<Admission> = Vec::with_capacity(records);
    let mut patients = Patients::default();
    for _ in 0..records {
        let returns = draw.happens(RETURNS).then(|| patients.returning(&mut draw, &admissions)).flatten();
        let admission = match returns {
            Some(before) => again(&mut draw, before),
            None => first(&mut draw, patients.latest.len()),
        };
        patients.note(&admission, admissions.len());
        admissions.push(admission);
    }
    admissions
}

/// Invents admissions of as many people: nobody comes twice. Benchmarks grow such a table piece by piece.
#[must_use]
pub fn strangers(records: usize, seed: u64) -> Vec<Admission> {
    let mut draw = Draw::seeded(seed);
    (0..records).map(|patient| first(&mut draw, patient)).collect()
}

/// How many of a thousand admissions are those of somebody who was there before.
const RETURNS: u32 = 320;
/// How often somebody comes at most.
const MOST_ADMISSIONS: u8 = 12;
/// How many of a thousand have moved since, have another marital status, come with the same diagnosis.
const MOVED: u32 = 40;
const NEW_STATUS: u32 = 30;
const SAME_DIAGNOSIS: u32 = 500;

/// For each patient the latest admission, and how many there were.
#[derive(Default)]
struct Patients {
    latest: Vec<(usize, u8)>,
}

impl Patients {
    /// The latest admission of somebody who comes again: whoever came often comes sooner.
    fn returning<'a>(&self, draw: &mut Draw, admissions: &'a [Admission]) -> Option<&'a Admission> {
        let drawn = draw.below(u32::try_from(admissions.len()).unwrap_or(u32::MAX));
        let patient = admissions.get(drawn as usize)?.patient;
        let (latest, times) = *self.latest.get(patient as usize)?;
        admissions.get(latest).filter(|_| times < MOST_ADMISSIONS)
    }

    fn note(&mut self, admission: &Admission, place: usize) {
        match self.latest.get_mut(admission.patient as usize) {
            Some((latest, times)) => (*latest, *times) = (place, *times + 1),
            None => self.latest.push((place, 1)),
        }
    }
}

/// The same admissions as a CSV file with a header; patients have an id there.
#[must_use]
pub fn write_csv(records: usize, seed: u64) -> String {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for admission in hospital(records, seed) {
        write_record(&mut text, &admission);
    }
    text
}

/// The first admission of a patient.
fn first(draw: &mut Draw, patients: usize) -> Admission {
    let admitted = Day::FIRST_OF_2024.plus(draw.below(Day::IN_2024_AND_2025));
    let life = person::life(draw);
    let case = stay::case(draw, &life);
    Admission {
        patient: u32::try_from(patients).unwrap_or(u32::MAX),
        name: person::name(draw, life.sex),
        birth_date: admitted.minus(life.days_old),
        sex: life.sex,
        zip: person::zip(draw),
        marital_status: person::marital_status(draw, life.years()),
        education: person::education(draw, life.years()),
        admitted,
        ward: case.ward,
        diagnosis: case.diagnosis,
        length_of_stay: stay::length(draw, &case, &life),
    }
}

/// A further admission of a patient, who is as old as the day makes them.
fn again(draw: &mut Draw, before: &Admission) -> Admission {
    let born_on = before.birth_date.since(Day::FIRST_OF_2024);
    let admitted = Day::FIRST_OF_2024.plus(draw.between(born_on, Day::IN_2024_AND_2025 - 1));
    let life = person::Life { days_old: admitted.since(before.birth_date), sex: before.sex };
    let case = stay::case(draw, &life);
    let case =
        stay::known(before.ward, before.diagnosis, &life).filter(|_| draw.happens(SAME_DIAGNOSIS)).unwrap_or(case);
    Admission {
        zip: if draw.happens(MOVED) { person::zip(draw) } else { before.zip },
        marital_status: if draw.happens(NEW_STATUS) {
            person::marital_status(draw, life.years())
        } else {
            before.marital_status
        },
        admitted,
        ward: case.ward,
        diagnosis: case.diagnosis,
        length_of_stay: stay::length(draw, &case, &life),
        ..before.clone()
    }
}

/// The id of a patient: no two are alike, and they do not tell who came first.
fn id(patient: u32) -> String {
    format!("P{:07}", (u64::from(patient) * 7_654_321 + 1_234_567) % 10_000_000)
}

/// No cell holds a delimiter, a quote or a line end, so nothing needs quoting.
fn write_record(text: &mut String, a: &Admission) {
    let who = format_args!("{},{},{},{}", id(a.patient), a.name, a.birth_date, a.sex);
    let more = format_args!("{:05},{},{}", a.zip, a.marital_status, a.education);
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{who},{more},{},{},{},{}", a.admitted, a.ward, a.diagnosis, a.length_of_stay);
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn share(part: usize, whole: usize) -> usize {
        part * 1000 / whole.max(1)
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(hospital(50, 1), hospital(50, 1));
        assert_ne!(hospital(50, 1), hospital(50, 2));
        assert_eq!(hospital(50, 1)[..], hospital(80, 1)[..50]);
    }

    #[test]
    fn an_empty_table_still_has_its_header() {
        assert_eq!(write_csv(0, SEED), format!("{}\n", COLUMNS.join(",")));
    }

    #[test]
    fn each_line_has_one_plain_cell_per_column() {
        for line in write_csv(5000, 3).lines() {
            assert_eq!(line.split(',').count(), COLUMNS.len());
            assert!(!line.contains('"'));
        }
    }

    #[test]
    fn most_patients_come_once_and_some_a_dozen_times() {
        let mut times: BTreeMap<u32, usize> = BTreeMap::new();
        let table = hospital(20_000, 9);
        for a in &table {
            *times.entry(a.patient).or_default() += 1;
        }
        let once = times.values().filter(|times| **times == 1).count();
        assert!((12_000..15_000).contains(&times.len()), "{} patients", times.len());
        assert!(share(once, times.len()) > 700, "{once} come once");
        assert_eq!(times.values().max(), Some(&12));
        let ids: BTreeSet<String> = times.keys().map(|patient| id(*patient)).collect();
        assert_eq!(ids.len(), times.len());
    }

    #[test]
    fn patients_keep_who_they_are_and_some_move() {
        let mut first: BTreeMap<u32, Admission> = BTreeMap::new();
        let (mut returns, mut moved) = (0, 0);
        for a in hospital(20_000, 10) {
            let before = first.entry(a.patient).or_insert_with(|| a.clone());
            assert_eq!((&before.name, before.birth_date, before.sex), (&a.name, a.birth_date, a.sex));
            returns += usize::from(before.admitted != a.admitted);
            moved += usize::from(before.zip != a.zip);
        }
        assert!((20..120).contains(&share(moved, returns)), "{moved} of {returns} moved");
    }

    #[test]
    fn dates_and_ages_are_plausible() {
        for a in hospital(5000, 4) {
            let admitted = a.admitted.to_string();
            assert!(("2024-01-01".."2026-01-01").contains(&admitted.as_str()), "{admitted}");
            assert!(a.birth_date <= a.admitted);
            assert!(a.birth_date.to_string().as_str() >= "1928-01-01");
        }
    }

    #[test]
    fn postal_codes_cluster() {
        let table = hospital(20_000, 5);
        let codes: BTreeSet<u32> = table.iter().map(|a| a.zip).collect();
        assert!((200..400).contains(&codes.len()), "{} codes", codes.len());
        let city = table.iter().filter(|a| a.zip / 100 == 694).count();
        assert!(share(city, table.len()) > 250);
    }

    #[test]
    fn some_values_are_missing() {
        let table = hospital(20_000, 6);
        for missing in [
            table.iter().filter(|a| a.education.is_empty()).count(),
            table.iter().filter(|a| a.marital_status.is_empty()).count(),
        ] {
            assert!((8..25).contains(&share(missing, table.len())), "{missing} missing");
        }
    }

    #[test]
    fn columns_depend_on_each_other() {
        let table = hospital(20_000, 7);
        let born_after = |a: &Admission, year: &str| a.birth_date.to_string().as_str() > year;
        assert!(table.iter().filter(|a| a.ward == "Obstetrics").all(|a| a.sex == "female"));
        assert!(table.iter().filter(|a| a.diagnosis == "N40").all(|a| a.sex == "male"));
        assert!(table.iter().filter(|a| born_after(a, "2010")).all(|a| a.marital_status == "Single"));
        assert!(table.iter().filter(|a| born_after(a, "2005")).all(|a| a.education != "Doctorate"));
        let mean = |code: &str| {
            let stays: Vec<u32> = table.iter().filter(|a| a.diagnosis == code).map(|a| a.length_of_stay).collect();
            stays.iter().sum::<u32>() / u32::try_from(stays.len().max(1)).unwrap()
        };
        assert!(mean("F20.0") > 2 * mean("A09.9"));
    }

    #[test]
    fn the_policy_names_each_column_and_its_hierarchy_file() {
        for column in COLUMNS {
            let is_person = POLICY.contains(&format!("person = \"{column}\""));
            assert!(is_person || POLICY.contains(&format!("[variables.{column}]")), "{column}");
        }
        for (path, _) in HIERARCHIES {
            assert!(POLICY.contains(&format!("file = \"{path}\"")), "{path}");
        }
    }

    #[test]
    fn the_education_file_lists_each_education() {
        let listed: BTreeSet<&str> =
            HIERARCHIES[0].1.lines().filter_map(|line| line.split_once(';')).map(|(value, _)| value).collect();
        let used: BTreeSet<&str> =
            hospital(20_000, 8).iter().map(|a| a.education).filter(|value| !value.is_empty()).collect();
        assert_eq!(listed, used);
    }
}
