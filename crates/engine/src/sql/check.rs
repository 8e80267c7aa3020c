//! The statement that checks the guarantees in the other engine.
//!
//! A row per promise that does not hold: its name and how many classes or records break it. Classes are the groups of
//! the released quasi-identifiers; the missing value is a value. Besides the models, three things must hold: there are
//! records, no more are withheld than the policy permits, and withholding is all that happened to their number.
//!
//! Limits: distinct numbers are compared as the engine compares floating-point numbers. It may take two for one, never
//! one for two, so the check errs on the strict side. Texts are compared without blanks around them and without case;
//! engines do not agree on Unicode forms, so these were compared when the mask was fitted, and are not here.

use equanym_core::privacy::Requirement;
use equanym_core::variable::Role;

use super::dialect::Dialect;
use super::target::{Target, qualified};
use crate::write::mask_file::StoredMask;

/// The statement.
pub(super) fn check(
    dialect: &Dialect,
    target: &Target,
    stored: &StoredMask,
    promised: &[(&str, Requirement)],
    sensitive: &[String],
) -> String {
    let release = qualified(dialect, &target.name);
    let quasi = stored.mask.columns.iter().filter(|column| column.role == Role::QuasiIdentifying);
    let quasi: Vec<String> = quasi.map(|column| (dialect.name)(&column.name)).collect();
    let mut found: Vec<String> = Vec::new();
    for (model, requirement) in promised {
        let variable = |place: usize| {
            let name = sensitive.get(place).map_or("", String::as_str);
            (name, stored.mask.columns.iter().any(|column| column.name == name && column.number))
        };
        let keys = quasi.join(", ");
        let having = |fails: String| format!("SELECT 1 AS one FROM {release} GROUP BY {keys} HAVING {fails}");
        let classes = match *requirement {
            Requirement::People { least } => having(format!("COUNT(*) < {least}")),
            Requirement::Distinct { sensitive: place, least } => {
                let (name, number) = variable(place);
                having(format!("{} < {least}", distinct(dialect, name, number)))
            }
            Requirement::Share { sensitive: place, most } => {
                let (name, number) = variable(place);
                let (value, most) = (compared(dialect, name, number), (dialect.decimal)(&most.to_string()));
                let counts = format!("SELECT {keys}, COUNT(*) AS n FROM {release} GROUP BY {keys}, {value}");
                format!(
                    "SELECT 1 AS one FROM ({counts}) AS v GROUP BY {keys} HAVING MAX(n) > CAST(SUM(n) AS BIGINT) * {most}"
                )
            }
        };
        found.push(format!("SELECT {} AS promise, COUNT(*) AS broken FROM ({classes}) AS c", (dialect.literal)(model)));
    }
    found.extend(records(dialect, &release, &qualified(dialect, &target.table), stored.suppression_limit));
    format!("SELECT promise, broken FROM (\n  {}\n) AS found\nWHERE broken > 0;", found.join("\n  UNION ALL\n  "))
}

/// How many values of a sensitive column a class holds; the missing value counts as one.
fn distinct(dialect: &Dialect, column: &str, number: bool) -> String {
    let (name, value) = ((dialect.name)(column), compared(dialect, column, number));
    if !number {
        return format!("COUNT(DISTINCT {value})");
    }
    format!("COUNT(DISTINCT {value}) + MAX(CASE WHEN {name} IS NULL THEN 1 ELSE 0 END)")
}

/// A cell of a sensitive column as it is compared with others; a missing number stays missing.
fn compared(dialect: &Dialect, column: &str, number: bool) -> String {
    let name = (dialect.name)(column);
    if number { format!("CAST({name} AS {})", dialect.double) } else { format!("LOWER(TRIM(COALESCE({name}, '')))") }
}

/// What must hold of the numbers of records.
fn records(dialect: &Dialect, release: &str, table: &str, limit: f64) -> [String; 3] {
    let both =
        format!("(SELECT COUNT(*) AS a FROM {table}) AS o CROSS JOIN (SELECT COUNT(*) AS b FROM {release}) AS r");
    let limit = (dialect.decimal)(&limit.to_string());
    let if_so = |when: String, broken: &str| format!("CASE WHEN {when} THEN {broken} ELSE 0 END");
    [
        ("records", if_so("r.b = 0".to_owned(), "1")),
        ("records added", if_so("r.b > o.a".to_owned(), "r.b - o.a")),
        ("suppression limit", if_so(format!("o.a - r.b > o.a * {limit}"), "o.a - r.b")),
    ]
    .map(|(promise, broken)| format!("SELECT '{promise}' AS promise, {broken} AS broken FROM {both}"))
}
