//! Drafts are policies: they parse, hold no cell, and a release takes them as they stand.

mod habits;
mod ladders;

use std::fs;

use crate::requests;
use equanym_core::variable::Role;
use equanym_engine::error::{self, Error, Result};
use equanym_engine::machine::Resources;
use equanym_engine::policy::Policy;

use equanym_engine::read::Reading;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::demo;
use equanym_engine::run::draft::{self, ColumnKind, Draft, DraftRequest};
use equanym_engine::run::release::release;
use proptest::prelude::*;
use tempfile::TempDir;

fn resources() -> Resources {
    Resources { threads: 2, memory: 64 << 20, ..Resources::default() }
}

/// A table in a folder of its own.
struct Case {
    folder: TempDir,
    reading: Reading,
}

impl Case {
    fn new(table: &str) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("data.csv"), table).unwrap();
        Self { folder, reading: Reading::default() }
    }

    fn draft(&self) -> Result<Draft> {
        self.draft_with(&resources())
    }

    fn draft_with(&self, resources: &Resources) -> Result<Draft> {
        let (data, folder) = (&self.folder.path().join("data.csv"), self.folder.path());
        draft::draft(&DraftRequest { reading: &self.reading, resources, ..requests::draft(data, folder) })
    }

    fn release(&self, policy: &Policy) -> Result<FinishedRelease> {
        release(&requests::release(&self.folder.path().join("data.csv"), policy, &self.folder.path().join("out")))
    }
}

#[test]
fn a_draft_has_preferences_to_fill_in() {
    let case = Case::new("age,zip,sex\n30,1000,m\n31,1000,f\n30,2000,m\n31,2000,f\n");
    let text = case.draft().unwrap().policy;
    let quasi = parse(&case.draft().unwrap()).of_role(Role::QuasiIdentifying).count();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("# under [variables.")).collect();
    assert_eq!(lines.len(), quasi);
    let points = |line: &str| line.rsplit("intruder = ").next().unwrap().trim_end_matches(" }").parse::<u64>().unwrap();
    assert_eq!(lines.iter().map(|line| points(line)).sum::<u64>(), 100);
    assert!(text.contains("# [preferences]\n# alpha = 0.5"), "{text}");
    // What is commented out is a policy: with the points under their variables the search takes it.
    let mut filled = text.replace("search = \"optimal\"", "search = \"balance\"");
    for line in lines {
        let (header, points) = line.trim_start_matches("# under ").split_once(": ").unwrap();
        filled = filled.replacen(&format!("\n{header}\n"), &format!("\n{header}\n{points}\n"), 1);
    }
    let filled = filled.replace("# [preferences]\n# alpha", "[preferences]\nalpha").replace("# beta", "beta");
    let no_files = |_: &str| Err(Error::input("no files here"));
    let policy = Policy::parse(&filled, &no_files).unwrap();
    policy.require_balance().unwrap();
    assert!(policy.preferences.is_some());
}

fn parse(draft: &Draft) -> Policy {
    let no_files = |_: &str| Err(Error::input("no files here"));
    Policy::parse(&draft.policy, &no_files).unwrap_or_else(|error| panic!("{error}\n{}", draft.policy))
}

fn table(header: &[&str], records: &[Vec<String>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).unwrap();
    for record in records {
        writer.write_record(record).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn roles(draft: &Draft) -> Vec<(&str, ColumnKind, Role)> {
    draft.columns.iter().map(|column| (column.name.as_str(), column.kind, column.role)).collect()
}

#[test]
fn the_hospital_is_understood_and_released() {
    let case = Case::new(&demo::write_csv(500, demo::SEED));
    let found = case.draft().unwrap();
    let expected = [
        ("patient_id", ColumnKind::Code, Role::Identifying),
        ("name", ColumnKind::Text, Role::Identifying),
        ("birth_date", ColumnKind::Date, Role::QuasiIdentifying),
        ("sex", ColumnKind::Text, Role::QuasiIdentifying),
        ("zip", ColumnKind::Code, Role::QuasiIdentifying),
        ("marital_status", ColumnKind::Text, Role::QuasiIdentifying),
        ("education", ColumnKind::Text, Role::QuasiIdentifying),
        ("admitted", ColumnKind::Date, Role::QuasiIdentifying),
        ("ward", ColumnKind::Text, Role::QuasiIdentifying),
        ("diagnosis", ColumnKind::Code, Role::Sensitive),
        ("length_of_stay", ColumnKind::Number, Role::QuasiIdentifying),
    ];
    assert_eq!(roles(&found), expected);
    assert_eq!(found.person.as_deref(), Some("patient_id"));
    let released = case.release(&parse(&found)).unwrap();
    assert!(released.report.classes.min >= 5 && released.report.released >= 475);
    assert_eq!(released.report.privacy.len(), 2);
}

#[test]
fn no_cell_stands_in_a_draft() {
    let cell = |column: &str, row: usize| match column {
        "number" => format!("{}", 777_001 + row * 13),
        "date" => format!("1987-06-{:02}", row % 28 + 1),
        "code" => format!("QZ{:03}", row % 40),
        "diagnosis" => format!("canary-{}", row % 7),
        "constant" => "canary-constant".to_owned(),
        "remark" => format!("canary {row} in a long sentence about what somebody said some day"),
        _ => format!("canary-{}", row % 5),
    };
    let header = ["number", "date", "code", "diagnosis", "constant", "remark", "group"];
    let records: Vec<Vec<String>> =
        (0..60).map(|row| header.iter().map(|column| cell(column, row)).collect()).collect();
    let found = Case::new(&table(&header, &records)).draft().unwrap();
    let json = serde_json::to_string(&found).unwrap();
    for value in records.iter().flatten() {
        assert!(!json.contains(value.as_str()), "{value}\n{}", found.policy);
    }
    for piece in ["canary", "7770", "1987", "QZ0"] {
        assert!(!json.contains(piece), "{piece}\n{}", found.policy);
    }
}

#[test]
fn small_tables_ask_for_what_they_can_give() {
    for (records, k) in [(2, 2), (3, 3), (4, 4), (5, 5), (9, 5)] {
        let rows: Vec<Vec<String>> = (0..records).map(|row| vec![format!("n{row}"), format!("{}", row % 2)]).collect();
        let case = Case::new(&table(&["name", "sex"], &rows));
        let found = case.draft().unwrap();
        assert!(found.policy.contains(&format!("\nk = {k}\n")), "{}", found.policy);
        let released = case.release(&parse(&found)).unwrap();
        assert_eq!(released.report.records, records);
    }
}

#[test]
fn diversity_is_never_more_than_there_is() {
    for (values, l) in [(1, None), (2, Some(2)), (5, Some(2)), (6, Some(3)), (30, Some(3))] {
        let rows: Vec<Vec<String>> =
            (0..60).map(|row| vec![format!("{}", row % 3), format!("d{}", row % values)]).collect();
        let case = Case::new(&table(&["group", "disease"], &rows));
        let found = case.draft().unwrap();
        assert_eq!(found.policy.contains("\nl = "), l.is_some(), "{}", found.policy);
        assert!(l.is_none_or(|l| found.policy.contains(&format!("\nl = {l}\n"))), "{}", found.policy);
        case.release(&parse(&found)).unwrap();
    }
}

#[test]
fn a_table_of_identifiers_still_has_a_release() {
    let rows: Vec<Vec<String>> =
        (0..12).map(|row| vec![format!("person {row}"), format!("p{row}@example.org")]).collect();
    for columns in 1..=2 {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row[..columns].to_vec()).collect();
        let case = Case::new(&table(&["name", "email"][..columns], &rows));
        let found = case.draft().unwrap();
        assert_eq!(found.columns.iter().filter(|column| column.role == Role::QuasiIdentifying).count(), 1);
        case.release(&parse(&found)).unwrap();
    }
}

#[test]
fn skewed_columns_get_a_model_that_minds() {
    let drafted = |rare: usize| {
        let rows: Vec<Vec<String>> = (0..200)
            .map(|row| {
                vec![
                    format!("{}", row % 4),
                    if row % rare == 0 { format!("d{}", row / rare % 7) } else { "none known".into() },
                ]
            })
            .collect();
        let case = Case::new(&table(&["group", "disease"], &rows));
        let found = case.draft().unwrap();
        case.release(&parse(&found)).unwrap();
        parse(&found).privacy.last().unwrap().clone()
    };
    // 90 % of the records share a value, 60 % do.
    assert_eq!(drafted(10).model, "t-closeness");
    let rows: Vec<Vec<String>> = (0..200)
        .map(|row| vec![format!("{}", row % 4), format!("d{}", if row % 5 < 3 { 0 } else { row % 17 + 1 })])
        .collect();
    let found = Case::new(&table(&["group", "disease"], &rows)).draft().unwrap();
    assert!(found.policy.contains("kind = \"entropy\""), "{}", found.policy);
}

#[test]
fn columns_without_a_value_are_no_obstacle() {
    for table in ["a,b\n,\n,\n,\n", "only\nNA\nNA\nNA\n", "a\nx\n", "a,b\nNA,1\nleer,2\n?,3\n"] {
        let case = Case::new(table);
        let found = case.draft().unwrap_or_else(|error| panic!("{table:?}: {error}"));
        let policy = parse(&found);
        assert_eq!(policy.variables.len(), table.lines().next().unwrap().split(',').count());
        let _ = case.release(&policy);
    }
}

#[test]
fn a_table_without_records_is_refused() {
    let error = Case::new("a,b\n").draft().unwrap_err();
    assert_eq!((error.kind, error.message.starts_with("0 records")), (error::Kind::Unsafe, true));
}

#[test]
fn a_column_beyond_memory_is_left_out() {
    let rows: Vec<Vec<String>> = (0..5000).map(|row| vec![format!("{row}.25"), format!("{}", row % 3)]).collect();
    let case = Case::new(&table(&["amount", "group"], &rows));
    let tight = Resources { threads: 1, memory: 400_000, ..Resources::default() };
    let found = case.draft_with(&tight).unwrap();
    assert_eq!(
        (found.columns[0].more, found.columns[0].role, found.columns[0].kind),
        (true, Role::Identifying, ColumnKind::Number)
    );
    assert_eq!((found.columns[1].more, found.columns[1].role), (false, Role::QuasiIdentifying));
}

#[test]
fn a_wide_table_is_released_too() {
    let names: Vec<String> = (0..24).map(|place| format!("measure {place}")).collect();
    let header: Vec<&str> = names.iter().map(String::as_str).chain(["age"]).collect();
    let cell = |row: usize, place: usize| format!("{}", (row * (place + 3) + row * row) % 97);
    let rows: Vec<Vec<String>> = (0..97).map(|row| (0..25).map(|place| cell(row, place)).collect()).collect();
    let case = Case::new(&table(&header, &rows));
    let policy = parse(&case.draft().unwrap());
    let held: Vec<bool> = policy.variables.iter().map(|variable| variable.levels.is_some()).collect();
    assert!(held[..24].contains(&true) && !held[24]);
    case.release(&policy).unwrap();
}

#[test]
fn hostile_names_stay_names() {
    let header =
        ["a.b", "q\"uote", "line\nbreak", "# comment", "[x]", "ü 日本", "it's", "\\n", "k = 1", "\u{1}", "role"];
    let rows: Vec<Vec<String>> =
        (0..20).map(|row| (0..header.len()).map(|at| format!("{}", (row + at) % 2)).collect()).collect();
    let case = Case::new(&table(&header, &rows));
    let found = case.draft().unwrap();
    let policy = parse(&found);
    assert_eq!(policy.variables.iter().map(|variable| variable.name.as_str()).collect::<Vec<_>>(), header);
    case.release(&policy).unwrap();
}

/// Cells of one column, by kind.
fn cells(kind: usize, numbers: &[u16]) -> Vec<String> {
    let cell = |(row, &number): (usize, &u16)| match kind {
        0 => format!("{}", number % 90),
        1 => format!("-{}.{:02}", number % 7, number % 100),
        2 => format!("{}-{:02}-{:02}", 1950 + number % 70, number % 12 + 1, number % 28 + 1),
        3 => format!("{number:05}"),
        4 => ["", "x", "y y", "=1+1", "*", "NA"][usize::from(number) % 6].to_owned(),
        5 => format!("free {number} text with several words about {row}"),
        6 => "same".to_owned(),
        7 => format!("{row}"),
        8 => ["1e3", "1000", "", "007", "1,5", "+2"][usize::from(number) % 6].to_owned(),
        9 => format!("{:02}/{:02}/2020", number % 12 + 1, number % 12 + 1),
        10 => String::new(),
        _ => ["'", "\"", "a,b", "c\nd", "\t", " "][usize::from(number) % 6].to_owned(),
    };
    numbers.iter().enumerate().map(cell).collect()
}

const NAMES: [&str; 8] = ["age", "name", "diagnosis", "zip", "salary", "x.y", "\"", "état civil"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_draft_is_released_as_it_stands(
        records in 2_usize..60,
        columns in prop::collection::vec((0_usize..12, prop::collection::vec(any::<u16>(), 60)), 1..6),
        shift in 0_usize..8,
    ) {
        let header: Vec<&str> = (0..columns.len()).map(|place| NAMES[(place + shift) % NAMES.len()]).collect();
        let made: Vec<Vec<String>> = columns.iter().map(|(kind, numbers)| cells(*kind, &numbers[..records])).collect();
        let rows: Vec<Vec<String>> =
            (0..records).map(|row| made.iter().map(|column| column[row].clone()).collect()).collect();
        let case = Case::new(&table(&header, &rows));
        let found = case.draft().unwrap();
        let released = case.release(&parse(&found));
        prop_assert!(released.is_ok(), "{}\n{}", released.unwrap_err(), found.policy);
    }
}
