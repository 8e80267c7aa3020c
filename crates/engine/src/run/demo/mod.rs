//! A made-up hospital, for demonstrations and tests.
//!
//! [`hospital`] invents admissions, one record per person. The same number of records and the same seed give the same
//! table on every machine, because only whole numbers are drawn and compared. The columns depend on each other as they
//! do in life: age shapes marital status and education, age and sex shape ward and diagnosis, the diagnosis shapes the
//! stay. A table of independent columns would make anonymisation look easier than it is.
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
pub const COLUMNS: [&str; 10] = [
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
    (0..records).map(|_| admission(&mut draw)).collect()
}

/// The same admissions as a CSV file with a header.
#[must_use]
pub fn write_csv(records: usize, seed: u64) -> String {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for admission in hospital(records, seed) {
        write_record(&mut text, &admission);
    }
    text
}

fn admission(draw: &mut Draw) -> Admission {
    let admitted = Day::FIRST_OF_2024.plus(draw.below(Day::IN_2024_AND_2025));
    let life = person::life(draw);
    let case = stay::case(draw, &life);
    Admission {
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

/// No cell holds a delimiter, a quote or a line end, so nothing needs quoting.
fn write_record(text: &mut String, a: &Admission) {
    let people =
        format_args!("{},{},{},{:05},{},{}", a.name, a.birth_date, a.sex, a.zip, a.marital_status, a.education);
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "{people},{},{},{},{}", a.admitted, a.ward, a.diagnosis, a.length_of_stay);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
            assert!(POLICY.contains(&format!("[variables.{column}]")), "{column}");
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
