//! What privacy models cost: the whole program with each of them, and with people instead of records.
//!
//! Adult with eight quasi-identifiers and its occupation as the sensitive variable, k = 5 and one more model, non-uniform
//! entropy, at most 5 % of the records withheld; the counts and times of ARX 3.9.2 for the same question stand beside where
//! they are known. Then models that judge all classes together, each alone. Then two larger tables; LKC-privacy beside
//! k-anonymity (`parts`). Then the same made-up tables by records and by people, in turns. Last, the estimators of population
//! uniques ([`uniques`]).

use std::fmt::Write;
use std::path::Path;

use equanym_engine::run::demo;
use serde_json::Value;

use crate::failure::Result;
use crate::figures::{grouped, median, short};
use crate::folder::Folder;
use crate::markdown;
use crate::parts;
use crate::settings::Settings;
use crate::uniques;
use crate::whole::{self, Question, ReleaseRun};

const RUNS: usize = 5;

/// The quasi-identifiers of adult, in the order in which levels are told.
pub const ADULT: [&str; 8] =
    ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"];

/// A model in a policy, and the nodes that ARX counts with it.
const MODELS: [(&str, &str); 12] = [
    ("model = \"t-closeness\"\nt = 0.2", "4,304"),
    ("model = \"t-closeness\"\nt = 0.4", "2,093"),
    ("model = \"t-closeness\"\nt = 0.2\ndistance = \"hierarchical\"", "–"),
    ("model = \"l-diversity\"\nl = 3", "–"),
    ("model = \"l-diversity\"\nl = 3\nkind = \"entropy\"", "2,412 (l = 2.5)"),
    ("model = \"l-diversity\"\nl = 3\nkind = \"entropy\"\nestimator = \"grassberger\"", "–"),
    ("model = \"l-diversity\"\nl = 3\nkind = \"recursive\"\nc = 4", "–"),
    ("model = \"beta-likeness\"\nbeta = 2", "2,877"),
    ("model = \"beta-likeness\"\nbeta = 2\nkind = \"enhanced\"", "–"),
    ("model = \"delta-disclosure\"\ndelta = 2\nabsent = \"ignored\"", "–"),
    ("model = \"delta-disclosure\"\ndelta = 2", "–"),
    ("model = \"alpha-k\"\nalpha = 0.4\nk = 5", "–"),
];

/// Models that judge all classes together, and one of sizes, each alone.
const ALONE: [&str; 9] = [
    "model = \"average-risk\"\nmax = 0.05",
    "model = \"records-at-risk\"\nhighest = 0.2\nshare = 0.05",
    "model = \"sample-uniques\"\nmax = 0.01",
    "model = \"population-uniques\"\nmax = 0.001\nfraction = 0.01",
    "model = \"population-uniques\"\nmax = 0.001\nfraction = 0.2",
    "model = \"population-uniques\"\nmax = 0.001\nfraction = 0.2\nestimator = \"pitman\"",
    "model = \"population-uniques\"\nmax = 0.001\nfraction = 0.2\nestimator = \"zayatz\"",
    "model = \"cost-benefit\"\nbenefit = 10\nloss = 300\ngain = 300\ncost = 4",
    "model = \"cost-benefit\"\nattack = \"none\"\ngain = 300\ncost = 40",
];

/// Larger tables: their sensitive variable and a model.
const LARGE: [(&str, &str, &str); 2] = [
    ("adult13", "occupation", "model = \"t-closeness\"\nt = 0.2"),
    ("ihis-synth", "EDUC", "model = \"l-diversity\"\nl = 3\nkind = \"entropy\""),
];

/// Measures and describes.
pub fn report(settings: &Settings) -> Result<String> {
    let folder = Folder::new("models")?;
    let mut text = String::new();
    if whole::file(&settings.data, "adult").is_some() {
        writeln!(text, "{}", each_model(settings, &folder.0)?)?;
        writeln!(text, "{}", each_alone(settings, &folder.0)?)?;
        writeln!(text, "{}", large(settings, &folder.0)?)?;
        writeln!(text, "{}", parts::report(settings, &folder.0)?)?;
    }
    writeln!(text, "{}", people(&folder.0)?)?;
    writeln!(text, "Population uniques by estimate, bias and spread over random samples of a known population:\n")?;
    write!(text, "{}", uniques::report(&settings.data))?;
    Ok(text)
}

fn each_model(settings: &Settings, folder: &Path) -> Result<String> {
    let mut rows = Vec::new();
    for (model, arx) in MODELS {
        eprintln!("{model:?}");
        let guarded = GuardedTable { name: "adult", sensitive: "occupation", model, quasi: Some(&ADULT) };
        let question = guarded.question(&settings.data, folder)?;
        let row = match attempts(&question, folder) {
            Ok(runs) => [told(&runs), vec![arx.to_owned()]].concat(),
            Err(failure) if failure.to_string().contains("no safe node") => {
                [vec!["no safe node".to_owned()], vec!["–".to_owned(); 4], vec![arx.to_owned()]].concat()
            }
            Err(failure) => return Err(failure),
        };
        rows.push([vec![in_words(model)], row].concat());
    }
    let head = ["model on adult", "levels", "suppressed", "nodes", "search ms", "s in all", "nodes of ARX"];
    Ok(markdown::table(&head, 2, &rows))
}

fn each_alone(settings: &Settings, folder: &Path) -> Result<String> {
    let mut rows = Vec::new();
    for model in ALONE {
        eprintln!("{model:?}");
        let guarded = GuardedTable { name: "adult", sensitive: "occupation", model, quasi: Some(&ADULT) };
        let question = guarded.question(&settings.data, folder)?;
        rows.push([vec![in_words(model)], told(&attempts(&question, folder)?)].concat());
    }
    let head = ["alone on adult", "levels", "suppressed", "nodes", "search ms", "s in all"];
    Ok(markdown::table(&head, 2, &rows))
}

fn large(settings: &Settings, folder: &Path) -> Result<String> {
    let mut rows = Vec::new();
    for (name, sensitive, model) in LARGE.into_iter().filter(|(name, ..)| whole::file(&settings.data, name).is_some()) {
        eprintln!("{name}");
        let question = GuardedTable { name, sensitive, model, quasi: None }.question(&settings.data, folder)?;
        rows.push([vec![format!("{name}, {}", in_words(model))], told(&attempts(&question, folder)?)].concat());
    }
    let head = ["larger tables", "levels", "suppressed", "nodes", "search ms", "s in all"];
    Ok(markdown::table(&head, 2, &rows))
}

/// A published table with a sensitive variable, k = 5 and one more model, or one of [`ALONE`].
struct GuardedTable<'a> {
    name: &'a str,
    sensitive: &'a str,
    model: &'a str,
    /// All others, where none are named.
    quasi: Option<&'a [&'a str]>,
}

impl GuardedTable<'_> {
    fn question(&self, data: &Path, folder: &Path) -> Result<Question> {
        let file = whole::file(data, self.name).ok_or("the data set is not there")?;
        let mut text = String::new();
        for (column, path) in whole::ladders(data, self.name)? {
            if column == self.sensitive {
                writeln!(text, "[variables.{column:?}]\nrole = \"sensitive\"")?;
                if self.model.contains("hierarchical") {
                    writeln!(text, "hierarchy = {{ file = {path:?} }}")?;
                }
            } else if self.quasi.is_none_or(|quasi| quasi.contains(&column.as_str())) {
                text.push_str(&whole::quasi(&column, &path));
            }
        }
        if ALONE.contains(&self.model) {
            writeln!(text, "[[privacy]]\n{}\n", self.model)?;
        } else {
            writeln!(text, "[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n")?;
            writeln!(text, "[[privacy]]\n{}\nvariable = {:?}\n", self.model, self.sensitive)?;
        }
        writeln!(text, "[method]\nsuppression_limit = 0.05")?;
        let policy = folder.join("guarded.toml");
        std::fs::write(&policy, text)?;
        Ok(Question { data: file, policy })
    }
}

pub fn in_words(model: &str) -> String {
    model.replace("model = ", "").replace('"', "").replace('\n', ", ")
}

pub fn attempts(question: &Question, folder: &Path) -> Result<Vec<ReleaseRun>> {
    (0..RUNS).map(|_| whole::once(question, None, &folder.join("out"))).collect()
}

fn middle(runs: &[ReleaseRun], of: impl Fn(&ReleaseRun) -> f64) -> f64 {
    median(&runs.iter().map(of).collect::<Vec<_>>()).unwrap_or(f64::NAN)
}

/// Levels, suppressed records, nodes, and the middle of the times.
pub fn told(runs: &[ReleaseRun]) -> Vec<String> {
    let Some(ReleaseRun { told, .. }) = runs.first() else { return Vec::new() };
    let levels = told["node"].as_object().map_or_else(String::new, |node| {
        let named = ADULT.iter().filter_map(|name| node.get(*name));
        let all: Vec<&Value> = if node.len() == ADULT.len() && node.contains_key(ADULT[0]) {
            named.collect()
        } else {
            node.values().collect()
        };
        all.iter().map(ToString::to_string).collect::<Vec<_>>().join("-")
    });
    let number = |value: &Value| grouped(value.as_u64().unwrap_or(0).into());
    let search = middle(runs, |run| run.told["seconds"]["search"].as_f64().unwrap_or(f64::NAN)) * 1e3;
    vec![
        levels,
        number(&told["suppressed"]),
        number(&told["evaluated"]),
        short(search),
        short(middle(runs, |run| run.seconds)),
    ]
}

/// The same tables by records and by people, in turns.
fn people(folder: &Path) -> Result<String> {
    let mut rows = Vec::new();
    for (name, question) in [("hospital of 20,000", hospital(folder)?), ("a million records", million(folder)?)] {
        eprintln!("{name}");
        let by_people = std::fs::read_to_string(&question.policy)?;
        let by_records = question.policy.with_extension("records.toml");
        std::fs::write(&by_records, counting_records(&by_people))?;
        let by_records = Question { data: question.data.clone(), policy: by_records };
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            one.push(whole::once(&by_records, None, &folder.join("out"))?);
            other.push(whole::once(&question, None, &folder.join("out"))?);
        }
        let [records, people] = [&one, &other].map(|runs| middle(runs, |run| run.seconds));
        let search = |runs: &[ReleaseRun]| {
            short(middle(runs, |run| run.told["seconds"]["search"].as_f64().unwrap_or(f64::NAN)) * 1e3)
        };
        let persons = other.first().and_then(|run| run.told["persons"].as_u64()).unwrap_or(0);
        rows.push(vec![
            name.to_owned(),
            grouped(persons.into()),
            short(records),
            short(people),
            short(people / records),
            search(&one),
            search(&other),
        ]);
    }
    let head =
        ["table", "people", "s by records", "s by people", "ratio", "search ms by records", "search ms by people"];
    Ok(markdown::table(&head, 1, &rows))
}

/// The same policy without a person, whose column is listed and not released.
fn counting_records(policy: &str) -> String {
    policy.lines().filter(|line| !line.starts_with("person = ")).collect::<Vec<_>>().join("\n")
}

fn hospital(folder: &Path) -> Result<Question> {
    let question = whole::hospital(folder)?;
    std::fs::write(&question.data, demo::write_csv(20_000, 1))?;
    Ok(question)
}

/// A million records of 300,000 people. Age, sex and place are those of the person; a tenth of the people move once.
fn million(folder: &Path) -> Result<Question> {
    const RECORDS: u64 = 1_000_000;
    const PEOPLE: u64 = 300_000;
    // Numbers that look drawn, the same for the same question.
    let drawn = |what: u64, of: u64| {
        let mixed = (what * 0x9E37_79B9_7F4A_7C15 + of).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 33
    };
    let mut text = String::from("person,age,sex,zip,education,diagnosis\n");
    for record in 0..RECORDS {
        let person = if record < PEOPLE { record } else { drawn(1, record) % PEOPLE };
        let moved = u64::from(drawn(2, person) % 10 == 0 && drawn(3, record) % 2 == 0);
        let (age, sex) = (drawn(4, person) % 90, drawn(5, person) % 2);
        let zip = 10_000 + (drawn(6, person + moved * PEOPLE) % 30) * (drawn(7, person + moved * PEOPLE) % 40);
        let education = drawn(8, person) % 8;
        writeln!(text, "p{person:06},{age},{sex},{zip},e{education},d{}", drawn(9, record) % 40)?;
    }
    let (data, policy) = (folder.join("million.csv"), folder.join("million.toml"));
    std::fs::write(&data, text)?;
    std::fs::write(&policy, POLICY)?;
    Ok(Question { data, policy })
}

const POLICY: &str = "
[data]
person = \"person\"
[variables.person]\nrole = \"identifying\"
[variables.age]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [5, 10, 20] }
[variables.sex]\nrole = \"quasi-identifying\"
[variables.zip]\nrole = \"quasi-identifying\"\nhierarchy = { prefix = [4, 3, 2] }
[variables.education]\nrole = \"quasi-identifying\"
[variables.diagnosis]\nrole = \"sensitive\"
[[privacy]]\nmodel = \"k-anonymity\"\nk = 5
[[privacy]]\nmodel = \"l-diversity\"\nvariable = \"diagnosis\"\nl = 2
[method]\nsuppression_limit = 0.05
";
