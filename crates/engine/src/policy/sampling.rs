//! Policies whose promise rests on a random sample: what they must say, and what they must not.
//!
//! The promise is about all that a release shows, so nothing in it may follow from records that are not released. That rules out levels and
//! ladders by the table, a limit that decides by the table whether there is a release, columns that are not recoded, and signs of how the input
//! was written. What a policy leaves open is settled here. The core says which models draw a sample ([`PrivacyModel::sampling`]).
//!
//! [`PrivacyModel::sampling`]: equanym_core::privacy::PrivacyModel::sampling

use equanym_core::method;
use equanym_core::privacy::{self, PrivacyModel, Requirement, Sampling};
use equanym_core::search;
use equanym_core::variable::Role;

use super::method::SEED;
use super::place::{at_line, quoted};
use super::table::PolicyTable;
use super::{Levels, Policy, PrivacyPolicy, RecordOrder, VariablePolicy};
use crate::error::{Error, Result};
use crate::read::Encoding;

/// The model that draws, and what.
struct SamplingModel<'a> {
    model: &'a PrivacyPolicy,
    sampling: Sampling,
}

impl Policy {
    /// What is drawn of the table before anything is judged, where a promise rests on chance.
    #[must_use]
    pub fn sampling(&self) -> Option<Sampling> {
        drawing(&self.privacy).map(|drawing| drawing.sampling)
    }

    /// Refuses what would look at the whole table, or at it once more.
    pub(crate) fn refuse_sampling(&self, what: &str) -> Result<()> {
        let Some(SamplingModel { model, .. }) = drawing(&self.privacy) else { return Ok(()) };
        Err(at_line(model.line, format!("{what}: {} rests on a sample that is drawn once", quoted(&model.model)))
            .hint("use `equanym release` with levels that the policy fixes"))
    }

    /// Refuses a seed that the policy does not permit, and a place among the safe nodes.
    pub(crate) fn check_drawing(&self) -> Result<()> {
        let Some(SamplingModel { model, sampling }) = drawing(&self.privacy) else { return Ok(()) };
        if self.method.choose.is_some() {
            return self.refuse_sampling("no node can be chosen by its place");
        }
        if self.method.seed.is_none() || sampling.permits_seed {
            return Ok(());
        }
        let message = format!("a seed makes {} void: whoever knows it knows who was drawn", quoted(&model.model));
        Err(at_line(model.line, message).hint(
            "run without --seed; for tests and demonstrations set acknowledge_seed = true in [[privacy]], and the reports will say that the \
             promise is void",
        ))
    }
}

fn built(model: &PrivacyPolicy) -> Option<Box<dyn PrivacyModel>> {
    let variables: Vec<_> = model.variables().into_iter().map(privacy::SensitiveVariable::named).collect();
    privacy::build(&model.model, &model.parameters, &variables).ok()
}

fn drawing(models: &[PrivacyPolicy]) -> Option<SamplingModel<'_>> {
    let of = |model| Some(SamplingModel { model, sampling: built(model)?.sampling()? });
    models.iter().filter(|model| privacy::draws(&model.model)).find_map(of)
}

/// Settles what a policy with a random sample leaves open, and refuses what its promise cannot cover.
pub(super) fn settle(policy: &mut Policy, method: &PolicyTable<'_>) -> Result<()> {
    let Some(SamplingModel { model, sampling }) = drawing(&policy.privacy) else { return check_seed(policy, method) };
    policy.check_drawing()?;
    let refused = |line: usize, what: String| at_line(line, format!("{}: {what}", quoted(&model.model)));
    if sampling.delta >= 1.0 {
        return Err(refused(model.line, "`delta` must be below 1: a promise that may always fail is none".to_owned())
            .hint("take less than one by the number of records, such as 0.000001"));
    }
    if let Some(other) = policy.privacy.iter().find(|other| !counts_classes(other) && other.line != model.line) {
        return Err(refused(other.line, format!("{} beside it is not covered by its proof", quoted(&other.model)))
            .hint("only models that ask for the size of a class go with it"));
    }
    check_variables(policy, model, &sampling)?;
    check_method(policy, model, method)?;
    if policy.output.order == RecordOrder::Input {
        return Err(refused(model.line, "records in the order of the input tell who was drawn".to_owned())
            .hint("leave `order` of [output] out: records are sorted by what is released"));
    }
    policy.method.suppression_limit = 1.0;
    let output = &mut policy.output;
    output.delimiter = output.delimiter.or(Some(','));
    output.encoding = output.encoding.or(Some(Encoding::Utf8));
    output.decimal = output.decimal.or(Some('.'));
    Ok(())
}

/// Refuses a seed where nothing is drawn.
fn check_seed(policy: &Policy, table: &PolicyTable<'_>) -> Result<()> {
    let draws = method::find(&policy.method.name).is_some_and(|member| member.values().is_some());
    table.refuse(SEED, !draws, |item| item.fail(format!("has no effect on the method {}", quoted(&policy.method.name))))
}

/// Whether a model asks for people in a class and for nothing else.
fn counts_classes(model: &PrivacyPolicy) -> bool {
    let requirements = built(model).map(|model| model.requirements()).unwrap_or_default();
    matches!(requirements.as_slice(), [Requirement::People { .. }])
}

fn check_method(policy: &Policy, model: &PrivacyPolicy, table: &PolicyTable<'_>) -> Result<()> {
    let (name, asked) = (quoted(&model.model), &policy.method);
    if !asked.has_nodes() || policy.variables.iter().any(|variable| variable.marked.is_some()) {
        let message = format!("{name} does not cover what the method {} makes of the records", quoted(&asked.name));
        let hint = format!("use name = \"{}\" in [method]", method::DEFAULT);
        return Err(at_line(model.line, message).hint(hint));
    }
    if search::find(&asked.search).is_some_and(|member| member.by_preferences) {
        let message = format!("{name}: the search {} looks at the table", quoted(&asked.search));
        return Err(at_line(model.line, message).hint("leave `search` of [method] out: the levels are fixed, or drawn"));
    }
    if asked.choose.is_some() {
        return policy.refuse_sampling("no node can be chosen by its place");
    }
    table.refuse("suppression_limit", asked.suppression_limit < 1.0, |item| {
        let why = "whether a limit is kept would tell about records that are not released";
        item.fail(format!("must be 1 or left out with {name}: {why}"))
            .hint("raise the levels where too much is withheld, before you look at the table")
    })
}

fn check_variables(policy: &Policy, model: &PrivacyPolicy, sampling: &Sampling) -> Result<()> {
    let released = || policy.variables.iter().filter(|variable| variable.role != Role::Identifying);
    if let Some(variable) = released().find(|variable| variable.role != Role::QuasiIdentifying) {
        let (name, role) = (quoted(&variable.name), variable.role.name());
        let message = format!("{} covers quasi-identifying columns only, and {name} is {role}", quoted(&model.model));
        return Err(at_line(variable.line, message).hint(
            "give it role = \"quasi-identifying\" with a hierarchy and one level, or role = \"identifying\" to leave it out",
        ));
    }
    if let Some(variable) = released().find(|variable| variable.hierarchy.goes_by_frequency()) {
        let message = format!(
            "the ladder of {} follows the table, and {} needs one that does not",
            quoted(&variable.name),
            quoted(&model.model)
        );
        return Err(
            at_line(variable.line, message).hint("use `groups`, `file` or another ladder that is known beforehand")
        );
    }
    let mut open = released().filter(|variable| !is_fixed(variable));
    match (open.next(), sampling.draws_levels()) {
        (Some(variable), false) => Err(unfixed(variable, model)),
        (None, true) => Err(at_line(model.line, "`epsilon_search` has nothing to draw: all levels are fixed")
            .hint("leave it out, or widen the `levels` of a variable")),
        _ => Ok(()),
    }
}

fn is_fixed(variable: &VariablePolicy) -> bool {
    variable.levels.is_some_and(|Levels { min, max }| max == Some(min))
}

fn unfixed(variable: &VariablePolicy, model: &PrivacyPolicy) -> Error {
    let (name, model) = (quoted(&variable.name), quoted(&model.model));
    let message = format!("the level of {name} would be chosen by the table, which {model} does not permit");
    at_line(variable.line, message)
        .hint("fix it: levels = { min = 1, max = 1 }; or let levels be drawn with `epsilon_search` in [[privacy]]")
}
