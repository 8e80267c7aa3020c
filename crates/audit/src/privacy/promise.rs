//! The privacy claims of a manifest: each read strictly, held against what can show it, and judged.

use std::fmt;

use super::{
    ALL, Class, ClassView, KeyLabels, LeastCounts, Measure, Member, Model, Needs, Rule, TokenPeople, WholeTable,
    k_anonymity, l_diversity, lkc,
};
use crate::manifest::{Claims, Column, PrivacyClaim};
use crate::parameters::Parameters;
use crate::{Check, Evidence};

/// Every privacy claim of a manifest, as far as it is understood, and the variables that they look at.
pub(crate) struct Promises {
    /// One for each claim; or why it cannot be judged.
    pub models: Vec<Result<Promise, &'static str>>,
    pub variables: Vec<Variable>,
}

/// A variable that models look at.
pub(crate) struct Variable {
    /// Its place among the released columns.
    pub column: usize,
    /// How many distinct values are enough, where nobody asks how often they occur.
    pub enough: Option<u64>,
}

/// A privacy claim.
pub(crate) struct Promise {
    /// The name of its model.
    pub name: &'static str,
    member: &'static Member,
    given: Parameters,
    pub model: Model,
    pub checked: PromiseBasis,
    pub unit: Unit,
    /// The place of its variable among the released columns.
    pub column: Option<usize>,
    /// The name of its variable.
    pub variable: String,
}

/// What shows that a promise is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromiseBasis {
    Release,
    Original,
    Population,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Records,
    People,
}

impl fmt::Display for Unit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Records => "records",
            Self::People => "people",
        })
    }
}

/// The member and the model of a claim; otherwise why it cannot be judged.
pub(super) fn read_model(claim: &PrivacyClaim) -> Result<(&'static Member, Model), &'static str> {
    let mut named = ALL.into_iter().filter(|member| member.name == claim.model).peekable();
    let unknown = if named.peek().is_some() { "this kind of l-diversity is not known to this audit" } else { UNKNOWN };
    let member = named.find(|member| (member.reads)(&claim.parameters)).ok_or(unknown)?;
    let given = Some(&claim.parameters).filter(|given| given.are_among(member.keys));
    given.and_then(member.model).map(|model| (member, model)).ok_or(member.takes)
}

const UNKNOWN: &str = "not known to this audit";

impl Promise {
    /// Understands a claim about a table with these columns; otherwise says why not.
    pub(super) fn read(claim: &PrivacyClaim, columns: &[Column]) -> Result<Self, &'static str> {
        let (member, model) = read_model(claim)?;
        let column = if member.keys.contains(&"variable") { Some(sensitive_column(claim, columns)?) } else { None };
        let variable = claim.parameters.word("variable").unwrap_or_default().to_owned();
        let checked = match claim.checked.as_deref() {
            None | Some("release") => PromiseBasis::Release,
            Some("original") => PromiseBasis::Original,
            Some("population") => PromiseBasis::Population,
            Some(_) => {
                return Err("it does not say whether the release, the original or the population shows that it holds");
            }
        };
        let unit = match claim.unit.as_deref() {
            None | Some("records") => Unit::Records,
            Some("people") => Unit::People,
            Some(_) => return Err("what it counts is not known to this audit"),
        };
        Ok(Self { name: member.name, member, given: claim.parameters.clone(), model, checked, unit, column, variable })
    }

    /// Whether the released bytes show all of it. Distinct values are the same, whether records or people have them.
    pub fn is_shown_by_bytes(&self) -> bool {
        !self.is_of_population() && (self.checked == PromiseBasis::Release || self.model.measure == Measure::Values)
    }

    /// Whether it is about the population.
    pub fn is_of_population(&self) -> bool {
        self.model.needs == Needs::Population
    }

    /// The part of it that the released bytes show.
    fn shown_by_bytes(&self) -> Option<Self> {
        let (member, given) = match (&self.model.in_records, &self.model.least) {
            _ if self.is_shown_by_bytes() => (self.member, self.given.clone()),
            (Some(given), _) => (self.member, given.clone()),
            (None, LeastCounts { size: Some(k), .. }) => (&k_anonymity::MEMBER, Parameters::default().with("k", *k)),
            (None, LeastCounts { values: Some(l), .. }) => {
                (&l_diversity::distinct::MEMBER, Parameters::default().with("l", *l))
            }
            _ => return None,
        };
        let (model, variable) = ((member.model)(&given)?, self.variable.clone());
        Some(Self { member, given, model, checked: PromiseBasis::Release, unit: Unit::Records, variable, ..*self })
    }

    /// What shows it, as long as nothing but the release is given.
    pub fn evidence(&self) -> Evidence {
        match self.model.needs {
            Needs::Population => Evidence::NeedsPopulation,
            _ if self.is_shown_by_bytes() => Evidence::Release,
            _ => Evidence::NeedsOriginal,
        }
    }

    /// Whether what is said to show it can. An order may be that of numbers, which the bytes show, or a given one.
    pub fn is_said_right(&self, claims: &Claims) -> bool {
        let (needs, has_person) = (self.model.needs, claims.person.is_some());
        let is_whole = claims.records.suppressed == Some(0);
        let shown_by = match needs {
            Needs::Population => PromiseBasis::Population,
            // One record of each person was drawn: the bytes show how many people there are.
            _ if self.model.is_of_sample => PromiseBasis::Release,
            _ if has_person => PromiseBasis::Original,
            Needs::Order if is_whole && self.checked != PromiseBasis::Population => self.checked,
            Needs::Nothing => PromiseBasis::Release,
            Needs::Whole if is_whole => PromiseBasis::Release,
            Needs::Whole | Needs::Order | Needs::Ladder => PromiseBasis::Original,
        };
        self.checked == shown_by && (self.unit == Unit::People) == has_person
    }

    /// Judges all classes; `variable` is its place among those that are watched, and `owner` has the whole table.
    pub fn check(&self, variable: Option<usize>, classes: &[&Class], whole: &WholeTable, owner: &str) -> Check {
        let (passed, found) = self.judge(variable, classes, whole);
        Check::new(self.name, passed, self.claim(owner), found)
    }

    fn judge(&self, variable: Option<usize>, classes: &[&Class], whole: &WholeTable) -> (bool, String) {
        let lacks = match self.model.needs {
            Needs::Order if whole.order.is_none() => "its values have no order that is known; not all are numbers",
            Needs::Ladder if whole.ladder.is_none() => "its values have no ladder that is known and nested",
            _ => "",
        };
        if !lacks.is_empty() {
            return (false, lacks.to_owned());
        }
        let sizes: Vec<u64> = classes.iter().map(|class| class.size).collect();
        if let Rule::Together(judge) = &self.model.rule {
            return judge(&sizes, self.unit);
        }
        let failing =
            classes.iter().map(|class| class.view(variable)).filter(|class| !self.model.allows(*class, whole));
        let measure = self.model.measure;
        let measured = |class: ClassView<'_>| if measure == Measure::Values { class.distinct() } else { class.size };
        let measured: Vec<u64> = failing.map(measured).collect();
        let (total, count) = (classes.len(), measured.len());
        let Some(smallest) = measured.into_iter().min() else { return (true, format!("all of {total} classes do")) };
        let found = match measure {
            Measure::Size => format!("{count} of {total} classes hold fewer, down to {smallest} {}", self.unit),
            Measure::Values => format!("{count} of {total} classes hold fewer, down to {smallest} distinct values"),
            Measure::Spread => format!("{count} of {total} classes do not"),
        };
        (false, found)
    }

    /// What it says of every class.
    pub fn claim(&self, owner: &str) -> String {
        self.tell(self.member.claim, owner)
    }

    /// A text of its member, with its words and parameters in place.
    fn tell(&self, text: &str, owner: &str) -> String {
        let mut parts = text.split(['{', '}']);
        let mut told = parts.next().unwrap_or_default().to_owned();
        while let (Some(key), Some(rest)) = (parts.next(), parts.next()) {
            let word = self.model.words.iter().find(|(known, _)| *known == key).map(|(_, word)| word.clone());
            let word = match key {
                "variable" => Some(format!("{:?}", self.variable)),
                "unit" => Some(self.unit.to_string()),
                "owner" => Some(owner.to_owned()),
                _ => word.or_else(|| Some(self.given.decimal(key)?.to_string())),
            };
            told += &word.unwrap_or_default();
            told += rest;
        }
        told
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.unit == Unit::People { " in people" } else { "" };
        write!(out, "{}{unit}", self.tell(self.member.sentence, ""))
    }
}

/// The classes of a release.
pub(crate) struct ReleasedClasses<'a> {
    pub classes: Vec<&'a Class>,
    /// The labels of each, where somebody looks at parts of keys.
    pub labels: KeyLabels,
    /// The values of each variable by their numbers.
    pub texts: Vec<Vec<&'a str>>,
    /// Whether no record is withheld.
    pub is_whole: bool,
    /// Its people, where their tokens are released.
    pub tokens: Option<&'a TokenPeople>,
}

/// The place of the variable, which must be released as collected and sensitive.
fn sensitive_column(claim: &PrivacyClaim, columns: &[Column]) -> Result<usize, &'static str> {
    let column =
        columns.iter().enumerate().find(|(_, column)| Some(column.name.as_str()) == claim.parameters.word("variable"));
    match column {
        None => Err("its variable is not in the release"),
        Some((_, column)) if column.role != "sensitive" => Err("its variable is not sensitive"),
        Some((place, _)) => Ok(place),
    }
}

impl Promises {
    /// Understands the claims of a manifest.
    pub fn read(claims: &Claims) -> Self {
        let models: Vec<_> = claims.privacy.iter().map(|claim| Promise::read(claim, &claims.columns)).collect();
        let mut variables: Vec<Variable> = Vec::new();
        for promise in models.iter().flatten() {
            let Some(column) = promise.column else { continue };
            let enough = promise.model.least.values.filter(|_| promise.model.measure == Measure::Values);
            match variables.iter_mut().find(|variable| variable.column == column) {
                Some(known) => known.enough = known.enough.zip(enough).map(|(one, other)| one.max(other)),
                None => variables.push(Variable { column, enough }),
            }
        }
        Self { models, variables }
    }

    pub fn understood(&self) -> impl Iterator<Item = &Promise> {
        self.models.iter().flatten()
    }

    /// The place of a promise's variable among those that are watched.
    pub fn place(&self, promise: &Promise) -> Option<usize> {
        self.variables.iter().position(|variable| Some(variable.column) == promise.column)
    }

    /// Whether parts of keys are looked at.
    pub fn look_at_parts(&self) -> bool {
        self.understood().any(|promise| matches!(promise.model.rule, Rule::Parts(_)))
    }

    /// What the released classes show.
    pub fn checks(&self, released: &ReleasedClasses<'_>) -> Vec<Check> {
        let models = self.models.iter().enumerate();
        let check = |(place, model): (usize, &Result<Promise, &'static str>)| match model {
            Ok(promise) => self.check_tokens(promise, released).or_else(|| self.check_bytes(promise, released)),
            Err(why) => {
                let claim = format!("privacy model {} of the manifest", place + 1);
                Some(Check::new("privacy-model", false, claim, *why))
            }
        };
        models.filter_map(check).collect()
    }

    /// What tokens show of a promise in people: all of it, unless it takes the whole table, an order or a ladder.
    fn check_tokens(&self, promise: &Promise, released: &ReleasedClasses<'_>) -> Option<Check> {
        let is_shown = match promise.model.needs {
            Needs::Nothing => true,
            Needs::Whole => released.is_whole,
            Needs::Order | Needs::Ladder | Needs::Population => false,
        };
        let tokens = released.tokens.filter(|_| is_shown && promise.unit == Unit::People)?;
        let variable = self.place(promise);
        if matches!(promise.model.rule, Rule::Parts(_)) {
            return Some(
                promise
                    .check_parts(variable, &released.labels, |group_of, count| tokens.people.by_group(group_of, count)),
            );
        }
        let whole = variable.and_then(|place| tokens.wholes.get(place));
        let counts = whole.map_or_else(Vec::new, |whole| whole.counts.clone());
        let classes: Vec<&Class> = tokens.classes.iter().collect();
        Some(promise.check(variable, &classes, &WholeTable { counts, ..WholeTable::default() }, "release"))
    }

    fn check_bytes(&self, promise: &Promise, released: &ReleasedClasses<'_>) -> Option<Check> {
        let ReleasedClasses { classes, labels, texts, .. } = released;
        let (shown, variable) = (promise.shown_by_bytes()?, self.place(promise));
        if matches!(shown.model.rule, Rule::Parts(_)) {
            return Some(
                shown.check_parts(variable, labels, |group_of, count| lkc::records_by_group(classes, group_of, count)),
            );
        }
        let texts = variable.and_then(|place| Some((place, texts.get(place)?)));
        let whole = texts.map(|(place, texts)| WholeTable::count(classes, place, texts));
        Some(shown.check(variable, classes, &whole.unwrap_or_default(), "release"))
    }
}
