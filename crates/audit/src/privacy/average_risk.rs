//! Average risk: `number of classes / number of records ≤ max`, over all released classes.
//!
//! Whoever looks for somebody in a class of n is right with the chance 1 / n; over all records that makes one for each class.

use super::exact::is_share;
use super::{ANY, Member, Model};

pub(super) const MEMBER: Member = Member {
    name: "average-risk",
    reads: ANY,
    keys: &["max"],
    takes: "average-risk takes max from 0 to 1, and nothing else",
    sentence: "average-risk with max = {max}",
    claim: "classes are at most {max} of all {unit} in them",
    model: |given| {
        let max = given.share("max")?;
        let model = Model::of_all(move |sizes, unit| {
            let (classes, all) = (sizes.len() as u64, sizes.iter().sum());
            (is_share(classes, all, max), format!("{classes} classes of {all} {unit}"))
        });
        // There are as many records as people, or more.
        Some(Model { in_records: Some(given.clone()), ..model })
    },
};
