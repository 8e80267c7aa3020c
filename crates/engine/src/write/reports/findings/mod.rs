//! What a report says, as data: the layout of `report.json`.
//!
//! The keys are those of `release --json`, with words for whoever was not there: what a guarantee means, how the labels of
//! a column come about. The keys from `search` to `loss` are absent when the levels came with a stored mask.
//!
//! The public findings are a function of the manifest and of what can be counted in the release, sizes of classes and counts
//! of labels, and of nothing else: whoever holds the release can compute them again, and the audit does. The owner's
//! ([`OwnerFindings`]) add what was measured on the table.
//!
//! `choice` has the models and how the levels were chosen, `columns` the columns, `spread` what pictures are drawn from.

mod choice;
mod columns;
mod owner;
mod spread;

use equanym_core::card::{Card, Parameters};
use equanym_core::mask::ColumnChange;
use equanym_core::method;
use equanym_core::report::{ClassFindings, LocalFindings, NamedLevels, PublicCounts, Report, UtilityFindings};
use equanym_core::risk::linkage::Linkage;
use equanym_core::variable::Role;
use serde::Serialize;

pub use choice::{ChoiceFindings, ChosenLoss, Course, GuaranteeWords, LossAmount};
pub use columns::{ColumnRecoding, Labels, OtherChange, ReleasedColumn};
pub use owner::{KeptShare, LadderWords, OwnerFindings, RungWords};
pub use spread::LabelSpread;

use super::pictures::SizeStep;
use super::small::{self, ShownClasses, ShownRisk, Small};
use crate::count::sketch::greatest_k;
use crate::policy::About;
use crate::write::manifest::{ColumnClaim, Manifest};

/// The layout of `report.json`.
const FORMAT: u32 = 1;

/// What no reader of a report on new values may miss.
const NO_GUARANTEE: &str = "New values come without a formal guarantee: no privacy model covers these columns. The owner of \
                            the data has measured what somebody who knows the original finds again.";

/// How anybody can check the release.
const VERIFY: &str = "equanym audit DIR/public";

/// What anybody may know about a release: the public `report.json`. What is optional and not told by the manifest is
/// added for the owner alone.
#[derive(Debug, Clone, Serialize)]
pub struct ReleaseFindings<'a> {
    /// The layout of the file.
    pub format: u32,
    /// What wrote it.
    pub program: &'a str,
    /// Records of the table; not public where a promise rests on chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// Its people, for the owner, where a person is named: then classes and risk count people. The release tells records only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// Records released.
    pub released: u64,
    /// Records withheld; told where the others are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// People of whom a record is withheld, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons_suppressed: Option<u64>,
    /// The method.
    pub method: &'a str,
    /// The level of each quasi-identifier.
    pub node: NamedLevels,
    /// The steps of the ladders that are kept; absent where no column stands on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// How the levels were chosen.
    #[serde(flatten)]
    pub choice: Option<ChoiceFindings<'a>>,
    /// What local recoding did, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<&'a LocalFindings>,
    /// New values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_values: Option<NewValueFindings<'a>>,
    /// Counts below this are not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_from: Option<u64>,
    /// The released classes.
    pub classes: ShownClasses,
    /// The risk of the release; absent from the public report where columns with new values leave it without a bound, and
    /// where people are counted, whom the release does not tell apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<ShownRisk>,
    /// What is guaranteed.
    pub privacy: Vec<GuaranteeWords<'a>>,
    /// `none` where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<&'a str>,
    /// Cells that were guarded against being taken for formulas.
    pub neutralised_cells: Option<u64>,
    /// The released columns, in the order of the file.
    pub columns: Vec<ReleasedColumn<'a>>,
    /// How many records are in classes of which size.
    pub sizes: Vec<SizeStep>,
    /// How the records spread over the labels of each recoded column.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spread: Vec<LabelSpread>,
    /// What the release is for, in the words of its owner.
    #[serde(skip_serializing_if = "About::is_empty")]
    pub about: &'a About,
    /// The command that checks the release.
    pub verify: &'static str,
}

/// How much of the ladders is kept: told by levels, which say nothing about values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Detail {
    /// Steps that are kept, over all recoded columns.
    pub kept: u32,
    /// Steps that there are.
    pub of: u32,
}

/// Columns with new values. What they risk and keep is measured against the table, so only the owner learns it.
#[derive(Debug, Clone, Serialize)]
pub struct NewValueFindings<'a> {
    /// The columns.
    pub columns: Vec<&'a str>,
    /// The method's parameters.
    pub parameters: &'a Parameters,
    /// What no reader may miss.
    pub guarantee: &'static str,
    /// What somebody who knows the original finds again, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<&'a Linkage>,
    /// What the columns are still good for, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utility: Option<&'a [UtilityFindings]>,
}

impl<'a> ReleaseFindings<'a> {
    /// What the manifest and the counts of the release tell; `small` counts are not shown.
    #[must_use]
    pub fn new(manifest: &'a Manifest, found: ClassFindings, told: &PublicCounts, small: Small) -> Self {
        let ClassFindings { classes, risk } = found;
        let columns: Vec<_> = manifest.columns.iter().map(ReleasedColumn::new).collect();
        let new_values = NewValueFindings::from_manifest(manifest);
        let risk = ShownRisk::new(risk, classes, small);
        Self {
            format: FORMAT,
            program: &manifest.program,
            records: manifest.records.original,
            persons: None,
            released: manifest.records.released,
            suppressed: manifest.records.suppressed,
            persons_suppressed: None,
            method: &manifest.method,
            node: levels(manifest),
            detail: Detail::from_manifest(manifest),
            choice: manifest.choice.as_ref().map(ChoiceFindings::new),
            local: None,
            risk: if new_values.is_some() || manifest.person.is_some() { None } else { Some(risk) },
            new_values,
            shown_from: small.threshold(),
            classes: ShownClasses::new(classes, small),
            privacy: manifest.privacy.iter().map(GuaranteeWords::new).collect(),
            guarantee: manifest.guarantee.as_deref(),
            neutralised_cells: small.shown(manifest.neutralised_cells),
            columns,
            sizes: SizeStep::all(&told.sizes, None, small::promised_k(manifest), small),
            spread: LabelSpread::all(told, small),
            about: &manifest.about,
            verify: VERIFY,
        }
    }

    /// Adds what was measured on the table.
    fn for_owner(manifest: &'a Manifest, report: &'a Report) -> Self {
        let found = ClassFindings { classes: report.classes, risk: report.risk };
        let mut findings = Self::new(manifest, found, &report.pictured.told, Small::Shown);
        let original = Some(&report.pictured.original).filter(|sizes| !sizes.is_empty());
        findings.sizes = SizeStep::all(&report.pictured.people, original, small::promised_k(manifest), Small::Shown);
        findings.risk = Some(ShownRisk::new(report.risk, report.classes, Small::Shown));
        (findings.persons, findings.persons_suppressed) = (report.persons, report.persons_suppressed);
        (findings.records, findings.suppressed) = (Some(report.records), Some(report.suppressed));
        findings.local = report.local.as_ref();
        if let (Some(chosen), Some(choice)) = (&mut findings.choice, &report.choice) {
            chosen.measured(choice);
        }
        if let (Some(shown), Some(found)) = (&mut findings.new_values, &report.new_values) {
            (shown.linkage, shown.utility) = (Some(&found.linkage), Some(found.utility.as_slice()));
        }
        findings
    }

    /// The released columns of a role.
    pub(super) fn columns_of(&self, role: Role) -> impl Iterator<Item = &ReleasedColumn<'a>> {
        self.columns.iter().filter(move |column| column.role == role)
    }

    /// The names of the quasi-identifying columns that are recoded: what privacy models look at.
    pub(super) fn recoded_names(&self) -> Vec<&'a str> {
        let is_renewed = |column: &&ReleasedColumn<'a>| {
            column.change.as_ref().is_some_and(|one| one.change == ColumnChange::NewValue)
        };
        self.columns_of(Role::QuasiIdentifying).filter(|column| !is_renewed(column)).map(|column| column.name).collect()
    }

    /// The class size that is promised, if one is.
    pub(super) fn promised_k(&self) -> Option<u64> {
        greatest_k(self.privacy.iter().map(|one| one.parameters))
    }

    /// What classes and risk count.
    pub(super) fn unit(&self) -> &'static str {
        if self.persons.is_some() { "people" } else { "records" }
    }

    /// The method's card.
    pub(super) fn method_card(&self) -> Option<&'static Card> {
        method::find(self.method).map(|member| &member.card)
    }
}

/// The level of each column that stands on a ladder.
fn levels(manifest: &Manifest) -> NamedLevels {
    let of_column = |column: &ColumnClaim| Some((column.name.clone(), column.level?.level));
    NamedLevels(manifest.columns.iter().filter_map(of_column).collect())
}

impl Detail {
    fn from_manifest(manifest: &Manifest) -> Option<Self> {
        let ladders = manifest.columns.iter().filter_map(|column| column.level);
        let (mut kept, mut of) = (0, 0);
        for ladder in ladders {
            let steps = u32::from(ladder.levels).saturating_sub(1);
            of += steps;
            kept += steps.saturating_sub(ladder.level.into());
        }
        (of > 0).then_some(Self { kept, of })
    }
}

impl<'a> NewValueFindings<'a> {
    fn from_manifest(manifest: &'a Manifest) -> Option<Self> {
        let renewed = manifest.columns.iter().filter(|column| column.new_values.is_some());
        let columns: Vec<&str> = renewed.map(|column| column.name.as_str()).collect();
        let (parameters, guarantee) = (&manifest.parameters, NO_GUARANTEE);
        (!columns.is_empty()).then_some(Self { columns, parameters, guarantee, linkage: None, utility: None })
    }
}
