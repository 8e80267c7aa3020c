//! The mask as SQL: the statements run in other engines and give the rows of the release.

mod engines;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::releasing;
use crate::requests;
use crate::stage::refused;
use engines::{Rows, Table, at_hand};
use equanym_engine::error::Result;
use equanym_engine::policy::{LimitUnit, Policy};
use equanym_engine::run::sql::{SqlRequest, sql};
use equanym_engine::sql::{StatementForm, Statements, Target, dialect};
use tempfile::tempdir;

fn statements(data: &Path, policy: &Policy, dialect: &str, form: StatementForm) -> Result<Statements> {
    let target = Target { table: "people".to_owned(), name: "released".to_owned(), form };
    sql(&SqlRequest { target, ..requests::sql(data, policy, dialect) })
}

fn read(path: &Path) -> Table {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let columns = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let cell = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let rows = reader.records().map(|record| record.unwrap().iter().map(cell).collect()).collect();
    Table { name: "people".to_owned(), columns, rows }
}

fn sorted(mut rows: Rows) -> Rows {
    rows.sort();
    rows
}

/// Releases here and there; both must hold the same rows, and the check must find nothing.
fn check_alike(data: &Path, policy: &Policy) {
    let folder = tempdir().unwrap();
    let out = folder.path().join("out");
    releasing::run(data, policy, &out, 2).unwrap();
    // A CSV file guards what a spreadsheet would take for a formula; a database needs no guard.
    let bare = |cell: Option<String>| cell.map(|cell| cell.replace(";' --", "; --"));
    let released = read(&out.join("public/data.csv")).rows.into_iter();
    let released = sorted(released.map(|row| row.into_iter().map(bare).collect()).collect());
    for engine in at_hand() {
        let dialect = engine.dialect;
        for form in [StatementForm::Table, StatementForm::View] {
            let made = statements(data, policy, dialect, form).unwrap();
            let select = "SELECT * FROM released".to_owned();
            let given = engine.run(&read(data), &[made.release, select, made.check]);
            assert_eq!(sorted(given[1].clone()), released, "{dialect}");
            assert_eq!(given[2], Rows::new(), "{dialect}");
        }
    }
}

#[test]
fn the_hospital_is_the_same_everywhere() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hospital");
    let policy = Policy::load(&folder.join("policy.toml")).unwrap();
    check_alike(&folder.join("admissions.csv"), &policy);
}

#[test]
fn ladders_by_rules_and_by_frequency_are_the_same_everywhere() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("codes.csv");
    let codes = ["I50", "I50.1", "I50.14", "J18", "j44.0"];
    let row = |place: usize| {
        format!("{},{},{}\n", codes[place % 5], 60 + place % 45, ["cook", "smith"][usize::from(place == 7)])
    };
    fs::write(&data, "icd,age,job\n".to_owned() + &(0..90).map(row).collect::<String>()).unwrap();
    let policy = releasing::policy(
        "[variables.icd]\nrole = \"quasi-identifying\"\nhierarchy = { library = \"icd-10\" }\nlevels = { min = 2 }\n\
         [variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [10], top = 90 }\n\
         [variables.job]\nrole = \"quasi-identifying\"\nhierarchy = { rare = [5] }\n\
         [[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\nsuppression_limit = 0.1\n",
    );
    check_alike(&data, &policy);
}

/// Names that would be SQL, were they not quoted.
const NAMES: [&str; 6] = ["a\"; DROP TABLE people; --", "it's", "back\\slash", "`tick`", "SELECT", "ελλ ηνι$$κά /* */"];

/// Values that would be.
const VALUES: [&str; 8] =
    ["'); DROP TABLE people; --", "\\", "\\' OR 1=1 --", "\"", "two\nlines", "bell\u{7}", "''", "$$;é—"];

fn hostile(folder: &Path) -> Policy {
    let mut writer = csv::Writer::from_path(folder.join("data.csv")).unwrap();
    writer.write_record(NAMES).unwrap();
    for row in 0..400_usize {
        let value = |step: usize| VALUES[(row / step) % VALUES.len()];
        let rare = if row == 7 { "rare" } else { value(3) };
        writer
            .write_record([value(1), rare, value(5), value(2), value(7), if row % 9 == 0 { "" } else { value(1) }])
            .unwrap();
    }
    writer.flush().unwrap();
    let mut text = String::new();
    for (place, name) in NAMES.iter().enumerate() {
        let role = ["quasi-identifying", "quasi-identifying", "insensitive", "insensitive", "insensitive", "sensitive"];
        let ladder = if place == 0 { "\nhierarchy = { prefix = [2, 1] }" } else { "" };
        writeln!(text, "[variables.{name:?}]\nrole = \"{}\"{ladder}", role[place]).unwrap();
    }
    text += "[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n[[privacy]]\nmodel = \"l-diversity\"\nl = 2\n";
    writeln!(text, "variable = {:?}\n[method]\nsuppression_limit = 0.05", NAMES[5]).unwrap();
    releasing::policy(&text)
}

#[test]
fn hostile_names_and_values_stay_names_and_values() {
    let folder = tempdir().unwrap();
    let policy = hostile(folder.path());
    check_alike(&folder.path().join("data.csv"), &policy);
    for dialect in dialect::ALL {
        let made =
            statements(&folder.path().join("data.csv"), &policy, dialect.card.name, StatementForm::Table).unwrap();
        assert!(made.script().chars().all(|character| character == '\n' || !character.is_control()));
    }
}

#[test]
fn the_check_finds_what_is_wrong() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hospital");
    let policy = Policy::load(&folder.join("policy.toml")).unwrap();
    let data = folder.join("admissions.csv");
    for engine in at_hand() {
        let made = statements(&data, &policy, engine.dialect, StatementForm::Table).unwrap();
        let lonely = "INSERT INTO released (zip) VALUES ('99***')".to_owned();
        let fewer = "DELETE FROM released WHERE sex = 'female'".to_owned();
        let none = "DELETE FROM released".to_owned();
        let steps = [&made.release, &lonely, &made.check, &fewer, &made.check, &none, &made.check].map(Clone::clone);
        let given = engine.run(&read(&data), &steps);
        let promises =
            |rows: &Rows| -> Vec<String> { sorted(rows.clone()).iter().map(|row| row[0].clone().unwrap()).collect() };
        assert_eq!(promises(&given[2]), ["k-anonymity", "l-diversity"], "{}", engine.dialect);
        assert_eq!(promises(&given[4]), ["k-anonymity", "l-diversity", "suppression limit"], "{}", engine.dialect);
        assert_eq!(promises(&given[6]), ["records", "suppression limit"], "{}", engine.dialect);
    }
}

/// Towns of ten records each, two of each person; one town has few people.
fn visits(folder: &Path) -> Policy {
    let mut text = "who,town,illness\n".to_owned();
    for record in 0..120_usize {
        let who = if record / 10 == 3 { record / 5 } else { record / 2 + 1000 };
        let illness = ["flu", "gout", "mumps"][record % 3];
        writeln!(text, "p{who},1{:02},{illness}", record / 10).unwrap();
    }
    std::fs::write(folder.join("data.csv"), text).unwrap();
    releasing::policy(
        "[data]\nperson = \"who\"\n[variables.town]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [2] }\n\
         [variables.illness]\nrole = \"sensitive\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 4\n\
         [[privacy]]\nmodel = \"l-diversity\"\nl = 2\nvariable = \"illness\"\n\
         [method]\nsuppression_limit = 0.1\n",
    )
}

#[test]
fn people_are_counted_in_the_table_that_is_read() {
    let folder = tempdir().unwrap();
    let mut policy = visits(folder.path());
    let data = folder.path().join("data.csv");
    for unit in [LimitUnit::Records, LimitUnit::Persons] {
        policy.method.limit_unit = unit;
        check_alike(&data, &policy);
    }
    for dialect in dialect::ALL {
        let check = statements(&data, &policy, dialect.card.name, StatementForm::Table).unwrap().check;
        assert!(check.contains("COUNT(DISTINCT p) < 4") && check.contains("k-anonymity in people"), "{check}");
    }
    for engine in at_hand() {
        let made = statements(&data, &policy, engine.dialect, StatementForm::Table).unwrap();
        // As many records as before, of one person; and more records of a class that is withheld.
        let one = "UPDATE people SET who = 'p1000' WHERE town = '100'".to_owned();
        let left_out = "UPDATE people SET town = '103' WHERE town IN ('101', '102')".to_owned();
        let steps = [&made.release, &made.check, &one, &made.check, &left_out, &made.check].map(Clone::clone);
        let given = engine.run(&read(&data), &steps);
        let promises =
            |rows: &Rows| -> Vec<String> { sorted(rows.clone()).iter().map(|row| row[0].clone().unwrap()).collect() };
        assert_eq!(given[1], Rows::new(), "{}", engine.dialect);
        assert_eq!(promises(&given[3]), ["k-anonymity in people"], "{}", engine.dialect);
        assert_eq!(promises(&given[5]), ["k-anonymity in people", "suppression limit"], "{}", engine.dialect);
    }
}

#[test]
fn shares_are_those_of_people() {
    let folder = tempdir().unwrap();
    visits(folder.path());
    let data = folder.path().join("data.csv");
    let policy = releasing::policy(
        "[data]\nperson = \"who\"\n[variables.town]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [2] }\n\
         [variables.illness]\nrole = \"sensitive\"\n[[privacy]]\nmodel = \"alpha-k\"\nk = 4\nalpha = 0.5\n\
         variable = \"illness\"\n[method]\nsuppression_limit = 0.1\n",
    );
    check_alike(&data, &policy);
    for engine in at_hand() {
        let made = statements(&data, &policy, engine.dialect, StatementForm::Table).unwrap();
        // Five more people with one illness, and as many records of it as before.
        let more = (0..5).map(|who| format!("('new{who}', '100', 'flu')")).collect::<Vec<_>>().join(", ");
        let steps = [made.release, made.check.clone(), format!("INSERT INTO people VALUES {more}"), made.check];
        let given = engine.run(&read(&data), &steps);
        assert_eq!(given[1], Rows::new(), "{}", engine.dialect);
        assert_eq!(given[3][0][0].as_deref(), Some("alpha-k in people"), "{}: {:?}", engine.dialect, given[3]);
    }
}

#[test]
fn values_that_were_not_counted_are_not_released() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data.csv");
    std::fs::write(&data, format!("zip\n{}{}", "1234\n".repeat(5), "1235\n".repeat(5))).unwrap();
    let policy = releasing::policy(
        "[variables.zip]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [3] }\nlevels = { min = 1, max = 1 }\n\
         [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n",
    );
    for engine in at_hand() {
        let made = statements(&data, &policy, engine.dialect, StatementForm::View).unwrap();
        let mut table = read(&data);
        table.rows.push(vec![Some("9999".to_owned())]);
        let given = engine.run(&table, &[made.release, "SELECT * FROM released".to_owned(), made.check]);
        assert_eq!(given[1], vec![vec![Some("123*".to_owned())]; 10]);
        assert_eq!(given[2].len(), 1, "one record more is withheld than the limit of 0 permits: {:?}", given[2]);
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = tempdir().unwrap();
    let data = folder.path().join("data.csv");
    let long = "x".repeat(64);
    std::fs::write(&data, format!("{long}\n{}", "1\n".repeat(5))).unwrap();
    let text = |extra: &str| {
        format!(
            "[variables.{long}]\nrole = \"quasi-identifying\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n{extra}"
        )
    };
    let made =
        |extra: &str, dialect| statements(&data, &releasing::policy(&text(extra)), dialect, StatementForm::Table);
    made("", "duckdb").unwrap();
    refused(made("", "postgres"), folder.path());
    refused(made("[data]\ntrim = true\n", "duckdb"), folder.path());
    refused(made("[data]\nnormalise = \"NFC\"\n", "duckdb"), folder.path());
}
