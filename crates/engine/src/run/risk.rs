//! How likely somebody in a table is recognised, before anything is done about it.
//!
//! The table is counted once by all its quasi-identifiers; everything else follows from the sizes of the classes and
//! from how often each value occurs. A missing value is a value of its own. Without a policy the quasi-identifiers are
//! those that a [`draft`] would propose, and the report says so.
//!
//! Where a person is named, people are counted: a class is as large as the people in it, and whoever has records in several
//! classes counts in each of them.
//!
//! Numbers that a policy reads as numbers are compared as numbers: `1e5` and `100000` do not tell two people apart.
//!
//! Source: El Emam & Dankar 2008 (prosecutor risk); Motwani & Xu 2007 (distinction and separation).

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use equanym_core::frequency::Table;
use equanym_core::hierarchy::{Builder, Hierarchy};
use equanym_core::risk::{self, ClassTotals, Risk};
use equanym_core::variable::{Role, Variable};
use hashbrown::HashMap;
use serde::Serialize;

use crate::count::eaten_zeros::EatenZeros;
use crate::count::parts::KeyParts;
use crate::count::{Keys, canonical, count, people, tabulate};
use crate::error::{Error, Result};
use crate::machine::{Resources, Runtime};
use crate::policy::{Policy, ValueKind};
use crate::progress::Progress;
use crate::read::notation::Notation;
use crate::read::{Data, Reading, Source};
use crate::run::draft::{self, DraftRequest};

/// The re-identification risk of a table as it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RiskReport {
    /// The number of records.
    pub records: u64,
    /// The number of people, where a person is named: then classes and risk count people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// The column that tells them apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// Who says which columns are quasi-identifying.
    pub chosen_by: QuasiChoice,
    /// The quasi-identifiers, in the order of the data.
    pub quasi_identifiers: Vec<VariableRisk>,
    /// The classes that they make together.
    pub classes: ClassTotals,
    /// Who stands alone in a class.
    pub uniques: Uniques,
    /// How likely somebody is recognised.
    pub risk: RiskMeasures,
    /// How many classes there are of each size.
    pub sizes: Vec<SizeBand>,
    /// What is worth a look about the values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Who says which columns are quasi-identifying.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuasiChoice {
    /// The policy.
    Policy,
    /// Nobody yet: the draft of a policy takes them for such.
    Draft,
}

/// How well one quasi-identifier tells records apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariableRisk {
    /// The column.
    pub name: String,
    /// Its distinct values; the missing value counts as one.
    pub distinct: u64,
    /// Distinct values per record.
    pub distinction: f64,
    /// The share of pairs of records that it tells apart.
    pub separation: f64,
}

/// Records that stand alone in their class, or the people who do, with all their records in it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Uniques {
    /// How many records.
    pub records: u64,
    /// How many people, where a person is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Their share of all records, or of the people of all classes.
    pub share: f64,
}

/// How likely somebody is recognised, and what counts as too likely.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RiskMeasures {
    /// The measures.
    #[serde(flatten)]
    pub measures: Risk,
    /// Records with a higher probability are at risk.
    pub threshold: f64,
}

/// Classes of similar size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SizeBand {
    /// The smallest size of the band.
    pub from: u64,
    /// The largest; absent for the last band.
    pub to: Option<u64>,
    /// How many classes have such a size.
    pub classes: u64,
    /// How many records they hold.
    pub records: u64,
    /// How many people, where a person is named: the size of a class is then the number of its people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
}

/// The bands in which classes are counted; the last one has no end.
const BANDS: [(u64, Option<u64>); 7] =
    [(1, Some(1)), (2, Some(2)), (3, Some(4)), (5, Some(10)), (11, Some(20)), (21, Some(100)), (101, None)];

/// Measures the risk of a table; `reading` says how it is read, with or without a policy.
pub fn risk<'a>(
    data: impl Into<Data<'a>>,
    policy: Option<&Policy>,
    reading: &Reading,
    resources: &Resources,
    progress: &Arc<dyn Progress>,
) -> Result<RiskReport> {
    let request = DraftRequest { data: data.into(), reading, folder: Path::new(""), resources, progress };
    let (source, RiskColumns { quasi, person }) =
        policy.map_or_else(|| proposed(&request), |policy| listed(policy, &request))?;
    let chosen_by = if policy.is_some() { QuasiChoice::Policy } else { QuasiChoice::Draft };
    let place = |name: &String| source.columns().iter().position(|column| column == name);
    let places = KeyParts {
        quasi: quasi.iter().map(|column| column.place).collect(),
        spread: Vec::new(),
        person: person.as_ref().and_then(place),
    };
    let runtime = Runtime::in_temporary_folder(resources)?;
    let keys = count(&source, &places, &runtime, progress.as_ref())?;
    if keys.rows.counts.is_empty() {
        return Err(Error::unsafe_release("0 records: there is nobody to recognise"));
    }
    person.as_deref().map_or(Ok(()), |name| people::refuse_nobody(name, &keys))?;
    let table = runtime.side_by_side(|| table(&quasi, &keys, reading.notation))?;
    Ok(RiskReport { person, warnings: warnings(&quasi, &keys), ..describe(chosen_by, &table) })
}

/// Codes that lost their zeros: people who live in one place look as if they lived in another.
fn warnings(quasi: &[QuasiColumn], keys: &Keys) -> Vec<String> {
    let texts = quasi.iter().zip(&keys.values.quasi).filter(|(column, _)| !column.number);
    let eaten = texts.filter_map(|(column, values)| {
        let found = EatenZeros::among(values.iter().map(String::as_str))?;
        Some(format!("column `{}`: {}", column.name.escape_debug(), found.told()))
    });
    eaten.collect()
}

/// What is counted.
struct RiskColumns {
    quasi: Vec<QuasiColumn>,
    person: Option<String>,
}

/// A quasi-identifying column.
struct QuasiColumn {
    name: String,
    place: usize,
    number: bool,
}

fn listed(policy: &Policy, request: &DraftRequest<'_>) -> Result<(Source, RiskColumns)> {
    let source = request.data.open(request.reading)?;
    policy.check_columns(source.columns())?;
    let quasi = |(place, name): (usize, &String)| {
        let variable = policy.of_role(Role::QuasiIdentifying).find(|variable| variable.name == *name)?;
        Some(QuasiColumn { name: name.clone(), place, number: variable.kind == ValueKind::Number })
    };
    let found: Vec<QuasiColumn> = source.columns().iter().enumerate().filter_map(quasi).collect();
    if found.is_empty() {
        return Err(Error::input("the policy has no quasi-identifying variable: nothing tells records apart")
            .hint("give role = \"quasi-identifying\" to the columns that others may know about a person"));
    }
    Ok((source, RiskColumns { quasi: found, person: policy.person.clone() }))
}

/// What a draft would take for quasi-identifying, in the table as it would be read.
fn proposed(request: &DraftRequest<'_>) -> Result<(Source, RiskColumns)> {
    let draft::RoleGuess { reading, quasi, person } = draft::proposed(request)?;
    let quasi = quasi.into_iter().map(|(place, name, number)| QuasiColumn { name, place, number }).collect();
    Ok((request.data.open(&reading)?, RiskColumns { quasi, person }))
}

/// The counted table, each value in its one way of writing.
fn table(quasi: &[QuasiColumn], keys: &Keys, notation: Notation) -> Result<Table> {
    let mut variables = Vec::new();
    let mut columns = Vec::new();
    for ((column, raw), codes) in quasi.iter().zip(&keys.values.quasi).zip(&keys.rows.codes.quasi) {
        // A policy has numbers read as such; columns that a draft takes for numbers were read as text.
        let plain = |value: &String| if column.number { notation.number(value) } else { None };
        let texts = raw.iter().map(|value| canonical(plain(value).as_ref().unwrap_or(value), column.number));
        let texts: Vec<String> = texts.collect();
        let hierarchy = as_collected(&texts)?;
        columns.push(recode(codes, &texts, &hierarchy)?);
        let name = column.name.clone();
        variables.push(Variable { name, min_level: 0, max_level: 0, weight: 0.0, hierarchy });
    }
    tabulate::table(variables, &columns, Vec::new(), &keys.rows)
}

fn as_collected(texts: &[String]) -> Result<Hierarchy> {
    let distinct: Vec<String> = texts.iter().collect::<BTreeSet<_>>().into_iter().cloned().collect();
    Builder::None.fit(&distinct).map_err(|error| Error::environment(error.to_string()))
}

fn recode(codes: &[u32], texts: &[String], hierarchy: &Hierarchy) -> Result<Vec<u32>> {
    let numbers: HashMap<&str, u32> = hierarchy.values().iter().map(String::as_str).zip(0..).collect();
    let of_text: Vec<Option<u32>> = texts.iter().map(|text| numbers.get(text.as_str()).copied()).collect();
    let recoded = codes.iter().map(|&code| of_text.get(code as usize).copied().flatten()).collect();
    let recoded: Option<Vec<u32>> = recoded;
    recoded.ok_or_else(|| Error::environment("an internal step lost a value"))
}

fn describe(chosen_by: QuasiChoice, table: &Table) -> RiskReport {
    let sizes = Sizes { people: table.keys().people(), records: &table.keys().sizes, named: table.persons().is_some() };
    let alone = sizes.band(1, Some(1));
    let whole: u64 = sizes.people.iter().sum();
    RiskReport {
        records: table.records,
        persons: table.persons(),
        person: None,
        chosen_by,
        quasi_identifiers: (0..table.variables.len()).map(|variable| separate(table, variable)).collect(),
        classes: risk::classes(sizes.people),
        uniques: Uniques {
            records: alone.records,
            persons: alone.persons,
            share: alone.persons.unwrap_or(alone.records) as f64 / whole as f64,
        },
        risk: RiskMeasures { measures: risk::prosecutor(sizes.people), threshold: risk::THRESHOLD },
        sizes: BANDS.iter().map(|&(from, to)| sizes.band(from, to)).collect(),
        warnings: Vec::new(),
    }
}

fn separate(table: &Table, variable: usize) -> VariableRisk {
    let counts = table.value_counts(variable);
    let distinct = counts.len() as u64;
    VariableRisk {
        name: table.variables.get(variable).map(|variable| variable.name.clone()).unwrap_or_default(),
        distinct,
        distinction: distinct as f64 / table.records as f64,
        separation: risk::separation(counts),
    }
}

/// The people of each class, which are its records where nobody is named, and its records.
struct Sizes<'t> {
    people: &'t [u64],
    records: &'t [u64],
    named: bool,
}

impl Sizes<'_> {
    fn band(&self, from: u64, to: Option<u64>) -> SizeBand {
        let is_inside = |(people, _): &(&u64, &u64)| **people >= from && to.is_none_or(|to| **people <= to);
        let inside = || self.people.iter().zip(self.records).filter(is_inside);
        let persons = self.named.then(|| inside().map(|(people, _)| people).sum());
        let records = inside().map(|(_, records)| records).sum();
        SizeBand { from, to, classes: inside().count() as u64, records, persons }
    }
}
