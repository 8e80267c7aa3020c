//! Attacks on a release: what somebody finds who knows quasi-identifiers of people, as rates with intervals.
//!
//! Knowledge are the released quasi-identifying columns, secrets the sensitive ones, as the manifest or the policy says. Labels
//! are read as [`compare`](super::compare) reads them: by the owner's mask where it lies beside the release, because an intruder
//! may know the rules. What is found is for the owner. It holds no cell values.
//!
//! With the policy of the release, the search is run again on the original as somebody would who knows all quasi-identifiers: minimality.
//!
//! New values are attacked by rank, by rank in their segment and by distance. Whether such a guess is right only shows where one knows
//! which record was which: the release keeps the order of the input and withholds nobody, or the owner's report lies beside it, which
//! has what was found when the values were made.
//!
//! Limit: columns whose cells were treated are left out and named, and so are new values of which nobody knows which record was which.
//! Both tables are held in memory.

use equanym_core::attack::{self, AttackFinding, Targets};
use equanym_core::card::Parameters;
use equanym_core::utility::domain::ValueDomain;
use equanym_core::utility::{CategoryColumn, Meaning};
use equanym_core::variable::Role;
use serde::Serialize;

use super::compare::both::{self, Knowledge};
use super::compare::cells::CodedColumn;
use super::compare::released::{AfterTable, CellFate, ColumnFate, ReleasedTable};
use super::compare::segment_of;
use crate::count::counted_table::{Brief, Look, TableCount};
use crate::error::{Error, Kind, Result};
use crate::inquiry::question::EvidenceOfChoice;
use crate::inquiry::{Inquiry, Ladders, TreatedTable, admit};
use crate::machine::stopwatch::Stopwatch;
use crate::machine::{Resources, Runtime};
use crate::policy::{Policy, VariablePolicy};
use crate::progress::Progress;
use crate::read::{Data, Reading, Source};

/// What is asked.
pub struct AttackRequest<'a> {
    /// The release.
    pub release: AfterTable<'a>,
    /// The table that it was made from.
    pub original: Data<'a>,
    /// People who are not in that table, with the same columns.
    pub control: Option<Data<'a>>,
    /// Says what columns are, where the release does not, and what their labels mean.
    pub policy: Option<&'a Policy>,
    /// How the original and the control are read.
    pub reading: &'a Reading,
    /// Threads and memory.
    pub resources: Resources,
    /// Hears how far it has come.
    pub progress: &'a dyn Progress,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttackReport {
    /// How many records there are.
    pub records: AttackedRecords,
    /// The columns that the intruder knows.
    pub knowledge: Vec<String>,
    /// The columns that the intruder wants to know.
    pub secrets: Vec<String>,
    /// Columns with new values that were attacked.
    pub new_values: Vec<String>,
    /// Columns with new values that could not be attacked: nobody knows which record was which.
    pub unknown: Vec<String>,
    /// Columns of these roles that could not be attacked: their cells were treated.
    pub left_out: Vec<String>,
    /// Every attack.
    pub attacks: Vec<AttackFinding>,
}

/// How many records there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AttackedRecords {
    /// In the original.
    pub original: u64,
    /// In the release.
    pub released: u64,
    /// In the control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<u64>,
}

/// Attacks a release.
pub fn attack(request: &AttackRequest<'_>) -> Result<AttackReport> {
    let mut released = ReleasedTable::find(request.release)?;
    let (original, after) = (request.original.open(request.reading)?, released.open()?);
    let control = request.control.map(|control| control.open(request.reading)).transpose()?;
    let mut chosen = AttackedColumns::choose(&released, request.policy, [&original, &after])?;
    let memory = request.resources.memory / if control.is_some() { 3 } else { 2 };
    let (policy, masked, progress) = (request.policy, released.masked.as_slice(), request.progress);
    let knowledge = Knowledge { policy, masked, labelled: &[], target: None, bars: 0, memory, progress };
    let names: Vec<&str> = chosen.knowledge.iter().chain(&chosen.secrets).map(String::as_str).collect();
    let new_values: Vec<&str> = chosen.new_values.iter().map(String::as_str).collect();
    let renewed = [knowledge.read(&original, &new_values)?, knowledge.read(&after, &new_values)?];
    let before = knowledge.read(&original, &names)?;
    let after = knowledge.read(&after, &names)?;
    let control = control.map(|control| in_control(&control, &names, &knowledge)).transpose()?;
    let count = |columns: &[CodedColumn]| columns.first().map_or(0, |column| column.cells.len() as u64);
    let [renewed_before, renewed_after] = [&renewed[0], &renewed[1]].map(|columns| count(columns));
    let records = AttackedRecords {
        original: count(&before).max(renewed_before),
        released: count(&after).max(renewed_after),
        control: control.as_ref().map(|columns| count(columns)),
    };
    if records.original == 0 || records.released == 0 || records.control == Some(0) {
        return Err(Error::unsafe_release("0 records: there is nothing to attack"));
    }
    let first_secret = chosen.knowledge.len();
    let mut columns = Vec::new();
    let mut people = [Targets::default(), Targets::default()];
    let [targets, strangers] = &mut people;
    for (place, ((name, before), after)) in names.iter().zip(&before).zip(after).enumerate() {
        let (domain, known) = both::domain(name, before, &after, &knowledge);
        let control = control.as_ref().and_then(|columns| columns.get(place));
        let is_secret = place >= first_secret;
        add(targets, is_secret, before, &domain);
        if let Some(control) = control {
            add(strangers, is_secret, control, &domain);
        }
        columns.push(column(name, after, &domain, |label| domain.meaning(label, &known.1)));
    }
    let runtime = Runtime::start(&request.resources, None)?;
    let is_aligned = released.order.as_deref() == Some("input") && records.original == records.released;
    let linkage = if is_aligned {
        let segment = segment_of(&released.parameters(&Parameters::new(), request.policy));
        runtime.side_by_side(|| both::linkage(&new_values, &renewed, segment, request.policy))
    } else {
        released.linkage.take()
    };
    let mut attacks = runtime.side_by_side(|| match first_secret {
        0 => Vec::new(),
        _ => attack::attack(&attack::Attack {
            knowledge: columns[..first_secret].iter().collect(),
            secrets: columns[first_secret..].iter().collect(),
            original: &people[0],
            control: control.is_some().then_some(&people[1]),
        }),
    });
    let linkage = linkage.filter(|found| !chosen.new_values.is_empty() && !found.columns.is_empty());
    match &linkage {
        Some(found) => attacks.extend(attack::on_new_values(found)),
        None => chosen.unknown = std::mem::take(&mut chosen.new_values),
    }
    attacks.extend(minimality(request)?);
    let AttackedColumns { knowledge, secrets, new_values, unknown, left_out } = chosen;
    Ok(AttackReport { records, knowledge, secrets, new_values, unknown, left_out, attacks })
}

/// What somebody learns who knows the policy and runs the search again; nothing where the policy says too little to run one, or where
/// no model looks at sensitive values.
fn minimality(request: &AttackRequest<'_>) -> Result<Option<AttackFinding>> {
    let Some(policy) = request.policy.filter(|policy| admit::policy(policy).is_ok() && policy.sampling().is_none())
    else {
        return Ok(None);
    };
    let policy = &Policy { data: request.reading.clone(), ..policy.clone() };
    let source = TreatedTable::open_to_ask(request.original, policy)?.source;
    let runtime = Runtime::in_temporary_folder(&request.resources)?;
    let watch = Stopwatch::start(policy.loading);
    let brief = Brief { policy, source: &source, show_values: false, progress: request.progress, watch: &watch };
    let counted = TableCount::new(brief, Look::ForPresets, &runtime)?.into_table(brief);
    let records = counted.case.records;
    let people = counted.case.persons().unwrap_or(records);
    match Inquiry::new(counted, Ladders::Policy(None), &runtime).and_then(|inquiry| inquiry.ask(EvidenceOfChoice)) {
        Ok(told) => Ok(told.map(|told| AttackFinding::minimality(&told, people))),
        // Nothing could be released by this policy, so it was another one.
        Err(error) if error.kind == Kind::Unsafe => Ok(None),
        Err(error) => Err(error),
    }
}

/// The columns that are attacked.
#[derive(Default)]
struct AttackedColumns {
    knowledge: Vec<String>,
    secrets: Vec<String>,
    new_values: Vec<String>,
    unknown: Vec<String>,
    left_out: Vec<String>,
}

impl AttackedColumns {
    fn choose(released: &ReleasedTable, policy: Option<&Policy>, [original, after]: [&Source; 2]) -> Result<Self> {
        let of_policy = |policy: &Policy| policy.variables.iter().map(planned).collect();
        let columns = released.columns.clone().or_else(|| policy.map(of_policy)).ok_or_else(|| {
            Error::input("nothing says which columns somebody may know").hint("give --policy, or a folder of a release")
        })?;
        let mut chosen = Self::default();
        for ColumnFate { name, role, cells } in columns {
            let is_shared = [original, after].iter().all(|source| source.columns().contains(&name));
            match (role, cells) {
                (Role::QuasiIdentifying | Role::Sensitive, CellFate::Treated) => chosen.left_out.push(name),
                (Role::QuasiIdentifying | Role::Sensitive, _) if !is_shared => chosen.left_out.push(name),
                (Role::QuasiIdentifying | Role::Sensitive, CellFate::New) => chosen.new_values.push(name),
                (Role::QuasiIdentifying, CellFate::Labels) => chosen.knowledge.push(name),
                (Role::Sensitive, CellFate::Labels) => chosen.secrets.push(name),
                _ => {}
            }
        }
        if chosen.knowledge.is_empty() && chosen.new_values.is_empty() {
            return Err(Error::input("the release and the original have no quasi-identifying column in common")
                .hint("give the public folder of the release, and with --original the table that it was made from"));
        }
        Ok(chosen)
    }
}

/// A column as a policy has it released.
fn planned(variable: &VariablePolicy) -> ColumnFate {
    let cells = match (&variable.marked, variable.treatments.is_empty()) {
        (Some(_), _) => CellFate::New,
        (None, true) => CellFate::Labels,
        (None, false) => CellFate::Treated,
    };
    ColumnFate { name: variable.name.clone(), role: variable.role, cells }
}

/// The columns of the control, which has all of them.
fn in_control(control: &Source, names: &[&str], knowledge: &Knowledge<'_>) -> Result<Vec<CodedColumn>> {
    match names.iter().find(|name| !control.columns().iter().any(|column| column == *name)) {
        Some(name) => Err(Error::input(format!("the control has no column `{}`", name.escape_debug()))
            .hint("the control holds other people with the same columns")),
        None => knowledge.read(control, names),
    }
}

/// Adds a column of targets, each cell by the place of its value.
fn add(targets: &mut Targets, is_secret: bool, column: &CodedColumn, domain: &ValueDomain) {
    let places: Vec<Option<u32>> = column.texts.iter().map(|text| domain.place(text)).collect();
    let into = if is_secret { &mut targets.secrets } else { &mut targets.knowledge };
    into.push(column.each(&places));
}

fn column(name: &str, coded: CodedColumn, domain: &ValueDomain, meaning: impl Fn(&str) -> Meaning) -> CategoryColumn {
    CategoryColumn {
        name: name.to_owned(),
        labels: coded.texts.iter().map(|text| meaning(text)).collect(),
        cells: coded.cells,
        values: u32::try_from(domain.texts().len()).unwrap_or(u32::MAX),
        missing: domain.missing(),
        is_number: false,
    }
}
