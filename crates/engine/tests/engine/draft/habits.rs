//! How a table was written: a draft finds it out, or is told.

use std::fmt::Write;
use std::fs;

use equanym_core::variable::Role;
use equanym_engine::error;
use equanym_engine::read::{Encoding, RaggedRecords, Reading};
use equanym_engine::run::draft::ColumnKind;

use super::{Case, parse, roles, table};

#[test]
fn numbers_with_separators_are_texts() {
    let records: Vec<Vec<String>> = (0..40).map(|row| vec![format!("1,{:03}", row % 10), "x".into()]).collect();
    let case = Case::new(&table(&["amount", "y"], &records));
    let found = case.draft().unwrap();
    assert_eq!(found.columns[0].kind, ColumnKind::Text);
    case.release(&parse(&found)).unwrap();
}

#[test]
fn how_the_table_was_read_is_kept() {
    let mut case = Case::new("age| sex\n30| m\n?| f\n31\n30| m\n");
    assert!(!case.draft().map_or_else(|error| error.to_string(), |found| found.policy).contains("[data]"));
    case.reading = Reading {
        delimiter: Some(b'|'),
        ragged: RaggedRecords::Null,
        missing: vec!["?".into()],
        trim: true,
        ..Reading::default()
    };
    let found = case.draft().unwrap();
    let policy = parse(&found);
    assert_eq!((found.columns[0].missing, found.columns[1].missing), (1, 1));
    assert_eq!(found.columns[1].name, "sex");
    assert_eq!((policy.data.delimiter, policy.data.ragged), (Some(b'|'), RaggedRecords::Null));
    assert_eq!((policy.data.missing, policy.data.trim), (vec!["?".to_owned()], true));
}

/// A clinic's table: semicolons, decimal commas, dates with dots, words for missing, codes without their zeros.
fn clinic_like() -> String {
    let mut text = "Fallnummer;Patientennr;Geburtsdatum;PLZ;Gewicht;Station;Hauptdiagnose;Bemerkung\n".to_owned();
    for row in 0..400 {
        let born = if row % 50 == 7 {
            "leer".into()
        } else {
            format!("{:02}.{:02}.{}", row % 28 + 1, row % 12 + 1, 1940 + row % 60)
        };
        let postal = match row % 40 {
            3 => "NA".into(),
            5 => format!("{}", 1000 + row % 90),
            _ => format!("{:05}", 1000 + row % 90),
        };
        let weight = if row % 30 == 1 { "NA".into() } else { format!("{},{}", 50 + row % 60, row % 10) };
        let ward = ["A", "B", "NA"][row % 3];
        let code = ["I50", "I50.1", "I50.14", "J18.9", "K80.2", "E11", "N20.1"][row % 7];
        let remark = format!("Ruft an {row}");
        writeln!(text, "F{row:05};P{:04};{born};{postal};{weight};{ward};{code};{remark}", row % 300).unwrap();
    }
    text
}

#[test]
fn how_a_table_was_written_is_learnt() {
    let case = Case::new(&clinic_like());
    let found = case.draft().unwrap();
    let expected = [
        ("Fallnummer", ColumnKind::Code, Role::Identifying),
        ("Patientennr", ColumnKind::Code, Role::Identifying),
        ("Geburtsdatum", ColumnKind::Date, Role::QuasiIdentifying),
        ("PLZ", ColumnKind::Code, Role::QuasiIdentifying),
        ("Gewicht", ColumnKind::Number, Role::QuasiIdentifying),
        ("Station", ColumnKind::Text, Role::QuasiIdentifying),
        ("Hauptdiagnose", ColumnKind::Code, Role::Sensitive),
        ("Bemerkung", ColumnKind::Text, Role::Identifying),
    ];
    assert_eq!(roles(&found), expected);
    assert_eq!(found.person.as_deref(), Some("Patientennr"));
    let policy = parse(&found);
    assert_eq!(
        (policy.data.missing.as_slice(), policy.data.delimiter),
        (&["NA".to_owned(), "leer".to_owned()][..], Some(b';'))
    );
    assert_eq!((policy.data.notation.decimal, policy.data.notation.thousands), (',', None));
    assert_eq!(
        policy.variables.iter().map(|one| one.width).collect::<Vec<_>>(),
        [None, None, None, Some(5), None, None, None, None]
    );
    // What is missing in one column is missing in every other.
    assert_eq!(found.columns[5].missing, 133);
    assert!(found.notes.iter().any(|note| note.contains("`PLZ`")), "{:?}", found.notes);
    case.release(&policy).unwrap();
}

#[test]
fn text_that_is_not_utf8_is_read_all_the_same() {
    let mut case = Case::new("");
    let rows: Vec<String> = (0..60).map(|row| format!("{},M\u{fc}nchen\n", row % 5)).collect();
    let bytes: Vec<u8> = format!("alter,ort\n{}", rows.concat())
        .chars()
        .map(|letter| u8::try_from(u32::from(letter)).unwrap())
        .collect();
    fs::write(case.folder.path().join("data.csv"), bytes).unwrap();
    let found = case.draft().unwrap();
    assert_eq!(parse(&found).data.encoding.label(), "windows-1252");
    assert_eq!(found.notes, ["Text was read as windows-1252."]);
    case.release(&parse(&found)).unwrap();
    // Who says what it is has the last word.
    case.reading.encoding = Encoding::Utf8;
    assert_eq!(case.draft().unwrap_err().kind, error::Kind::Input);
}

#[test]
fn points_and_commas_in_one_table_are_left_alone() {
    let rows: Vec<Vec<String>> = (0..40).map(|row| vec![format!("{},5", row % 9), format!("{}.5", row % 9)]).collect();
    let found = Case::new(&table(&["one", "other"], &rows)).draft().unwrap();
    assert_eq!((found.columns[0].kind, found.columns[1].kind), (ColumnKind::Text, ColumnKind::Number));
    assert!(parse(&found).data.notation.is_usual());
}

#[test]
fn words_for_missing_are_learnt_or_pointed_out() {
    let rows: Vec<Vec<String>> = (0..30).map(|row| vec![["17", "NA", "45"][row % 3].to_owned()]).collect();
    let found = Case::new(&table(&["age"], &rows)).draft().unwrap();
    assert_eq!((found.columns[0].kind, found.columns[0].missing), (ColumnKind::Number, 10));
    assert_eq!(parse(&found).data.missing, ["NA"]);
    // In a column of words it may be one of them.
    let rows: Vec<Vec<String>> = (0..30).map(|row| vec![["DE", "NA", "FR"][row % 3].to_owned()]).collect();
    let found = Case::new(&table(&["country"], &rows)).draft().unwrap();
    assert_eq!(parse(&found).data.missing, [""; 0]);
    assert!(found.policy.contains("# 1 value(s) look like a word for missing"), "{}", found.policy);
}
