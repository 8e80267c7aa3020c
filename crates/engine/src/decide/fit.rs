//! The chosen node as a mask, with what is known about it.

use std::collections::BTreeSet;
use std::sync::Arc;

use equanym_core::frequency::{FrequencySet, RollUp, Table};
use equanym_core::lattice::Node;
use equanym_core::loss::{self, JudgedClasses};
use equanym_core::mask::{ColumnChange, ColumnMask, Mask, Recoding};
use equanym_core::method::global_recoding;
use equanym_core::privacy::{self, ModelNeeds, Verdict};
use equanym_core::report::{
    BalanceFindings, CheckBasis, ClassFindings, Guarantee, LossFindings, MinimalNode, NamedLevels, NodeChoice, Worth,
};
use equanym_core::variable::Role;
use rayon::prelude::*;

use super::balance::{SoughtBalance, balanced};
use super::checklist::ChoiceEvidence;
use super::fitting::Fitting;
use super::search::{Answer, best_of_all, prepared, told};
use super::{Decision, Findings, checklist, frequencies, pictured};
use crate::count::columns::guarded_variables;
use crate::count::counted_table::Case;
use crate::error::{Error, Result};
use crate::mask::rewrite::ByRecord;
use crate::mask::rewrite::quota::Quotas;
use crate::mask::{Promise, StoredLadder, StoredMask, StoredMeaning};
use crate::policy::{Policy, ValueKind};
use crate::read::Source;

/// What is counted where a person is named.
const PEOPLE: &str = "people";

/// The best node as a release: its mask, and what is known about it.
pub(crate) fn fit(case: &Case<'_>, fitting: &Fitting, answer: &Answer, worth: Worth) -> Result<Decision> {
    let (Case { policy, source, columns, values, .. }, Fitting { table, guard, meanings, .. }) = (case, fitting);
    let RollUp { set, class_of, .. } = table.roll_up(table.keys(), &answer.found.best.node);
    let judged = guard.judge(&set);
    let verdict = released(table, &set, &judged, answer.sought.as_ref());
    // Where classes are not judged by themselves alone, withholding more may break what held.
    if verdict.suppressed > judged.suppressed
        && guard.judge_among(&set, |class| verdict.kept[class]).kept != verdict.kept
    {
        return Err(Error::unsafe_release("what the balance leaves out breaks a model that looks at several classes")
            .hint("set `suppression = \"charged\"` in [preferences]"));
    }
    let mut stored = StoredMask::new(policy, mask(policy, source, table, &set, &verdict));
    stored.left_out = verdict.suppressed > judged.suppressed;
    stored.meanings.clone_from(meanings);
    stored.fitted_to = Some(table.records);
    stored.population = case.population.as_ref().map(|(found, _)| found.clone());
    let ladders = || table.variables.par_iter().map(StoredLadder::new).collect();
    let pictured = || (frequencies::of_levels(table, &set, &verdict), frequencies::pairs(table, &set, &verdict));
    let (ladders, (mut frequencies, pairs)) = rayon::join(ladders, pictured);
    stored.ladders = ladders;
    let spread = &columns.spread[..columns.sensitive.len()];
    frequencies.extend(frequencies::of_sensitive(table, (&set, &verdict), spread, &values.spread));
    let mut choice = choice(policy, table, &JudgedClasses::new(&set, &verdict), answer)?;
    price(case, fitting, &mut choice)?;
    let found = describe(table, &set, &verdict, held(&stored, verdict.suppressed))?;
    let promise = checklist::PromiseFacts {
        privacy: &found.privacy,
        is_recoded: true,
        smallest: found.classes.classes.min,
        is_balanced: choice.balance.is_some(),
    };
    let lines = checklist::of_columns(case, Some(table))
        .into_iter()
        .chain(checklist::of_classes(table, &set, &verdict, columns.sensitive.len()))
        .chain(checklist::withheld(table, &class_of, &verdict))
        .chain([checklist::minimality(&told(case, fitting, answer)?, table.persons().is_some())])
        .chain([checklist::guarantee(&promise), checklist::detail(&worth, &found.node)])
        .chain(guard.silent_over_table(&set).into_iter().map(checklist::no_estimate))
        .chain(checklist::linked_records(&stored, checklist::alone(&set, &verdict), found.persons))
        .collect();
    let findings = Findings {
        choice: Some(choice),
        population: stored.population.clone(),
        original: Some(ClassFindings::from_sizes(table.keys().people())),
        frequencies,
        pairs,
        pictured: pictured::with_original(found.pictured, table),
        worth: Some(worth),
        lines,
        ..found
    };
    let quotas = policy.sampling().map(|_| Arc::new(quotas(table, &set, &verdict)));
    let by_record = ByRecord { quotas, ..ByRecord::default() };
    let labels = occurring(table, &set, &verdict);
    Ok(Decision { stored, values: values.quasi.clone(), labels, findings, by_record, setting: None })
}

/// How many records of each kept class there are.
fn quotas(table: &Table, set: &FrequencySet, verdict: &Verdict) -> Quotas {
    let labels =
        |class| (0..table.variables.len()).map(|variable| table.label(set, class, variable).to_owned()).collect();
    (0..set.len()).filter(|&class| verdict.kept[class]).map(|class| (labels(class), set.sizes[class])).collect()
}

/// What is released of the classes that the models allow: all of them, unless preferences choose.
pub(super) fn released(table: &Table, set: &FrequencySet, judged: &Verdict, sought: Option<&SoughtBalance>) -> Verdict {
    match sought {
        Some(sought) => sought.imbalance.released(table, &JudgedClasses { set, verdict: judged, finer: None }),
        None => judged.clone(),
    }
}

/// A release that recodes nothing: all its records are one class, and nothing is guaranteed.
pub(crate) fn unguarded(case: &Case<'_>) -> Decision {
    let Case { policy, source, records, .. } = *case;
    let persons = case.persons();
    let stored = StoredMask::new(policy, masked(policy, source, Vec::new(), BTreeSet::new()));
    let classes = ClassFindings::from_sizes(&[persons.unwrap_or(records)]);
    let promise =
        checklist::PromiseFacts { privacy: &[], is_recoded: false, smallest: classes.classes.min, is_balanced: false };
    let lines = checklist::of_columns(case, None)
        .into_iter()
        .chain([checklist::guarantee(&promise)])
        .chain([checklist::minimality(&ChoiceEvidence::Unguarded, persons.is_some())])
        .chain(checklist::linked_records(&stored, None, persons))
        .collect();
    let findings = Findings {
        records,
        persons,
        suppressed: 0,
        persons_suppressed: persons.map(|_| 0),
        node: NamedLevels(Vec::new()),
        choice: None,
        local: None,
        classes,
        by_records: ClassFindings::from_sizes(&[records]),
        privacy: Vec::new(),
        population: None,
        original: None,
        frequencies: Vec::new(),
        pairs: Vec::new(),
        pictured: pictured::of_all(records, persons),
        worth: None,
        lines,
        new_values: None,
        sample: None,
    };
    Decision { stored, values: Vec::new(), labels: Vec::new(), findings, by_record: ByRecord::default(), setting: None }
}

fn mask(policy: &Policy, source: &Source, table: &Table, set: &FrequencySet, verdict: &Verdict) -> Mask {
    let recodings = global_recoding::recodings(table, set);
    masked(policy, source, recodings, global_recoding::suppressed(table, set, verdict))
}

/// A mask that recodes the quasi-identifiers but for those that get new values.
fn masked(policy: &Policy, source: &Source, recodings: Vec<Recoding>, suppressed: BTreeSet<Vec<String>>) -> Mask {
    let mut recodings = recodings.into_iter();
    let mut columns = Vec::new();
    for name in source.columns() {
        let Some(variable) = policy.variables.iter().find(|variable| variable.name == *name) else { continue };
        let change = variable.marked.as_ref().map(|_| ColumnChange::NewValue);
        let is_recoded = variable.role == Role::QuasiIdentifying && change.is_none();
        let recoding = if is_recoded { recodings.next() } else { None };
        let (number, treatments) = (variable.kind == ValueKind::Number, variable.treatments.clone());
        columns.push(ColumnMask { name: name.clone(), role: variable.role, number, recoding, change, treatments });
    }
    Mask { columns, suppressed }
}

/// How the node was chosen, and what it loses.
pub(super) fn choice(policy: &Policy, table: &Table, count: &JudgedClasses<'_>, answer: &Answer) -> Result<NodeChoice> {
    let Answer { found, sought } = answer;
    let member = loss::find(&policy.method.loss).ok_or_else(|| Error::input("there is no loss of that name"))?;
    let measure = prepared(member, &policy.method.loss_parameters, table)?;
    // What a search by preferences minimises is another measure.
    let value = loss::as_number(measure.as_ref(), measure.summarise(table, count).units);
    let nothing = loss::as_number(measure.as_ref(), loss::units_of_full_generalisation(measure.as_ref(), table));
    let share = if nothing > 0.0 { value / nothing } else { 0.0 };
    let minimal = |counted: &loss::CountedNode| MinimalNode {
        node: levels(table, &counted.node),
        suppressed: counted.suppressed,
        loss: loss::as_number(measure.as_ref(), counted.summary.units),
    };
    Ok(NodeChoice {
        search: policy.method.search.clone(),
        lattice: table.lattice().size(),
        evaluated: found.evaluated,
        tagged: found.tagged,
        place: policy.method.choose,
        optimal: found.is_optimal(),
        gap: found.gap,
        loss: LossFindings {
            name: policy.method.loss.clone(),
            parameters: policy.method.loss_parameters.clone(),
            value,
            share,
        },
        best: None,
        minimal: found.minimal.iter().map(minimal).collect(),
        lists_minimal: policy.method.minimal_nodes,
        balance: match sought {
            Some(sought) => Some(BalanceFindings {
                // What is left out beyond what the guarantees ask for.
                left_out: sought.imbalance.chooses().then(|| count.verdict.suppressed - found.best.suppressed),
                ..balanced(policy, &sought.balance, table, count)?
            }),
            None => None,
        },
    })
}

/// Tells what the best safe node loses, where the search was after one whose choice tells nothing. That is for the owner: it was
/// computed from sensitive values.
fn price(case: &Case<'_>, fitting: &Fitting, choice: &mut NodeChoice) -> Result<()> {
    let Some(best) = best_of_all(case, fitting)? else { return Ok(()) };
    let Policy { method, .. } = case.policy;
    let member = loss::find(&method.loss).ok_or_else(|| Error::input("there is no loss of that name"))?;
    let measure = prepared(member, &method.loss_parameters, &fitting.table)?;
    let least = loss::as_number(measure.as_ref(), best.summary.units);
    let paid = choice.loss.value;
    choice.gap = Some(if paid > 0.0 { (paid - least) / paid } else { 0.0 });
    let node = levels(&fitting.table, &best.node);
    choice.best = Some(MinimalNode { node, suppressed: best.suppressed, loss: least });
    Ok(())
}

/// The level of each variable at a node.
pub(super) fn levels(table: &Table, node: &Node) -> NamedLevels {
    let named = table.variables.iter().zip(&node.0).map(|(variable, &level)| (variable.name.clone(), level));
    NamedLevels(named.collect())
}

/// What a release of the kept classes of `set` is; how its node was chosen is added by whoever chose.
pub(super) fn describe(
    table: &Table,
    set: &FrequencySet,
    verdict: &Verdict,
    privacy: Vec<Guarantee>,
) -> Result<Findings> {
    let kept = |sizes: &[u64]| -> Vec<u64> {
        sizes.iter().zip(&verdict.kept).filter(|(_, kept)| **kept).map(|(&size, _)| size).collect()
    };
    let by_records = kept(&set.sizes);
    if by_records.is_empty() {
        return Err(Error::unsafe_release("every record would be suppressed: nothing is left to release")
            .hint("lower the suppression_limit, or relax the privacy models"));
    }
    let persons = table.persons();
    Ok(Findings {
        records: table.records,
        persons,
        suppressed: verdict.suppressed,
        persons_suppressed: persons.map(|_| verdict.people_suppressed),
        node: levels(table, &set.node),
        choice: None,
        local: None,
        classes: ClassFindings::from_sizes(&kept(set.people())),
        by_records: ClassFindings::from_sizes(&by_records),
        privacy,
        population: None,
        original: None,
        frequencies: Vec::new(),
        pairs: Vec::new(),
        pictured: pictured::of_node(table, set, verdict),
        worth: None,
        lines: Vec::new(),
        new_values: None,
        sample: None,
    })
}

/// The models that a release satisfies, what they count, and what a check of each needs.
pub(crate) fn held(stored: &StoredMask, suppressed: u64) -> Vec<Guarantee> {
    let counts_people = stored.person.is_some();
    let held = |promise: &Promise| Guarantee {
        model: promise.model.clone(),
        parameters: promise.parameters.clone(),
        holds: true,
        unit: counts_people.then_some(PEOPLE),
        checked: match checked(promise, &stored.meanings, suppressed) {
            CheckBasis::Release if counts_people => CheckBasis::Original,
            checked => checked,
        },
    };
    stored.privacy.iter().map(held).collect()
}

/// The spread over the whole table is seen in a release that withholds nothing; ladders and orders of words are seen in none.
fn checked(promise: &Promise, meanings: &[StoredMeaning], suppressed: u64) -> CheckBasis {
    let needs = privacy::find(&promise.model).map_or(ModelNeeds::Class, |member| (member.needs)(&promise.parameters));
    let guarded = guarded_variables([(promise.model.as_str(), &promise.parameters)].into_iter());
    let has_words = meanings.iter().any(|one| guarded.contains(one.variable.as_str()) && one.order.is_some());
    match needs {
        ModelNeeds::Class | ModelNeeds::Classes | ModelNeeds::Parts => CheckBasis::Release,
        ModelNeeds::Table if suppressed == 0 => CheckBasis::Release,
        ModelNeeds::Order if suppressed == 0 && !has_words => CheckBasis::Release,
        ModelNeeds::Table | ModelNeeds::Order | ModelNeeds::Ladder => CheckBasis::Original,
        ModelNeeds::Population => CheckBasis::Population,
    }
}

/// For each variable the labels that occur in kept classes; the missing value goes without saying.
pub(crate) fn occurring(table: &Table, set: &FrequencySet, verdict: &Verdict) -> Vec<BTreeSet<String>> {
    let of_variable = |variable| {
        let kept = (0..set.len()).filter(|&class| verdict.kept[class]);
        let labels = kept.map(|class| table.label(set, class, variable).to_owned());
        labels.filter(|label| !label.is_empty()).collect()
    };
    (0..table.variables.len()).map(of_variable).collect()
}
