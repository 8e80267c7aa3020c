//! Records at risk: `records in classes smaller than 1 / highest ≤ share · all records`.

use super::exact::{is_at_most, is_share};
use super::{ANY, Member, Model};

pub(super) const MEMBER: Member = Member {
    name: "records-at-risk",
    reads: ANY,
    keys: &["highest", "share"],
    takes: "records-at-risk takes highest above 0 and share from 0, both up to 1, and nothing else",
    sentence: "records-at-risk with highest = {highest} and share = {share}",
    claim: "at most {share} of all {unit} are in classes smaller than 1 / {highest}",
    model: |given| {
        let ([part, whole], share) = (given.positive_share("highest")?.ratio()?, given.share("share")?);
        Some(Model::of_all(move |sizes, unit| {
            let is_small = |size: &&u64| !is_at_most([whole, 1], [u128::from(**size), part]);
            let (small, all) = (sizes.iter().filter(is_small).sum::<u64>(), sizes.iter().sum());
            (is_share(small, all, share), format!("{small} of {all} {unit} are"))
        }))
    },
};
