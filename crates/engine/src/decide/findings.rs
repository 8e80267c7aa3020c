//! What was decided and what was written become the report, once and here.

use equanym_core::checklist::{Checklist, ChecklistLine};
use equanym_core::privacy;
use equanym_core::report::{
    CheckBasis, ClassFindings, Guarantee, LocalFindings, NamedLevels, NewValuesReport, NodeChoice, PictureCounts,
    PopulationFindings, Report, Worth,
};
use equanym_core::risk::Risk;
use equanym_core::utility::Figure;
use equanym_core::utility::bars::ColumnFrequencies;

use super::sample::SampleFacts;

/// What is known of a release once it is decided; most of it as [`Report`] says.
#[derive(Debug)]
pub(crate) struct Findings {
    pub records: u64,
    pub persons: Option<u64>,
    pub suppressed: u64,
    pub persons_suppressed: Option<u64>,
    pub node: NamedLevels,
    pub choice: Option<NodeChoice>,
    pub local: Option<LocalFindings>,
    /// The released classes by people, and by records.
    pub classes: ClassFindings,
    pub by_records: ClassFindings,
    pub privacy: Vec<Guarantee>,
    pub population: Option<PopulationFindings>,
    pub original: Option<ClassFindings>,
    pub frequencies: Vec<ColumnFrequencies>,
    pub pairs: Vec<Figure>,
    pub pictured: PictureCounts,
    pub worth: Option<Worth>,
    /// What the owner should look at.
    pub lines: Vec<ChecklistLine>,
    /// What new values are worth, and what is said of them.
    pub new_values: Option<(NewValuesReport, Vec<ChecklistLine>)>,
    /// The table that a sample was drawn from.
    pub sample: Option<SampleFacts>,
}

/// What is known of a release once it is written.
#[derive(Debug, Default)]
pub(crate) struct WrittenFacts {
    /// Cells that were guarded against being taken for formulas by a spreadsheet.
    pub neutralised_cells: u64,
    /// What the owner should look at besides.
    pub lines: Vec<ChecklistLine>,
}

impl Findings {
    /// The report of the release that this method made.
    pub(crate) fn report(self, method: &str, written: WrittenFacts) -> Report {
        let of_sample = self.sample.as_ref();
        let released = self.records - self.suppressed;
        let records = of_sample.map_or(self.records, |sample| sample.records);
        let mut checklist = Checklist::default();
        checklist.extend(self.lines);
        let risk = risk(self.classes.risk, self.new_values.as_ref().map(|(found, _)| found));
        let (new_values, told) = self.new_values.map_or((None, Vec::new()), |(found, told)| (Some(found), told));
        checklist.extend(told);
        checklist.extend(written.lines);
        Report {
            records,
            persons: of_sample.map_or(self.persons, |sample| sample.persons),
            released,
            suppressed: of_sample.map_or(self.suppressed, |_| records.saturating_sub(released)),
            persons_suppressed: of_sample.map_or(self.persons_suppressed, |sample| {
                sample.persons.map(|persons| persons.saturating_sub(released))
            }),
            method: method.to_owned(),
            node: self.node,
            // What was measured of it was measured on the sample; and nothing was searched for.
            choice: self.choice.filter(|_| of_sample.is_none()),
            local: self.local,
            new_values,
            classes: self.classes.classes,
            risk,
            by_records: self.by_records,
            guarantee: Report::no_guarantee(&self.privacy),
            privacy: match of_sample {
                Some(sample) => self.privacy.into_iter().map(|held| sample.claim(held)).collect(),
                None => self.privacy,
            },
            population: self.population,
            neutralised_cells: written.neutralised_cells,
            original: self.original.filter(|_| of_sample.is_none()),
            frequencies: self.frequencies,
            pairs: self.pairs,
            pictured: self.pictured,
            worth: self.worth,
            checklist,
        }
    }
}

/// No model bounds what columns with new values give away; what is measured is the worst that was tried.
fn risk(of_classes: Risk, new_values: Option<&NewValuesReport>) -> Risk {
    let Some(found) = new_values else { return of_classes };
    Risk {
        prosecutor_max: 1.0,
        prosecutor_mean: of_classes.prosecutor_mean.max(found.linkage.worst().share),
        records_at_risk: 1.0,
    }
}

impl SampleFacts {
    /// What a guarantee claims that rests on the draw; a seed voids it.
    fn claim(&self, held: Guarantee) -> Guarantee {
        if !privacy::draws(&held.model) {
            return held;
        }
        Guarantee { parameters: self.claims.clone(), holds: !self.is_seeded, checked: CheckBasis::Release, ..held }
    }
}
