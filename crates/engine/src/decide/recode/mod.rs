//! A stored mask on other data: the recoding is taken as it is, and which keys are withheld is found anew.
//!
//! Other data have other small classes. Where the stored levels no longer satisfy the models within the suppression limit there is
//! no release: the refusal says which model fails by how much (`refusal`), and a search with the mask's own ladders which levels
//! would be safe (`levels`). A value that the mask has no label for is an error, goes to the top, or takes its records out, as the
//! policy said; whichever it is, the guarantees are proved on the result.
//!
//! Models that compare a class with the whole table compare it with this table, withheld records included: what somebody
//! learns of a person here is judged against what these data tell of everybody. Orders and ladders of sensitive
//! variables come with the mask; a value that they lack is an error.

mod levels;
mod refusal;
mod unknown;

use std::collections::BTreeMap;
use std::sync::Arc;

use equanym_core::checklist::{Check, ChecklistLine};
use equanym_core::frequency::Table;
use equanym_core::hierarchy::Builder;
use equanym_core::mask::{ColumnMask, Recoding, WITHHELD};
use equanym_core::method::global_recoding;
use equanym_core::privacy::Verdict;
use equanym_core::report::{NamedLevels, Worth};
use equanym_core::utility::bars::ColumnFrequencies;
use equanym_core::variable::{Role, Variable};

use self::refusal::RefusedMask;
use super::checklist::{self, ChoiceEvidence, alone};
use super::fit::{describe, held, occurring};
use super::fitting::Fitting;
use super::frequencies::{kept_labels, of_mask, of_sensitive};
use super::search::limited;
use super::{Decision, Findings};
use crate::count::counted_table::{Case, CountedTable};
use crate::count::{KeyRows, canonical, tabulate};
use crate::error::{Error, Result};
use crate::mask::StoredMask;
use crate::mask::rewrite::ByRecord;
use crate::policy::share_of;

/// The table as a mask recodes it, with the models that judge it; unknown values get their label in the mask.
pub(crate) fn fit(counted: &CountedTable<'_>, stored: &mut StoredMask) -> Result<Fitting> {
    unknown::label(stored, &counted.case.values.quasi);
    let recoded = recoded(stored);
    unknown::refuse(&recoded, &counted.case, &counted.rows)?;
    Fitting::of_table(&counted.case, Arc::new(table(&recoded, counted, stored)?))
}

/// The recoded columns, in the order of the mask.
fn recoded(stored: &StoredMask) -> Vec<(&ColumnMask, &Recoding)> {
    let quasi = stored.mask.columns.iter().filter(|column| column.role == Role::QuasiIdentifying);
    quasi.filter_map(|column| Some((column, column.recoding.as_ref()?))).collect()
}

/// Its values are labels, its ladders have nothing left to climb.
fn table(recoded: &[(&ColumnMask, &Recoding)], counted: &CountedTable<'_>, stored: &StoredMask) -> Result<Table> {
    let CountedTable { case, rows, population } = counted;
    let around =
        population.as_ref().map(|one| unknown::population_labels(one, recoded, stored.unknown_values)).transpose()?;
    let mut variables = Vec::new();
    let mut columns = Vec::new();
    let raw = case.values.quasi.iter().zip(&rows.codes.quasi);
    for (place, ((column, recoding), (values, codes))) in recoded.iter().zip(raw).enumerate() {
        let labels = values.iter().map(|value| recoding.label(&canonical(value, column.number)));
        let labels: Vec<String> = labels.collect::<std::result::Result<_, _>>().map_err(|_| Error::internal())?;
        let more = around.as_ref().and_then(|labels| labels.get(place)).map_or(&[][..], Vec::as_slice);
        let distinct = tabulate::distinct(&[labels.as_slice(), more].concat());
        let hierarchy = Builder::None.fit(&distinct).map_err(|error| Error::input(error.to_string()))?;
        columns.push(tabulate::recode(codes, &labels, false, &hierarchy)?);
        variables.push(Variable { name: column.name.clone(), hierarchy, min_level: 0, max_level: 0, weight: 0.0 });
    }
    let spreads = tabulate::spreads(&case.columns.spread, &case.values, rows);
    let table = tabulate::table(variables, &columns, spreads, rows)?;
    match (population, around) {
        (Some(population), Some(labels)) => population.around_labels(table, &labels),
        _ => Ok(table),
    }
}

/// The stored mask with the keys that these data must withhold; `told` is what else the owner should look at.
pub(crate) fn decide(
    case: &Case<'_>,
    rows: &KeyRows,
    fitting: &Fitting,
    (mut stored, told): (StoredMask, Option<ChecklistLine>),
) -> Result<Decision> {
    let table = fitting.table.as_ref();
    let set = table.keys();
    let verdict = judge(case, rows, fitting, &stored)?;
    let frequencies = frequencies(&stored, case, rows, table, &verdict);
    let other_population = take_population(&mut stored, case);
    let found = describe(table, set, &verdict, held(&stored, verdict.suppressed))?;
    let recoded = recoded(&stored);
    let node = NamedLevels(recoded.iter().map(|(column, recoding)| (column.name.clone(), recoding.level)).collect());
    let worth = Worth::of_levels(recoded.iter().map(|(_, one)| (one.level, one.levels.saturating_sub(1))));
    let class_of: Vec<u32> = (0..).zip(&set.sizes).map(|(class, _)| class).collect();
    let promise = checklist::PromiseFacts {
        privacy: &found.privacy,
        is_recoded: true,
        smallest: found.classes.classes.min,
        is_balanced: false,
    };
    let lines = checklist::linked_records(&stored, alone(set, &verdict), found.persons)
        .into_iter()
        .chain(checklist::of_classes(table, set, &verdict, table.sensitive.len()))
        .chain(checklist::withheld(table, &class_of, &verdict))
        .chain([checklist::minimality(&telling(fitting, &verdict), table.persons().is_some())])
        .chain([checklist::guarantee(&promise), checklist::detail(&worth, &node)])
        .chain(other_population)
        .chain(checklist::of_columns(case, None))
        .chain(told)
        .collect();
    let population = stored.population.clone();
    let findings = Findings { node, worth: Some(worth), population, frequencies, lines, ..found };
    stored.mask.suppressed = global_recoding::suppressed(table, set, &verdict);
    let (labels, values) = (occurring(table, set, &verdict), case.values.quasi.clone());
    Ok(Decision { stored, values, labels, findings, by_record: ByRecord::default(), setting: None })
}

/// The levels come from another table; who is withheld is found in this one.
fn telling(fitting: &Fitting, verdict: &Verdict) -> ChoiceEvidence {
    let Fitting { table, guard, .. } = fitting;
    if !guard.looks_at_values() {
        return ChoiceEvidence::Unguarded;
    }
    let refused = guard.refused_for_values(table.keys(), verdict);
    ChoiceEvidence::Elsewhere(table.keys().people_in(|class| refused[class] && !is_withheld(table, class)))
}

/// Which classes may be released; a refusal where too many may not.
fn judge(case: &Case<'_>, rows: &KeyRows, fitting: &Fitting, stored: &StoredMask) -> Result<Verdict> {
    let Fitting { table, guard, sensitive, .. } = fitting;
    let unit = stored.limit_unit.unit();
    let verdict = guard.judge_among(table.keys(), |class| !is_withheld(table, class));
    let (failing, whole) = (verdict.limited(unit), limited(unit, table));
    let allowance = share_of(stored.suppression_limit, whole);
    if failing <= allowance {
        return Ok(verdict);
    }
    let known = (0..table.keys().len()).map(|class| !is_withheld(table, class)).collect();
    let unknown = Verdict::keeping(known, table.keys()).suppressed;
    // Records that are withheld whatever the levels are count against the limit at every node.
    let looks_at_population = case.population.is_some();
    let safe =
        if unknown > 0 || looks_at_population { None } else { levels::find(case, rows, guard, (stored, allowance))? };
    let refused = RefusedMask { stored, table, sensitive, failing, whole, allowance, unknown };
    Err(refused.refusal(safe.as_ref())?)
}

/// Whether a class has a label that says that it is withheld.
fn is_withheld(table: &Table, class: usize) -> bool {
    (0..table.variables.len()).any(|variable| table.label(table.keys(), class, variable) == WITHHELD)
}

/// What became of the values of the counted columns.
fn frequencies(
    stored: &StoredMask,
    case: &Case<'_>,
    rows: &KeyRows,
    table: &Table,
    verdict: &Verdict,
) -> Vec<ColumnFrequencies> {
    let raw = case.values.quasi.iter().zip(&rows.codes.quasi);
    let columns = recoded(stored).into_iter().zip(raw).enumerate();
    let quasi = columns.map(|(place, ((column, recoding), (values, codes)))| {
        let mut before: BTreeMap<String, u64> = BTreeMap::new();
        for (value, count) in values.iter().zip(rows.occurrences(codes, values.len())).filter(|(_, count)| *count > 0) {
            *before.entry(canonical(value, column.number)).or_default() += count;
        }
        let after = kept_labels(table, table.keys(), verdict, place);
        of_mask(&column.name, (&before, &after), |value| recoding.label(value).ok())
    });
    let sensitive = of_sensitive(table, (table.keys(), verdict), &case.columns.spread, &case.values.spread);
    quasi.chain(sensitive).collect()
}

/// Keeps what is known of the population in the mask; says so where it is another one.
fn take_population(stored: &mut StoredMask, case: &Case<'_>) -> Option<ChecklistLine> {
    let (found, _) = case.population.as_ref()?;
    let before = stored.population.replace(found.clone())?;
    let message = format!(
        "the population is not that of the release that the mask comes from: {} records, and then {}",
        found.records, before.records
    );
    (before.sha256 != found.sha256).then(|| ChecklistLine::look(Check::Guarantee, message))
}
