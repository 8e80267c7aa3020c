//! Local recoding: the core divides the counted keys into classes with labels of their own.
//!
//! They are handed over in its numbering; how each record finds its class again stands in `mask::rewrite::local`.

use std::collections::BTreeSet;

use equanym_core::frequency::{FrequencySet, Table};
use equanym_core::mask::{ColumnChange, ColumnMask, Mask};
use equanym_core::method::partition::{
    Dimension, KeyTable, LocalClass, Partition, PartitionError, PartitionFit, PartitionTask,
};
use equanym_core::minimality::Minimality;
use equanym_core::privacy::Guard;
use equanym_core::report::{ClassFindings, DetailLoss, Guarantee, LocalFindings, NamedLevels};
use equanym_core::variable::{Role, Variable};

use hashbrown::{HashMap, HashSet};

use super::checklist::{ChoiceEvidence, ClassShare, WithheldCounts};
use super::fit::held;
use super::fitting::Fitting;
use super::nearest::NearestQuery;
use super::search::{Shortfall, limited};
use super::{Decision, Findings, checklist, frequencies, pictured};
use crate::count::KeyRows;
use crate::count::columns::KeyColumns;
use crate::count::counted_table::Case;
use crate::count::tabulate::{ranked, ranks, recode};
use crate::error::{Error, Result};
use crate::mask::StoredMask;
use crate::mask::rewrite::ByRecord;
use crate::mask::rewrite::local::{KeyColumn, LocalRecoding};
use crate::policy::{Policy, ValueKind, VariablePolicy};
use crate::progress::Step;
use crate::read::Source;

/// The classes that a method finds, as a release that only has to be written.
pub(crate) fn fit(case: &Case<'_>, rows: &KeyRows, fitting: &Fitting, fit: PartitionFit) -> Result<Decision> {
    let (Case { policy, source, columns, .. }, Fitting { table, guard, meanings, .. }) = (case, fitting);
    let divisible = divisible_keys(case, rows, table)?;
    let is_range: Vec<bool> = divisible.dimensions.iter().map(|dimension| dimension.numbers.is_some()).collect();
    let allowance = policy.suppression_allowance(limited(guard.limits(), table));
    let partition = fit(&PartitionTask {
        keys: &divisible,
        guard,
        parameters: &policy.method.parameters,
        most_suppressed: allowance,
        progress: &|classes| case.progress.at(Step::Search, classes),
    });
    let partition =
        partition.map_err(|error| refusal(&error, &NearestQuery { fitting, models: &policy.privacy, allowance }))?;
    let mut stored = StoredMask::new(policy, mask(policy, source, &is_range));
    stored.meanings.clone_from(meanings);
    let persons_suppressed = divisible.persons.as_ref().map(|people| people_suppressed(&partition, people));
    let found = describe(policy, table, &partition, held(&stored, partition.suppressed));
    let alone = divisible.persons.as_deref().map(|people| alone(&partition, people));
    let promise = checklist::PromiseFacts {
        privacy: &found.privacy,
        is_recoded: true,
        smallest: found.classes.classes.min,
        is_balanced: false,
    };
    let lines = checklist::of_columns(case, Some(table))
        .into_iter()
        .chain(checklist::of_local_recoding())
        .chain([checklist::guarantee(&promise)])
        .chain(found.local.as_ref().map(checklist::local_detail))
        .chain([checklist::minimality(&telling(guard, &found), divisible.persons.is_some())])
        .chain(checklist::skew(shares(&divisible, &partition, columns), divisible.persons.is_some()))
        .chain(withheld(&divisible, &partition, case, rows).lines(found.records, found.suppressed))
        .chain(checklist::linked_records(&stored, alone, found.persons))
        .collect();
    let findings = Findings { persons_suppressed, lines, ..found };
    let labels = (0..is_range.len()).map(|place| occurring(&partition, place)).collect();
    let local = LocalRecoding::new(partition, &stored.mask, &local_key(case, rows));
    let by_record = ByRecord { local: Some(local.into()), ..ByRecord::default() };
    Ok(Decision { stored, values: Vec::new(), labels, findings, by_record, setting: None })
}

/// Classes stop being divided where a model would refuse the parts: whoever knows the method may conclude something of everybody.
fn telling(guard: &Guard, found: &Findings) -> ChoiceEvidence {
    if !guard.looks_at_values() {
        return ChoiceEvidence::Unguarded;
    }
    let people = found.persons.unwrap_or(found.records);
    ChoiceEvidence::Told(Minimality { people, is_unknown: true, ..Minimality::default() })
}

/// The counted keys in the numbering of the core.
fn divisible_keys<'t>(case: &Case<'_>, rows: &KeyRows, table: &'t Table) -> Result<KeyTable<'t>> {
    let (columns, codes) = (&case.columns, &rows.codes);
    let mut keys = KeyTable {
        dimensions: Vec::new(),
        columns: Vec::new(),
        sensitive: Vec::new(),
        counts: rows.counts.clone(),
        persons: None,
    };
    let quasi = codes.quasi.iter().zip(&case.values.quasi);
    for ((policy, variable), (codes, values)) in columns.quasi.iter().zip(&table.variables).zip(quasi) {
        keys.dimensions.push(dimension(policy, variable)?);
        keys.columns.push(recode(codes, values, policy.kind == ValueKind::Number, &variable.hierarchy)?);
    }
    let spread = codes.spread.iter().zip(&case.values.spread).take(columns.sensitive.len());
    for (variable, (codes, values)) in columns.spread.iter().zip(spread) {
        keys.sensitive.push(ranked(codes, values, variable.number).collect());
    }
    // In the order of their ids: that of the records must not matter.
    let ranks = ranks(case.ids().unwrap_or_default());
    keys.persons = codes.person.as_ref().map(|people| people.iter().map(|&code| ranks[code as usize]).collect());
    Ok(keys)
}

/// The columns by which a record finds its class again: the name, the values and the codes of each.
fn local_key<'k>(case: &'k Case<'_>, rows: &'k KeyRows) -> Vec<KeyColumn<'k>> {
    let columns = &case.columns;
    let quasi = columns.quasi.iter().map(|one| one.name.as_str()).zip(case.values.quasi.iter().zip(&rows.codes.quasi));
    let sensitive = columns.sensitive.iter().map(String::as_str);
    let sensitive = sensitive.zip(case.values.spread.iter().zip(&rows.codes.spread));
    let person = columns.person.into_iter().zip(case.values.person.iter().zip(&rows.codes.person));
    let key = quasi.chain(sensitive).chain(person);
    key.map(|(name, (values, codes))| KeyColumn { name, values, codes }).collect()
}

/// People of whom a record has no class.
fn people_suppressed(partition: &Partition, people: &[u32]) -> u64 {
    let mut is_placed = vec![false; people.len()];
    partition.placements.iter().for_each(|piece| is_placed[piece.key as usize] = true);
    let lost: HashSet<u32> =
        people.iter().zip(is_placed).filter(|(_, is_placed)| !is_placed).map(|(&one, _)| one).collect();
    lost.len() as u64
}

/// People who are the only ones with their combination of classes.
fn alone(partition: &Partition, people: &[u32]) -> u64 {
    let placed = partition.placements.iter().map(|piece| (piece.class, people[piece.key as usize]));
    let (classes, persons): (Vec<u32>, Vec<u32>) = placed.unzip();
    let sizes = partition.classes.iter().map(|class| class.records).collect();
    let set = FrequencySet::without_keys(sizes, Vec::new()).of_people(&classes, &persons, &[]);
    set.people_alone(|_| true).unwrap_or_default()
}

/// The greatest share of a value of each sensitive variable in a class.
fn shares<'a>(
    keys: &'a KeyTable<'_>,
    partition: &'a Partition,
    columns: &'a KeyColumns<'_>,
) -> impl Iterator<Item = (&'a str, Option<ClassShare>)> {
    columns
        .sensitive
        .iter()
        .zip(&keys.sensitive)
        .map(|(name, codes)| (name.as_str(), greatest_share(keys, partition, codes)))
}

/// A person counts once in a class with each value; where people are not counted, each record does.
fn greatest_share(keys: &KeyTable<'_>, partition: &Partition, codes: &[u32]) -> Option<ClassShare> {
    let mut counts: HashMap<(u32, u32), u64> = HashMap::new();
    let mut wholes: HashMap<u32, u64> = HashMap::new();
    let mut met: HashSet<(u32, u32, u32)> = HashSet::new();
    for placed in &partition.placements {
        let (key, class) = (placed.key as usize, placed.class);
        let many = match &keys.persons {
            Some(people) => u64::from(met.insert((class, codes[key], people[key]))),
            None => placed.records,
        };
        *counts.entry((class, codes[key])).or_default() += many;
        *wholes.entry(class).or_default() += many;
    }
    let part = |((class, _), count): ((u32, u32), u64)| Some(ClassShare { count, of: *wholes.get(&class)? });
    counts.into_iter().filter_map(part).reduce(ClassShare::greater)
}

/// What is withheld of each group: the records of keys that have no class.
fn withheld<'a>(
    divisible: &KeyTable<'_>,
    partition: &Partition,
    case: &'a Case<'_>,
    rows: &'a KeyRows,
) -> WithheldCounts<'a> {
    let mut left = divisible.counts.clone();
    partition.placements.iter().for_each(|placed| left[placed.key as usize] -= placed.records);
    let mut withheld = WithheldCounts::default();
    let quasi = case.values.quasi.iter().zip(&rows.codes.quasi);
    for (variable, (texts, codes)) in case.columns.quasi.iter().zip(quasi) {
        let values = codes.iter().map(|&code| texts[code as usize].as_str());
        let values = values.zip(&rows.counts).zip(&left).map(|((value, &records), &left)| (value, records, left));
        withheld.add(&variable.name, values);
    }
    withheld
}

/// A number is divided as such where the policy lets it be released as collected, otherwise along its ladder: from a
/// level on, or with top and bottom coding.
fn dimension<'t>(policy: &VariablePolicy, variable: &'t Variable) -> Result<Dimension<'t>> {
    if policy.kind != ValueKind::Number || variable.min_level > 0 || policy.hierarchy.codes_ends() {
        return Ok(Dimension::by_ladder(variable));
    }
    Dimension::by_number(variable).map_err(|strange| {
        let name = variable.name.escape_debug();
        Error::input(format!("column `{name}`: {strange} distinct values are no decimal numbers"))
            .hint("correct them, name them in `[data] missing`, or remove `type = \"number\"`")
    })
}

fn refusal(error: &PartitionError, asked: &NearestQuery<'_>) -> Error {
    match error {
        PartitionError::NoSafePartition { failing, records } => {
            let otherwise = "or higher level bounds";
            // Nothing is joined above the highest levels, so what they attain decides.
            let (table, nearest) = (&asked.fitting.table, asked.at_the_top());
            let hint = Shortfall { failing: *failing, records: *records }.hint(table, &nearest, otherwise);
            Error::unsafe_release(error.to_string()).hint(hint)
        }
        PartitionError::OverTable(_) => Error::input(error.to_string())
            .hint("use `name = \"global-recoding\"` in [method], or a model that judges class by class"),
        PartitionError::NotNested(_) => Error::input(error.to_string()).hint("use a nested ladder"),
        PartitionError::Inconsistent => Error::environment(error.to_string()),
    }
}

fn mask(policy: &Policy, source: &Source, is_range: &[bool]) -> Mask {
    let mut is_range = is_range.iter();
    let listed = source.columns().iter().filter_map(|name| policy.variables.iter().find(|one| one.name == *name));
    let columns = listed.map(|variable| {
        let is_quasi = variable.role == Role::QuasiIdentifying;
        let change = is_quasi.then(|| is_range.next().copied().unwrap_or(false));
        let change = change.map(|is_range| if is_range { ColumnChange::Range } else { ColumnChange::AnyLevel });
        let (number, treatments) = (variable.kind == ValueKind::Number, variable.treatments.clone());
        ColumnMask { name: variable.name.clone(), role: variable.role, number, recoding: None, change, treatments }
    });
    Mask { columns: columns.collect(), suppressed: BTreeSet::new() }
}

fn describe(policy: &Policy, table: &Table, partition: &Partition, privacy: Vec<Guarantee>) -> Findings {
    let sizes = |size: fn(&LocalClass) -> u64| -> Vec<u64> { partition.classes.iter().map(size).collect() };
    let lost = table.variables.iter().zip(&partition.lost);
    let lost = lost.map(|(variable, share)| DetailLoss { variable: variable.name.clone(), share: *share });
    Findings {
        records: table.records,
        persons: table.persons(),
        suppressed: partition.suppressed,
        // Added by whoever knows whose records they are.
        persons_suppressed: None,
        node: NamedLevels(Vec::new()),
        choice: None,
        local: Some(LocalFindings { parameters: policy.method.parameters.clone(), lost: lost.collect() }),
        classes: ClassFindings::from_sizes(&sizes(|class| class.people)),
        by_records: ClassFindings::from_sizes(&sizes(|class| class.records)),
        privacy,
        population: None,
        original: Some(ClassFindings::from_sizes(table.keys().people())),
        frequencies: frequencies::of_classes(table, partition),
        pairs: Vec::new(),
        pictured: pictured::of_classes(table, partition),
        worth: None,
        lines: Vec::new(),
        new_values: None,
        sample: None,
    }
}

/// The labels of a variable that occur; the missing value goes without saying.
fn occurring(partition: &Partition, place: usize) -> BTreeSet<String> {
    let labels = partition.classes.iter().filter_map(|class| class.labels.get(place));
    labels.filter(|label| !label.is_empty()).cloned().collect()
}
