//! Releases under many policies, from one count of the table.
//!
//! The policies may differ in parameters of the models, limits, preferences and methods that recode; which columns are counted for what
//! must be among those that were. Ladders are fitted once for each kind of work; each policy is admitted by itself.
//!
//! Limit: methods that make new values need the records, not their counts; they are released in memory instead (`run::frontier`).

use equanym_core::privacy::ModelNeeds;

use super::question::Outlook;
use super::{Inquiry, Ladders, admit};
use crate::count::counted_table::CountedTable;
use crate::count::parts::KeyParts;
use crate::decide::divides;
use crate::decide::fitted::FittedTables;
use crate::decide::fitting::Fitting;
use crate::decide::prospect::{Outcome, Prospect, ProvenAnswer};
use crate::error::{Error, Result};
use crate::machine::Runtime;
use crate::policy::{Policy, PrivacyPolicy};

/// A counted table that is asked for one release after the other.
pub(crate) struct Points<'a> {
    counted: &'a CountedTable<'a>,
    /// Tables that were fitted to all of its keys.
    kept: Option<&'a FittedTables>,
    runtime: &'a Runtime,
    stages: Vec<Stage<'a>>,
}

/// The table for policies of one kind.
struct Stage<'a> {
    kind: Kinship,
    counted: CountedTable<'a>,
    fitting: Fitting,
    /// Answers that others may share.
    known: Vec<ProvenAnswer>,
}

/// What policies have in common that share ladders and counts.
#[derive(Debug, PartialEq)]
struct Kinship {
    /// Whether classes have labels of their own.
    is_local: bool,
    /// The counted columns.
    places: KeyParts<usize>,
    /// What the models look at.
    needs: Vec<ModelNeeds>,
}

impl<'a> Points<'a> {
    /// Nothing is fitted before it is asked for.
    pub(crate) fn new(counted: &'a CountedTable<'a>, kept: Option<&'a FittedTables>, runtime: &'a Runtime) -> Self {
        Self { counted, kept, runtime, stages: Vec::new() }
    }

    /// What a release under this policy would be. Higher suppression limits are best asked for first.
    pub(crate) fn under(&mut self, policy: &'a Policy) -> Result<Outcome> {
        Outcome::from_release(self.release(policy))
    }

    fn release(&mut self, policy: &'a Policy) -> Result<Prospect> {
        admit::policy(policy)?;
        admit::records(self.counted)?;
        let place = self.stage(policy)?;
        let runtime = self.runtime;
        let Stage { counted, fitting, known, .. } = self.stages.get_mut(place).ok_or_else(Error::internal)?;
        let fitting = fitting.under(policy)?;
        Inquiry::new(counted.under(policy)?, Ladders::Known(fitting), runtime)?.ask(Outlook(known))
    }

    /// The place of the stage for a policy.
    fn stage(&mut self, policy: &'a Policy) -> Result<usize> {
        let counted = self.counted.under(policy)?;
        let kind = Kinship {
            is_local: divides(policy).is_some(),
            places: counted.case.columns.places.clone(),
            needs: policy.privacy.iter().map(PrivacyPolicy::needs).collect(),
        };
        if let Some(place) = self.stages.iter().position(|stage| stage.kind == kind) {
            return Ok(place);
        }
        let kept = self.kept.filter(|_| kind.places == self.counted.case.columns.places);
        let fitting = self.runtime.side_by_side(|| Fitting::new(&counted, kept))?;
        self.stages.push(Stage { kind, counted, fitting, known: Vec::new() });
        Ok(self.stages.len() - 1)
    }
}
