//! k-anonymity: `|class| ≥ k`.
//!
//! A class of one record hides nobody, so k begins with 2.

use super::{ANY, Member, Model};

pub(super) const MEMBER: Member = Member {
    name: "k-anonymity",
    reads: ANY,
    keys: &["k"],
    takes: "k-anonymity takes k, a whole number from 2, and nothing else",
    sentence: "k-anonymity with k = {k}",
    claim: "every class holds {k} {unit} or more",
    model: |given| Some(Model::of_size(given.several("k")?)),
};
