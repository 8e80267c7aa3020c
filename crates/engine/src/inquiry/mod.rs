//! The one door to a decision: open → treat → count → admit → ask.
//!
//! Whoever wants to know something of a table under a policy comes through here: a release, a mask that is applied again, a map, a
//! list of alternatives, a balance, SQL, a draft on trial, a page with sliders, Python. So all get the same answer, or the same
//! refusal in the same words.
//!
//! | Step | Where | What |
//! |---|---|---|
//! | open, treat | [`TreatedTable`] | the table with its cells treated as they are read |
//! | count | [`TableCount`](crate::count::counted_table::TableCount) | its distinct keys, and the population where a model looks at one |
//! | admit | `admit`, `preset` | what is refused whatever is asked |
//! | ask | `question`, `points` | a question as a value, and its answer |
//!
//! What `admit` refuses is said before anybody says what they cannot serve.

pub(crate) mod admit;
pub(crate) mod points;
mod preset;
pub(crate) mod question;

use std::borrow::Cow;
use std::sync::Arc;

use crate::count::KeyRows;
use crate::count::counted_table::{Case, CountedTable};
use crate::decide::fitted::FittedTables;
use crate::decide::fitting::Fitting;
use crate::decide::{divides, recode};
use crate::error::Result;
use crate::machine::Runtime;
use crate::mask::StoredMask;
use crate::policy::Policy;
use crate::read::{Data, Source};
use crate::treat::{self, Treatments, key::Key};
use question::Question;

/// An open table whose cells are treated as they are read.
pub(crate) struct TreatedTable {
    pub source: Source,
    pub treatments: Arc<Treatments>,
}

impl TreatedTable {
    /// Opens the table of a policy, which must list its columns.
    pub(crate) fn open(data: Data<'_>, policy: &Policy, key: Key) -> Result<Self> {
        let source = data.open(&policy.data)?;
        policy.check_columns(source.columns())?;
        Self::new(source, policy, key)
    }

    /// The same for whoever asks and releases nothing.
    pub(crate) fn open_to_ask(data: Data<'_>, policy: &Policy) -> Result<Self> {
        let key = Key::for_question(treat::are_keyed(policy.treatments()), policy.key.as_deref())?;
        Self::open(data, policy, key)
    }

    /// Opens another table for a mask, which must have its columns.
    pub(crate) fn open_for_mask(data: Data<'_>, stored: &StoredMask, policy: &Policy, key: Key) -> Result<Self> {
        let source = data.open(&policy.data)?;
        stored.check_columns(source.columns())?;
        Self::new(source, policy, key)
    }

    fn new(source: Source, policy: &Policy, key: Key) -> Result<Self> {
        let (source, treatments) = treat::treated(source, policy.treatments(), key)?;
        Ok(Self { source, treatments })
    }
}

/// Where the ladders of a table come from.
pub(crate) enum Ladders<'l> {
    /// The policy: fitted to the values, or taken from what was fitted before.
    Policy(Option<&'l FittedTables>),
    /// A mask, which learns what becomes of unknown values.
    Mask(&'l mut StoredMask),
    /// They are fitted already.
    Known(Fitting),
}

/// A table that was counted and admitted: it can be asked.
pub(crate) struct Inquiry<'a> {
    case: Case<'a>,
    /// Ladders and models; absent where no column is recoded.
    fitting: Option<Fitting>,
    /// The keys, where somebody needs them beside the core's table. For a search every byte counts.
    rows: Option<Cow<'a, KeyRows>>,
    runtime: &'a Runtime,
}

impl<'a> Inquiry<'a> {
    /// Fits ladders and models, and admits the table or says why not.
    pub(crate) fn new(counted: CountedTable<'a>, ladders: Ladders<'_>, runtime: &'a Runtime) -> Result<Self> {
        admit::records(&counted)?;
        let needs_rows = matches!(ladders, Ladders::Mask(_)) || divides(counted.case.policy).is_some();
        let is_fitted_anew = !matches!(ladders, Ladders::Mask(_));
        let mut fitting = if counted.case.columns.quasi.is_empty() {
            admit::table(&counted.case, preset::ReleasedForm::AsCollected)?;
            None
        } else {
            Some(fitted(&counted, ladders, runtime)?)
        };
        if let Some(fitting) = fitting.as_mut().filter(|_| is_fitted_anew && question::is_balanced(counted.case.policy))
        {
            fitting.new_values = Arc::new(question::new_values(&counted.case, runtime)?);
        }
        counted.case.watch.lap(|seconds| &mut seconds.fit);
        let CountedTable { case, rows, .. } = counted;
        Ok(Self { case, fitting, rows: needs_rows.then_some(rows), runtime })
    }

    /// Asks a question.
    pub(crate) fn ask<Q: Question>(&self, question: Q) -> Result<Q::Answer> {
        question.ask(self)
    }
}

fn fitted(counted: &CountedTable<'_>, ladders: Ladders<'_>, runtime: &Runtime) -> Result<Fitting> {
    let case = &counted.case;
    match ladders {
        Ladders::Mask(stored) => {
            let fitting = runtime.side_by_side(|| recode::fit(counted, stored))?;
            admit::table(case, preset::ReleasedForm::ByMask(stored))?;
            Ok(fitting)
        }
        Ladders::Policy(kept) => {
            let fitting = runtime.side_by_side(|| Fitting::new(counted, kept))?;
            admit::table(case, preset::ReleasedForm::ByLadders(&fitting.table))?;
            Ok(fitting)
        }
        Ladders::Known(fitting) => {
            admit::table(case, preset::ReleasedForm::ByLadders(&fitting.table))?;
            Ok(fitting)
        }
    }
}
