//! Ladders that a draft writes, or finds beside the table.

use std::fs;

use equanym_core::variable::Role;
use equanym_engine::policy::Policy;
use equanym_engine::run::draft::{self, Draft};
use tempfile::TempDir;

use super::{Case, parse, table};
use crate::releasing;
use crate::requests;

#[test]
fn every_kind_of_ladder_is_written() {
    let row = |row: usize| {
        let day = row % 28 + 1;
        vec![
            format!("{}", 20 + row % 60),
            format!("{}.5", row % 9),
            format!("{}", 10_i128.pow(30) * (1 + i128::try_from(row).unwrap() % 50)),
            format!("{day:02}.03.{}", 1950 + row % 60),
            format!("03/{day:02}/2020"),
            format!("691{:02}", row % 30),
            ["a", "b"][row % 2].to_owned(),
            ["I10", "I50.14", "E11.6", "J18.9"][row % 4].to_owned(),
            ["DE", "AT", "FR"][row % 3].to_owned(),
            if row < 100 { "walk in".to_owned() } else { format!("way {}", row % 9) },
        ]
    };
    let records: Vec<Vec<String>> = (0..120).map(row).collect();
    let header = ["age", "dose", "huge", "born", "seen", "zip", "group", "code", "origin", "arrival"];
    let case = Case::new(&table(&header, &records));
    let found = case.draft().unwrap();
    for line in [
        "hierarchy = { intervals = [5, 10, 20, 40] }",
        "hierarchy = { intervals = [0.5, 1, 2, 4] }",
        "hierarchy = { date = [\"month\", \"year\", \"5 years\", \"decade\"], format = \"DD.MM.YYYY\" }",
        "hierarchy = { date = [\"month\", \"quarter\", \"year\"], format = \"MM/DD/YYYY\" }",
        "hierarchy = { prefix = [4, 3, 2, 1] }",
        "hierarchy = { library = \"icd-10\" }",
        "hierarchy = { library = \"country-region\" }",
        "hierarchy = { rare = [5] }",
    ] {
        assert!(found.policy.contains(line), "{line}\n{}", found.policy);
    }
    case.release(&parse(&found)).unwrap();
}

/// A case with a folder of ladders beside the data.
fn laddered(table: &str, ladders: &[(&str, &str)]) -> Case {
    let case = Case::new(table);
    let folder = case.folder.path().join("hierarchies");
    fs::create_dir(&folder).unwrap();
    for (name, text) in ladders {
        fs::write(folder.join(name), text).unwrap();
    }
    case
}

fn load(case: &Case, draft: &Draft) -> Policy {
    let path = case.folder.path().join("policy.toml");
    fs::write(&path, &draft.policy).unwrap();
    Policy::load(&path).unwrap_or_else(|error| panic!("{error}\n{}", draft.policy))
}

#[test]
fn ladders_beside_the_data_are_used() {
    let rows: Vec<Vec<String>> = (0..90)
        .map(|row| {
            vec![["ash", "birch", "fir"][row % 3].into(), format!("{}", 20 + row % 30), ["x", "y"][row % 2].into()]
        })
        .collect();
    let trees = "ash;broad;*\nbirch;broad;*\nfir;needle;*\npine;needle;*\n";
    let case = laddered(
        &table(&["Tree", "age", "salary"], &rows),
        &[("wood_hierarchy_tree.csv", trees), ("AGE.csv", "20;young\n21;young\n"), ("salary.csv", "x;*\ny;*\n")],
    );
    let found = case.draft().unwrap();
    assert!(
        found.policy.contains("hierarchy = { file = \"hierarchies/wood_hierarchy_tree.csv\" }"),
        "{}",
        found.policy
    );
    assert!(
        found.policy.contains("# hierarchies/AGE.csv was not used: 28 value(s) of the column are not in it."),
        "{}",
        found.policy
    );
    assert!(found.policy.contains("hierarchy = { intervals = "), "{}", found.policy);
    assert!(found.policy.contains("# Its ladder beside the data is not needed"), "{}", found.policy);
    case.release(&load(&case, &found)).unwrap();
}

#[test]
fn ladders_are_named_from_where_the_policy_lies() {
    let rows: Vec<Vec<String>> = (0..30).map(|row| vec![["a", "b", "c"][row % 3].into()]).collect();
    let case = laddered(&table(&["x\"] \n[method"], &rows), &[("x method.csv", "a;p\nb;p\nc;q\n")]);
    let elsewhere = TempDir::new().unwrap();
    let data = case.folder.path().join("data.csv");
    for folder in [case.folder.path().parent().unwrap(), elsewhere.path()] {
        let found = draft::draft(&requests::draft(&data, folder)).unwrap();
        let path = folder.join(format!("policy-{}.toml", std::process::id()));
        fs::write(&path, &found.policy).unwrap();
        let policy = Policy::load(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(policy.unwrap().variables.len(), 1, "{}", found.policy);
    }
}

#[test]
fn the_benchmark_data_have_ladders_beside_them() {
    let Some(data) = releasing::shared_data() else { return };
    for (name, columns, most_stars) in
        [("adult", 9, 3), ("adult13", 13, 5), ("cup", 8, 2), ("fars10pct", 8, 2), ("ss13acs5", 5, 1)]
    {
        let table = data.join(name).join(format!("{name}.csv"));
        let out = TempDir::new().unwrap();
        let found = draft::draft(&requests::draft(&table, out.path())).unwrap();
        assert_eq!(found.columns.len(), columns);
        let quasi = found.columns.iter().filter(|column| column.role == Role::QuasiIdentifying).count();
        assert_eq!(found.policy.matches("hierarchy = { file = ").count(), quasi, "{name}");
        assert!(quasi + 1 >= columns, "{name}");
        let path = out.path().join("policy.toml");
        fs::write(&path, &found.policy).unwrap();
        let policy = Policy::load(&path).unwrap();
        let released = releasing::run(&table, &policy, &out.path().join("out"), 2).unwrap();
        let tops: Vec<u8> =
            policy.of_role(Role::QuasiIdentifying).map(|one| one.hierarchy.fit(&[]).unwrap().height()).collect();
        let stars = released.report.node.0.iter().zip(&tops).filter(|((_, level), top)| level >= top).count();
        assert!(stars <= most_stars, "{name}: {stars}\n{:?}", released.report.node);
    }
}
