//! From counted keys to a release that only has to be written.
//!
//! The core decides; here its questions are put together and its answers become a mask and findings. Nothing is written, and nobody
//! is let in: who asks comes through the door (`inquiry`), which has the table counted and the policy admitted.
//!
//! | File | Idea |
//! |---|---|
//! | `ladders` | ladders fitted to the values, and the core's table |
//! | `fitting` | the table with the models that judge it |
//! | `fitted` | tables with fitted ladders, kept for the next question |
//! | `sensitive` | what models see of the sensitive variables |
//! | `sample` | draws records, and levels, where a promise rests on chance |
//! | `search` | asks the core for the best node |
//! | `alternatives` | asks it for the best nodes in their order, and for the price of each level |
//! | `ceiling` | asks it how high each column must be allowed to climb |
//! | `fit` | the chosen node as a mask, with findings |
//! | `local` | classes with labels of their own |
//! | `recode` | a stored mask on other data |
//! | `prospect` | what a release under one of many policies would be |
//! | `balance` | price theory: the market, its solution, and what a guarantee costs |
//! | `frequencies` | what became of the values of the counted columns |
//! | `findings` | what was decided and what was written, as the report |
//! | `pictured` | counts that the reports plot |
//! | `nearest` | what could be attained by whoever asked for too much |
//! | `new_values` | new values for numeric columns |
//! | `ladder_gap` | says which values a ladder has no place for |
//! | `look_alike` | values that only blanks, case or Unicode form tell apart |
//! | `regain` | what a release is worth, what would buy detail back, and what stands around it |
//! | `checklist` | what an owner should look at before handing it over |

pub(crate) mod alternatives;
pub(crate) mod balance;
pub(crate) mod ceiling;
pub(crate) mod checklist;
pub(crate) mod dial;
pub(crate) mod findings;
pub(crate) mod fit;
pub(crate) mod fitted;
pub(crate) mod fitting;
mod frequencies;
pub(crate) mod ladder_gap;
mod ladders;
pub(crate) mod local;
mod look_alike;
mod nearest;
pub(crate) mod new_values;
mod pictured;
pub(crate) mod prospect;
pub(crate) mod recode;
pub(crate) mod regain;
pub(crate) mod sample;
pub(crate) mod search;
mod sensitive;
mod unbalanced;

use std::collections::BTreeSet;

use equanym_core::method::partition::PartitionFit;
use equanym_core::method::{self, MethodWork};
use equanym_core::report::Report;

use crate::mask::StoredMask;
use crate::mask::rewrite::ByRecord;
use crate::policy::Policy;
use dial::ChosenSetting;
pub(crate) use findings::{Findings, WrittenFacts};

/// A release that is decided but not written.
pub(crate) struct Decision {
    /// The mask with what is needed to apply it again.
    pub stored: StoredMask,
    /// The raw values of the recoded columns.
    pub values: Vec<Vec<String>>,
    /// The labels that occur in each recoded column of the release.
    pub labels: Vec<BTreeSet<String>>,
    /// What was found.
    pub findings: Findings,
    /// What happens to single records.
    pub by_record: ByRecord,
    /// The setting that a balance chose for new values.
    pub setting: Option<ChosenSetting>,
}

impl Decision {
    /// The report as far as it is known before anything is written.
    pub(crate) fn into_report(self) -> Report {
        self.findings.report(&self.stored.method, WrittenFacts::default())
    }
}

/// The method that divides the table into classes with labels of their own, if it is one.
pub(crate) fn divides(policy: &Policy) -> Option<PartitionFit> {
    match method::find(&policy.method.name)?.work {
        MethodWork::Classes(fit) => Some(fit),
        _ => None,
    }
}
