//! Sample uniques: `classes of one ≤ max · all records`.

use super::exact::is_share;
use super::{ANY, Member, Model};

pub(super) const MEMBER: Member = Member {
    name: "sample-uniques",
    reads: ANY,
    keys: &["max"],
    takes: "sample-uniques takes max from 0 to 1, and nothing else",
    sentence: "sample-uniques with max = {max}",
    claim: "at most {max} of all {unit} are alone in their class",
    model: |given| {
        let max = given.share("max")?;
        Some(Model::of_all(move |sizes, unit| {
            let alone = sizes.iter().filter(|size| **size == 1).count() as u64;
            let all = sizes.iter().sum();
            (is_share(alone, all, max), format!("{alone} of {all} {unit} are"))
        }))
    },
};
