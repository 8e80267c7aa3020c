//! What a policy says, what is refused, and how the refusal reads.

mod hostile;
mod loading;
mod methods;
mod models;
mod reading;
mod reference;
mod refusing;
mod releasing;

use std::path::Path;

use equanym_engine::error::{Error, Result};
use equanym_engine::policy::Policy;

use crate::stage::refused;

/// The policy of the interface description.
const SAMPLE: &str = r#"
[variables.name]
role = "identifying"                          # never released

[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20, 40] }   # level 1 = 5-year bands …; the top `*` is added
points = { user = 60, intruder = 40 }         # preference points; user points are also the weights of weighted losses

[variables.zip]
role = "quasi-identifying"
hierarchy = { prefix = [4, 3, 2] }            # keep the first 4, 3, 2 characters

[variables.admitted]
role = "quasi-identifying"
hierarchy = { date = ["month", "quarter", "year"] }

[variables.education]
role = "quasi-identifying"
hierarchy = { file = "hierarchies/education.csv" }   # ARX layout; relative to the policy

[variables.marital]
role = "quasi-identifying"
hierarchy = { groups = [{ "Been married" = ["Married", "Widowed", "Divorced"], "Never married" = ["Single"] }] }
levels = { min = 0, max = 1 }                 # optional bounds on the level

[variables.diagnosis]
role = "sensitive"

[variables.ward]
role = "insensitive"

[[privacy]]
model = "k-anonymity"
k = 5

[[privacy]]
model = "l-diversity"                          # kinds: distinct (default), entropy, recursive
variable = "diagnosis"
l = 3

[method]
name = "global-recoding"                       # or mondrian, random-walk, perturbation, …
search = "optimal"                             # or ola, incognito, samarati, datafly, exhaustive, balance
loss = "non-uniform-entropy"                   # or weighted-non-uniform-entropy, discernibility, …
suppression_limit = 0.05                       # share of records, 0 to 1

[preferences]                                  # price theory
alpha = 0.5                                    # weight of information utility
beta = 0.5                                     # weight of privacy
target = "coupled"                             # or paper (the single global budget), max-satisfaction

[preferences.ration.zip]                       # optional, per variable
min_protection = { level = 2 }                 # at least as private as level 2; or an amount
min_utility = 4.2

[output]
format = "csv"                                 # or parquet
order = "canonical"                            # or input: keeps the row order, and leaks it
"#;

const EDUCATION: &str = "Bachelors;Higher;*\nMasters;Higher;*\nPreschool;Lower;*\n";

fn files(name: &str) -> Result<String> {
    match name {
        "hierarchies/education.csv" => Ok(EDUCATION.to_owned()),
        "ragged.csv" => Ok("a;x;*\nb;y\n".to_owned()),
        _ => Err(Error::input(format!("there is no file `{name}`"))),
    }
}

fn read(text: &str) -> Policy {
    Policy::parse(text, &files).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The refusal of a policy; every refusal is the policy's fault and shows no value of the data.
fn refusal(text: &str) -> String {
    let message = refused(Policy::parse(text, &files), Path::new("no folder")).to_string();
    assert!(!message.contains("Smith"), "a value leaked from:\n{text}\n{message}");
    message
}

/// A policy of two variables, followed by more.
fn hospital(more: &str) -> String {
    format!("[variables.age]\nrole = \"quasi-identifying\"\n[variables.illness]\nrole = \"sensitive\"\n{more}")
}

fn columns(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}
