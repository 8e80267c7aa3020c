//! A counted table under a policy: all that a decision is made from.
//!
//! It is made in this file alone, so whatever is decided was counted in one way: the columns that the policy names, everybody
//! with an id, the population where a model looks at one, and the cells of other columns where somebody must know what they hold.
//!
//! It has two halves. The [`Case`] lasts until the release is written. The keys themselves are let go of once the core has its
//! table of them, because a search needs the room.

use std::borrow::Cow;

use equanym_core::report::PopulationFindings;

use super::columns::KeyColumns;
use super::counter::Counter;
use super::parts::KeyParts;
use super::people::refuse_nobody;
use super::population::Population;
use super::sketch::{Sketches, few};
use super::{KeyRows, Keys, Sketch};
use crate::error::{Error, Result};
use crate::machine::stopwatch::Stopwatch;
use crate::policy::Policy;
use crate::progress::Progress;
use crate::read::Source;

/// What is asked of which table, and who hears of it.
#[derive(Clone, Copy)]
pub(crate) struct Brief<'a> {
    pub policy: &'a Policy,
    pub source: &'a Source,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
    /// Hears how far it has come.
    pub progress: &'a dyn Progress,
    /// Takes the time.
    pub watch: &'a Stopwatch,
}

/// What is known of a counted table besides its keys.
pub(crate) struct Case<'a> {
    pub policy: &'a Policy,
    pub source: &'a Source,
    pub columns: KeyColumns<'a>,
    /// The distinct values of the counted columns.
    pub values: Cow<'a, KeyParts<Vec<String>>>,
    /// The records of the table.
    pub records: u64,
    /// What the columns look like that are released as collected; nothing where nobody looked.
    pub watched: Cow<'a, [Sketch]>,
    /// What was looked for, and what identifying columns look like.
    pub sketches: Cow<'a, Sketches>,
    /// What the sensitive variables look like that a model looks at; nothing where nobody looked.
    pub guarded: Vec<Sketch>,
    /// The population that it was taken from, where a model asks for it: what was found in it, and where it lies.
    pub population: Option<(PopulationFindings, Source)>,
    pub show_values: bool,
    pub progress: &'a dyn Progress,
    pub watch: &'a Stopwatch,
    /// Keeps others from making one.
    _made_here: (),
}

impl<'a> Case<'a> {
    /// What is asked, of which table.
    fn brief(&self) -> Brief<'a> {
        let Self { policy, source, show_values, progress, watch, .. } = *self;
        Brief { policy, source, show_values, progress, watch }
    }

    /// The ids of the people, where a person is named.
    pub(crate) fn ids(&self) -> Option<&[String]> {
        self.values.person.as_deref()
    }

    /// The number of people, where a person is named.
    pub(crate) fn persons(&self) -> Option<u64> {
        self.ids().map(|ids| ids.len() as u64)
    }
}

/// A counted table under a policy.
pub(crate) struct CountedTable<'a> {
    pub case: Case<'a>,
    pub rows: Cow<'a, KeyRows>,
    pub population: Option<Cow<'a, Population>>,
}

/// What was counted of a table, to be asked under one policy or under several.
pub(crate) struct TableCount {
    keys: Keys,
    population: Option<Population>,
    sketches: Sketches,
}

/// Whether cells are looked at that are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// For a report, where that costs nothing; and wherever a preset must know.
    ForReport,
    /// Where a preset must know.
    ForPresets,
}

impl Look {
    /// Below how many people values are few, where somebody must look.
    pub(crate) fn must(policy: &Policy) -> Option<u64> {
        let looks = policy.presets.iter().any(|named| named.preset.columns.is_some());
        looks.then(|| few_of(policy))
    }
}

/// How many people are few under a policy.
fn few_of(policy: &Policy) -> u64 {
    few(policy.privacy.iter().map(|model| &model.parameters))
}

impl TableCount {
    /// Counts what a policy asks for.
    pub(crate) fn new(brief: Brief<'_>, look: Look, counter: &dyn Counter) -> Result<Self> {
        let Brief { policy, source, progress, .. } = brief;
        let columns = KeyColumns::new(policy, source);
        let (few, tells_people) = (few_of(policy), columns.person.is_some());
        let looks = Look::must(policy).is_some() || look == Look::ForReport && counter.sees_cells();
        let sketches = if looks {
            Sketches::new(source, columns.to_identify(), few, tells_people)
        } else {
            Sketches::nothing(few, tells_people)
        };
        let population = Population::count(policy, &columns, counter, progress)?;
        let keys = counter.count(source, columns.to_read(looks.then_some(&sketches.lookout)), progress)?;
        if let Some(name) = columns.person {
            refuse_nobody(name, &keys)?;
        }
        brief.watch.lap(|seconds| &mut seconds.count);
        Ok(Self { keys, population, sketches })
    }

    /// Where the population lies, where a model looks at one.
    pub(crate) fn population(&self) -> Option<&Source> {
        self.population.as_ref().map(|one| &one.source)
    }

    /// The table under its policy.
    pub(crate) fn into_table(self, brief: Brief<'_>) -> CountedTable<'_> {
        let Self { keys: Keys { values, rows, watched }, population, sketches } = self;
        let parts = (Cow::Owned(values), Cow::Owned(rows), Cow::Owned(watched));
        CountedTable::new(brief, parts, population.map(Cow::Owned), (Cow::Owned(sketches), true))
    }

    /// The same table under a policy that has the same counted.
    pub(crate) fn under<'a>(&'a self, brief: Brief<'a>) -> CountedTable<'a> {
        let Keys { values, rows, watched } = &self.keys;
        let sketches = if watched.is_empty() {
            Cow::Owned(Sketches::nothing(few_of(brief.policy), brief.policy.person.is_some()))
        } else {
            Cow::Borrowed(&self.sketches)
        };
        let parts = (Cow::Borrowed(values), Cow::Borrowed(rows), Cow::Borrowed(watched.as_slice()));
        CountedTable::new(brief, parts, self.population.as_ref().map(Cow::Borrowed), (sketches, true))
    }
}

/// Values, keys and what other columns look like.
type Parts<'a> = (Cow<'a, KeyParts<Vec<String>>>, Cow<'a, KeyRows>, Cow<'a, [Sketch]>);

impl<'a> CountedTable<'a> {
    fn new(
        brief: Brief<'a>,
        (values, rows, watched): Parts<'a>,
        population: Option<Cow<'a, Population>>,
        (sketches, looks): (Cow<'a, Sketches>, bool),
    ) -> Self {
        let Brief { policy, source, show_values, progress, watch } = brief;
        let columns = KeyColumns::new(policy, source);
        let case = Case {
            records: rows.records(),
            guarded: if looks { sketches.guarded(columns.sensitive.len(), &values, &rows) } else { Vec::new() },
            population: population.as_ref().map(|one| (one.found(), one.source.clone())),
            policy,
            source,
            columns,
            values,
            watched,
            sketches,
            show_values,
            progress,
            watch,
            _made_here: (),
        };
        Self { case, rows, population }
    }

    /// How many records have each value of a quasi-identifier.
    pub(crate) fn occurrences(&self, place: usize) -> Vec<u64> {
        self.rows.occurrences(&self.rows.codes.quasi[place], self.case.values.quasi[place].len())
    }

    /// The same table under another policy, whose counted columns are among those that were counted.
    pub(crate) fn under<'b>(&'b self, policy: &'b Policy) -> Result<CountedTable<'b>> {
        let Self { case, rows, population } = self;
        let brief = Brief { policy, ..case.brief() };
        let has = &case.columns.places;
        let wanted = KeyColumns::new(policy, case.source).places;
        let (values, rows) = if wanted == *has {
            (Cow::Borrowed(case.values.as_ref()), Cow::Borrowed(rows.as_ref()))
        } else {
            let chosen: Option<Vec<usize>> =
                wanted.iter().map(|one| has.iter().position(|place| place == one)).collect();
            let chosen = chosen
                .map(|chosen| wanted.like(chosen))
                .ok_or_else(|| Error::input("the table was not counted by the columns that this policy recodes"))?;
            (
                Cow::Owned(chosen.taken_from(&case.values).cloned()),
                Cow::Owned(rows.narrowed(|codes| chosen.taken_from(codes))),
            )
        };
        let watched = Cow::Borrowed(case.watched.as_ref());
        let population = population.as_deref().map(Cow::Borrowed);
        // Nobody reads a report of these; a preset must know.
        let sketches = (Cow::Borrowed(case.sketches.as_ref()), Look::must(policy).is_some());
        Ok(CountedTable::new(brief, (values, rows, watched), population, sketches))
    }

    /// The same keys under another policy that has the same counted.
    pub(crate) fn with_policy<'b>(self, policy: &'b Policy) -> CountedTable<'b>
    where
        'a: 'b,
    {
        let Self { case, rows, population } = self;
        let brief = Brief { policy, ..case.brief() };
        CountedTable::new(brief, (case.values, rows, case.watched), population, (case.sketches, true))
    }
}
