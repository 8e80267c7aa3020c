//! `[variables.<name>]`: what a column is and what may happen to it.

use equanym_core::balance;
pub use equanym_core::balance::Points;
use equanym_core::hierarchy::Builder;
use equanym_core::privacy::ModelNeeds;
use equanym_core::treatment::Treatment;
use equanym_core::variable::Role;
use equanym_core::walk::OrderedWords;

use super::FileTexts;
use super::hierarchy::{HIERARCHY, PolicyLadder, hierarchy};
use super::keys::KeyShape::{Amount, Number, Share, Table, Whole, Words};
use super::keys::{Section, key};
use super::marks::{self, NewValuesPolicy};
use super::place::{at_line, quoted, shown};
use super::table::{Item, PolicyTable};
use super::treatment;
use crate::error::Result;

/// What a column is and what may happen to it.
#[derive(Debug, Clone, PartialEq)]
pub struct VariablePolicy {
    /// The column's name.
    pub name: String,
    /// What an intruder could do with it.
    pub role: Role,
    /// What its values are.
    pub kind: ValueKind,
    /// How its ladder of generalisations is made.
    pub hierarchy: Builder,
    /// Whether the policy says how, or the ladder is the plain one: as collected, then `*`.
    pub hierarchy_given: bool,
    /// Bounds on the level of a release.
    pub levels: Option<Levels>,
    /// Preference points.
    pub points: Option<Points>,
    /// How much it counts in a loss that takes given weights, 0 to 1.
    pub given_weight: Option<f64>,
    /// How it gets new values, if it does.
    pub marked: Option<NewValuesPolicy>,
    /// How many digits its codes have, where zeros in front may be lost.
    pub width: Option<u8>,
    /// The order of its values, for privacy models that look at one; numbers need none.
    pub order: Option<OrderedWords>,
    /// What happens to its cells before anything else, one after the other.
    pub treatments: Vec<Treatment>,
    /// The line of the policy.
    pub line: usize,
}

/// What the values of a variable are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ValueKind {
    /// Texts: equal when their characters are.
    #[default]
    Text,
    /// Decimal numbers: `1e5`, `100000` and `100000.0` are one value.
    Number,
}

/// Bounds on the level of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    /// The lowest level.
    pub min: u8,
    /// The highest level; the top of the hierarchy when absent.
    pub max: Option<u8>,
}

pub(super) const VARIABLE: Section = Section {
    more: marks::keys,
    ..Section::new(
        "[variables.<name>]",
        "What a column is and what may happen to it. Every column of the data has such a table: one that is forgotten is an error.",
        &[
            key("role", Words(|| Role::ALL.map(Role::name).to_vec()), "what an intruder could do with it; compulsory"),
            key(
                "type",
                Words(|| vec!["text", "number", "date"]),
                "what its values are; numbers are equal when they are the same number",
            )
            .usually("as the ladder says, or text"),
            key(WIDTH, Whole(1), "how many digits its codes have: zeros that a spreadsheet ate are written again"),
            key("hierarchy", Table(&HIERARCHY), "how its ladder is made").usually("as collected, then `*`"),
            key("levels", Table(&LEVELS), "the levels that a release may use").usually("all"),
            key("points", Table(&POINTS_OF), "preference points").usually("none"),
            key(WEIGHT, Share, "how much it counts in a loss with `weights = \"given\"`"),
            key(
                treatment::SHIFT,
                Table(&treatment::SHIFT_OF),
                "dates move by a keyed number of days, all dates of a person alike",
            ),
            key(treatment::DERIVE, Table(&treatment::DERIVE_OF), "a date becomes an age"),
            key(
                treatment::ROUND,
                Number,
                "numbers become the nearest multiple; for sensitive and insensitive variables",
            ),
            key(treatment::TOP, Number, "the largest number that is released; for sensitive and insensitive variables"),
            key(
                treatment::BOTTOM,
                Number,
                "the smallest number that is released; for sensitive and insensitive variables",
            ),
        ],
    )
};

const LEVELS: Section = Section::new(
    "[variables.<name>] levels",
    "The levels that a release may use.",
    &[
        key("min", Whole(0), "the lowest level").usually("0"),
        key("max", Whole(0), "the highest level").usually("the last"),
    ],
);

const POINTS_OF: Section = Section::new(
    "[variables.<name>] points",
    "Who wants to know the variable: of each, 100 points are shared among all variables.",
    &[
        key("user", Amount, "points of those who ask for the data").usually("0"),
        key("intruder", Amount, "points of those who must not learn it").usually("0"),
    ],
);

/// The points that a user, or an intruder, shares among the variables.
pub(super) const POINTS: f64 = balance::POINTS;

/// The key of the width of codes.
const WIDTH: &str = "width";

/// The most digits of a code.
const MOST_DIGITS: i64 = 64;

/// The key of a given weight.
pub(super) const WEIGHT: &str = "weight";

/// How far a sum of points may be off, for points with a fraction.
pub(super) const TOLERANCE: f64 = 1e-6;

impl VariablePolicy {
    /// A column that is left out of the release, and of which nothing else is known.
    pub(super) fn identifying(name: &str, line: usize) -> Self {
        Self {
            name: name.to_owned(),
            role: Role::Identifying,
            kind: ValueKind::Text,
            hierarchy: Builder::None,
            hierarchy_given: false,
            levels: None,
            points: None,
            given_weight: None,
            marked: None,
            width: None,
            order: None,
            treatments: Vec::new(),
            line,
        }
    }

    /// The mark with which a method is told to give it new values.
    #[must_use]
    pub fn mark(&self) -> Option<&'static str> {
        self.marked.as_ref().map(|marked| marked.mark)
    }

    /// The lowest and the highest level that a release may use, where `top` is the last level of the hierarchy.
    pub fn level_bounds(&self, top: u8) -> Result<(u8, u8)> {
        let Some(Levels { min, max }) = self.levels else { return Ok((0, top)) };
        let max = max.unwrap_or(top);
        if min.max(max) <= top {
            return Ok((min, max));
        }
        let message = format!("`levels` of {} go beyond its hierarchy, whose last level is {top}", quoted(&self.name));
        Err(at_line(self.line, message).hint("level 0 is the value as collected, the last level is the same for all"))
    }

    /// How much it counts in weighted losses, 0 to 1: the given weight, or the user's share of interest. No policy has
    /// given weights and a loss that takes points.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.given_weight.unwrap_or_else(|| self.points.map_or(0.0, |points| points.user / POINTS))
    }
}

/// Reads every `[variables.<name>]`.
pub(super) fn variables(table: &PolicyTable<'_>, files: &FileTexts<'_>) -> Result<Vec<VariablePolicy>> {
    let variables = table.items().iter().map(|item| variable(item, files)).collect::<Result<Vec<_>>>()?;
    check_sum(&variables, "user", |points| points.user)?;
    check_sum(&variables, "intruder", |points| points.intruder)?;
    Ok(variables)
}

/// More than all points cannot be made good by another variable; fewer matter only to those who use them.
fn check_sum(variables: &[VariablePolicy], whose: &str, points: fn(&Points) -> f64) -> Result<()> {
    let mut sum = 0.0;
    for variable in variables {
        sum += variable.points.as_ref().map_or(0.0, points);
        if sum > POINTS + TOLERANCE {
            let message = format!("the {whose} points sum to {sum} with this variable; there are 100 to share");
            return Err(at_line(variable.line, message));
        }
    }
    Ok(())
}

fn variable(item: &Item<'_>, files: &FileTexts<'_>) -> Result<VariablePolicy> {
    if item.key().is_empty() {
        return Err(item.error("a variable needs a name"));
    }
    let table = item.table()?.titled(format!("[variables.{}]", shown(item.key())));
    table.allow(&VARIABLE.names())?;
    let role = role(&table)?;
    check_role(&table, role)?;
    let given = table.get("hierarchy");
    let PolicyLadder { builder, top } =
        given.as_ref().map_or(Ok(PolicyLadder::NOTHING), |item| hierarchy(item, files))?;
    if let Some(item) = given.as_ref().filter(|_| role != Role::QuasiIdentifying) {
        check_recoding(item, &builder)?;
    }
    let treatments = treatment::read(&table, role, &builder)?;
    let marked = marks::read(&table, role, &builder)?;
    let is_kept_and_sensitive = role == Role::Sensitive && marked.is_none();
    let variable = VariablePolicy {
        name: item.key().to_owned(),
        role,
        kind: match &marked {
            Some(marked) if marked.scale.has_zero() => ValueKind::Number,
            Some(_) => ValueKind::Text,
            None => treated_kind(&treatments).map_or_else(|| kind(&table, &builder), Ok)?,
        },
        hierarchy_given: given.is_some(),
        levels: table.read("levels", levels)?,
        points: table.read("points", points)?,
        given_weight: table.read(WEIGHT, Item::share)?,
        width: table.read(WIDTH, |item| item.whole_in(1, MOST_DIGITS))?,
        order: if is_kept_and_sensitive { marks::order(&table, &builder)? } else { None },
        hierarchy: builder,
        marked,
        treatments,
        line: item.line(),
    };
    let mark = variable.mark();
    table.refuse(WEIGHT, mark.is_some(), |item| {
        let mark = quoted(mark.unwrap_or_default());
        item.fail(format!("has no effect on a variable with {mark}: no loss looks at it"))
    })?;
    table.refuse(WIDTH, mark.is_some() || variable.kind == ValueKind::Number, |item| {
        item.fail("is for codes, whose zeros in front tell something; this variable holds numbers or gets new values")
            .hint(format!("remove {}, or take a ladder for texts such as a prefix", quoted(WIDTH)))
    })?;
    // The data may yet make the ladder lower, never higher.
    variable.level_bounds(top)?;
    Ok(variable)
}

fn role(table: &PolicyTable<'_>) -> Result<Role> {
    let hint = "say what an intruder could do with it: role = \"identifying\", \"pseudonym\", \"quasi-identifying\", \
                \"sensitive\" or \"insensitive\"";
    table.need("role").map_err(|error| error.hint(hint))?.one_of(Role::ALL, Role::name)
}

/// A ladder that changes values at level 0, or goes by their frequency, measures no distance between sensitive values.
fn check_recoding(item: &Item<'_>, builder: &Builder) -> Result<()> {
    if builder.codes_ends() || builder.goes_by_frequency() {
        let what = if builder.codes_ends() { "top and bottom coding" } else { "`rare`" };
        return Err(item.fail(format!("has {what}, which only quasi-identifying variables take")));
    }
    Ok(())
}

/// Only a quasi-identifying variable is generalised. A sensitive one may have a ladder: a privacy model may look at it.
fn check_role(table: &PolicyTable<'_>, role: Role) -> Result<()> {
    let keys: &[&str] = match role {
        Role::QuasiIdentifying => &[],
        Role::Sensitive => &["levels", "points", WEIGHT],
        Role::Identifying | Role::Pseudonym | Role::Insensitive => &["hierarchy", "levels", "points", WEIGHT],
    };
    let Some(item) = keys.iter().find_map(|key| table.get(key)) else { return Ok(()) };
    let is = if role == Role::Pseudonym { "is a" } else { "is" };
    let message =
        format!("has no effect: the variable {is} {}, and only quasi-identifying ones are generalised", role.name());
    Err(item.fail(message).hint(format!("remove {}, or change the role", quoted(item.key()))))
}

/// Refuses the ladder or the order of a sensitive variable that no privacy model looks at; `needs` says what models look at.
pub(super) fn check_looked_at(
    table: &PolicyTable<'_>,
    variables: &[VariablePolicy],
    needs: impl Fn(&str) -> Vec<ModelNeeds>,
) -> Result<()> {
    let items = table.items();
    for (item, variable) in items.iter().zip(variables).filter(|(_, one)| one.role == Role::Sensitive) {
        let (keys, needs) = (item.table()?.titled(format!("[variables.{}]", shown(item.key()))), needs(&variable.name));
        let has_order = matches!(variable.hierarchy, Builder::Order { .. });
        let looks_at_order = needs.contains(&ModelNeeds::Order);
        let looks_at_ladder = needs.contains(&ModelNeeds::Ladder) || (has_order && looks_at_order);
        let ladder = keys.get("hierarchy").filter(|_| !looks_at_ladder);
        let order = keys.get(marks::VALUES).filter(|_| !looks_at_order);
        if let Some(item) = ladder.or(order).filter(|_| variable.marked.is_none()) {
            let message = "has no effect: the variable is sensitive, only quasi-identifying ones are generalised, and no \
                           privacy model looks at this";
            let hint = format!("remove {}, or ask for a model that looks at it", quoted(item.key()));
            return Err(item.fail(message).hint(hint));
        }
    }
    Ok(())
}

/// What the values of a treated variable are, where the treatment says so.
fn treated_kind(treatments: &[Treatment]) -> Option<ValueKind> {
    treatments.first().map(|first| match first {
        Treatment::Pseudonym | Treatment::Shift(_) => ValueKind::Text,
        Treatment::Round { .. } | Treatment::Top { .. } | Treatment::Bottom { .. } | Treatment::Derive(_) => {
            ValueKind::Number
        }
    })
}

fn kind(table: &PolicyTable<'_>, hierarchy: &Builder) -> Result<ValueKind> {
    let implied = match hierarchy {
        Builder::Intervals { .. } => Some(ValueKind::Number),
        Builder::Library(library) if library.reads_numbers() => Some(ValueKind::Number),
        Builder::Library(_) | Builder::Prefix { .. } | Builder::Date { .. } => Some(ValueKind::Text),
        _ => None,
    };
    let Some(item) = table.get("type") else { return Ok(implied.unwrap_or_default()) };
    let kind = if item.choice(["text", "number"])? == "number" { ValueKind::Number } else { ValueKind::Text };
    if implied.is_some_and(|implied| implied != kind) {
        return Err(item
            .fail("does not fit the hierarchy")
            .hint("intervals and ages go with numbers, prefix, date and codes with texts"));
    }
    Ok(kind)
}

fn levels(item: &Item<'_>) -> Result<Levels> {
    let table = item.table()?;
    table.allow(&LEVELS.names())?;
    let min = table.read("min", level)?.unwrap_or_default();
    let max = table.read("max", level)?;
    match max {
        Some(max) if max < min => Err(item.fail(format!("are upside down: min is {min}, max is {max}"))),
        _ => Ok(Levels { min, max }),
    }
}

/// A level of a hierarchy.
pub(super) fn level(item: &Item<'_>) -> Result<u8> {
    item.whole_in(0, i64::from(u8::MAX))
}

fn points(item: &Item<'_>) -> Result<Points> {
    let table = item.table()?;
    table.allow(&POINTS_OF.names())?;
    let share = |key| table.read(key, Item::amount);
    Ok(Points { user: share("user")?.unwrap_or_default(), intruder: share("intruder")?.unwrap_or_default() })
}
