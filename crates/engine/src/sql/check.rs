//! The statement that checks the guarantees in the other engine.
//!
//! A row per promise that does not hold: its name and how many classes or records break it. Classes are the groups of
//! the released quasi-identifiers; the missing value is a value. Besides the models, three things must hold: there are
//! records, no more are withheld than the policy permits, and withholding is all that happened to their number.
//!
//! Where a person is named, people are counted in the table that was read: the release does not tell who is who. What it
//! counts there are the records that the release statement would release now.
//!
//! Limits: distinct numbers are compared as the engine compares floating-point numbers. It may take two for one, never
//! one for two, so the check errs on the strict side. Texts are compared without blanks around them and without case;
//! engines do not agree on Unicode forms, so these were compared when the mask was fitted, and are not here.

use equanym_core::privacy::Requirement;
use equanym_core::variable::Role;

use super::dialect::Dialect;
use super::statement::People;
use super::target::{Target, qualified};
use crate::mask::StoredMask;
use crate::policy::LimitUnit;

/// What is checked.
pub(super) struct Guarantees<'a> {
    /// Each model with what it asks of a class.
    pub models: &'a [(&'a str, Requirement)],
    /// The sensitive variables that they look at.
    pub sensitive: &'a [String],
    /// How people are counted, where a person is named.
    pub people: Option<People>,
}

/// The statement.
pub(super) fn check(dialect: &Dialect, target: &Target, stored: &StoredMask, guarantees: &Guarantees<'_>) -> String {
    let Guarantees { models, sensitive, people } = guarantees;
    let release = qualified(dialect, &target.name);
    let quasi = stored.mask.columns.iter().filter(|column| column.role == Role::QuasiIdentifying);
    let quasi: Vec<String> = quasi.map(|column| (dialect.name)(&column.name)).collect();
    let mut found: Vec<String> = Vec::new();
    for (model, requirement) in *models {
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
                let value = compared(dialect, &(dialect.name)(name), number);
                let counts = format!("SELECT {keys}, COUNT(*) AS n FROM {release} GROUP BY {keys}, {value}");
                too_large(&counts, &keys, dialect, most)
            }
        };
        let by_people = people.as_ref().and_then(|people| broken_by_people(dialect, people, *requirement, variable));
        // Shares of records are no matter where people are counted.
        if by_people.is_none() || !matches!(requirement, Requirement::Share { .. }) {
            found.push(broken(dialect, model, &classes));
        }
        found.extend(by_people.map(|classes| broken(dialect, &format!("{model} in people"), &classes)));
    }
    let table = qualified(dialect, &target.table);
    found.extend(records(&release, &table));
    found.push(match people {
        Some(people) if stored.limit_unit == LimitUnit::Persons => limit_of_people(dialect, people, stored),
        _ => limit_of_records(dialect, &release, &table, stored),
    });
    format!("SELECT promise, broken FROM (\n  {}\n) AS found\nWHERE broken > 0;", found.join("\n  UNION ALL\n  "))
}

/// How many values of a sensitive column a class holds; the missing value counts as one.
fn distinct(dialect: &Dialect, column: &str, number: bool) -> String {
    let name = (dialect.name)(column);
    let value = compared(dialect, &name, number);
    if !number {
        return format!("COUNT(DISTINCT {value})");
    }
    format!("COUNT(DISTINCT {value}) + MAX(CASE WHEN {name} IS NULL THEN 1 ELSE 0 END)")
}

/// A cell of a sensitive column as it is compared with others; a missing number stays missing.
fn compared(dialect: &Dialect, name: &str, number: bool) -> String {
    if number { format!("CAST({name} AS {})", dialect.double) } else { format!("LOWER(TRIM(COALESCE({name}, '')))") }
}

/// The classes that break a promise about people; nothing where it counts no people.
fn broken_by_people<'a>(
    dialect: &Dialect,
    people: &People,
    requirement: Requirement,
    variable: impl Fn(usize) -> (&'a str, bool),
) -> Option<String> {
    let labels: Vec<String> = (1..=people.labels).map(|place| format!("c{place}")).collect();
    let (kept, labels) = (&people.kept, labels.join(", "));
    match requirement {
        Requirement::People { least } => {
            Some(format!("SELECT 1 AS one FROM ({kept}) AS k GROUP BY {labels} HAVING COUNT(DISTINCT p) < {least}"))
        }
        Requirement::Share { sensitive, most } => {
            let value = compared(dialect, &format!("s{}", sensitive + 1), variable(sensitive).1);
            let counts =
                format!("SELECT {labels}, COUNT(DISTINCT p) AS n FROM ({kept}) AS k GROUP BY {labels}, {value}");
            Some(too_large(&counts, &labels, dialect, most))
        }
        Requirement::Distinct { .. } => None,
    }
}

/// The classes in which a value has more than a share, given how often each value occurs in each class.
fn too_large(counts: &str, keys: &str, dialect: &Dialect, most: f64) -> String {
    let most = (dialect.decimal)(&most.to_string());
    format!("SELECT 1 AS one FROM ({counts}) AS v GROUP BY {keys} HAVING MAX(n) > CAST(SUM(n) AS BIGINT) * {most}")
}

/// How many classes break a promise.
fn broken(dialect: &Dialect, promise: &str, classes: &str) -> String {
    format!("SELECT {} AS promise, COUNT(*) AS broken FROM ({classes}) AS c", (dialect.literal)(promise))
}

/// How many records there were and are.
fn both(release: &str, table: &str) -> String {
    format!("(SELECT COUNT(*) AS a FROM {table}) AS o CROSS JOIN (SELECT COUNT(*) AS b FROM {release}) AS r")
}

/// A promise that is broken by so many when something is the case.
fn if_so(promise: &str, when: &str, broken: &str, from: &str) -> String {
    format!("SELECT '{promise}' AS promise, CASE WHEN {when} THEN {broken} ELSE 0 END AS broken FROM {from}")
}

/// What must hold of the numbers of records.
fn records(release: &str, table: &str) -> [String; 2] {
    let both = both(release, table);
    [if_so("records", "r.b = 0", "1", &both), if_so("records added", "r.b > o.a", "r.b - o.a", &both)]
}

const LIMIT: &str = "suppression limit";

/// No more records are withheld than may be.
fn limit_of_records(dialect: &Dialect, release: &str, table: &str, stored: &StoredMask) -> String {
    let limit = (dialect.decimal)(&stored.suppression_limit.to_string());
    if_so(LIMIT, &format!("o.a - r.b > o.a * {limit}"), "o.a - r.b", &both(release, table))
}

/// No more people lost a record than may.
fn limit_of_people(dialect: &Dialect, people: &People, stored: &StoredMask) -> String {
    let limit = (dialect.decimal)(&stored.suppression_limit.to_string());
    let by_person = |query: &str| format!("(SELECT p, COUNT(*) AS n FROM ({query}) AS q GROUP BY p)");
    let (all, kept) = (by_person(&people.all), by_person(&people.kept));
    let lost = "SUM(CASE WHEN r.n IS NULL OR r.n < o.n THEN 1 ELSE 0 END)";
    let counts = format!("(SELECT {lost} AS a, COUNT(*) AS b FROM {all} AS o LEFT JOIN {kept} AS r ON r.p = o.p) AS x");
    if_so(LIMIT, &format!("x.a > x.b * {limit}"), "x.a", &counts)
}
