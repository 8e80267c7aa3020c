//! Average risk: over all released records, the chance to be recognised is small.
//!
//! Whoever knows that a person is in the table, and their class, picks the right one of n with chance 1/n. With u classes and
//! n people in all, the mean chance over all people is u / n. The condition, compared in whole numbers, is
//!
//! > u ≤ `max` · n.
//!
//! Single people may have a much higher risk than the mean.
//!
//! **What is withheld.** Let N(m) be the people of the m largest classes. `max` · N(m) − m grows with m while the next class
//! is larger than 1/`max`, and falls from then on. So the condition holds for m = 1, 2, … up to a last m. Of all
//! choices of classes that satisfy the condition, the largest m classes keep the most people.
//!
//! **How much is withheld below** ([`TableModel::forced`]). Let rᵢ be the records of class i that nodes below may keep.
//! What a node below keeps lies in some m of these classes, and it makes at least m classes of it. Hence
//!
//! > m ≤ u ≤ `max` · n, and n ≤ records kept ≤ the sum of the m largest rᵢ.
//!
//! So no more records are kept than the largest such sum R(m) with m ≤ `max` · R(m).
//!
//! A merge leaves n as it is and lowers u.
//!
//! Source: the average prosecutor risk of El Emam 2013. Spec: `specs/privacy/average-risk.md`.

use super::ratio::Ratio;
use super::whole_table::{BoundedClasses, PROMISES, SizedClasses, TableModel, WholeTableModel};
use super::{Closure, ModelMember, ModelNeeds, NearestParameter};
use crate::card::{Card, Kind, Parameter};

pub(super) const MEMBER: ModelMember = ModelMember {
    card: Card {
        name: "average-risk",
        summary: "the mean chance to recognise a released record is at most max",
        about: "The number of classes divided by the number of people in them. It is judged over all released classes \
                together: where it fails, smallest classes are withheld until it holds. Single people may be at a much higher \
                risk: add k-anonymity where nobody must be.",
        promises: PROMISES,
        parameters: &[Parameter::required(
            "max",
            Kind::PositiveShare,
            "the highest mean; 0.05 is that of classes of 20",
        )],
        source: "K. El Emam, Guide to the de-identification of personal health information, CRC Press 2013",
    },
    needs: |_| ModelNeeds::Classes,
    build: |parameters, _| Ok(Box::new(WholeTableModel(AverageRisk { max: Ratio::read(parameters, "max") }))),
};

struct AverageRisk {
    max: Ratio,
}

impl AverageRisk {
    fn permits(&self, classes: u64, people: u64) -> bool {
        u128::from(classes) * self.max.denominator <= self.max.numerator * u128::from(people)
    }
}

impl TableModel for AverageRisk {
    fn name(&self) -> &'static str {
        MEMBER.card.name
    }

    fn holds(&self, kept: &SizedClasses) -> bool {
        self.permits(kept.classes(), kept.people())
    }

    fn closure(&self) -> Closure {
        Closure::Union
    }

    fn forced(&self, classes: &BoundedClasses<'_>) -> u64 {
        let mut left: Vec<u64> = classes.classes().map(|(_, records)| records).filter(|records| *records > 0).collect();
        let all: u64 = classes.records.iter().sum();
        let may_keep: u64 = left.iter().sum();
        if self.permits(left.len() as u64, may_keep) {
            return all - may_keep;
        }
        left.sort_unstable();
        let (mut kept, mut most) = (0, 0);
        for (count, records) in (1..).zip(left.iter().rev()) {
            kept += records;
            if self.permits(count, kept) {
                most = kept;
            }
        }
        all - most
    }

    fn nearest(&self, kept: &SizedClasses) -> Option<NearestParameter> {
        let attained = kept.classes() as f64 / kept.people().max(1) as f64;
        Some(NearestParameter::at_least(self.name(), "max", attained))
    }
}
