//! The threshold of the European Medicines Agency for clinical reports: nobody is found with a probability above 0.09.
//!
//! One in eleven is 0.0909 and above it, so a class needs twelve people.

use super::super::k_anonymity;
use super::{Preset, PresetModel};
use crate::card::Card;

pub(super) const PRESET: Preset = Preset {
    card: Card {
        name: "ema-0.09",
        summary: "clinical data for the European Medicines Agency: a risk of at most 0.09, so classes of 12",
        about: "Policy 0070 asks for anonymised clinical reports; its guidance takes 0.09 as the highest probability of \
                re-identification that is acceptable for publication. One in eleven is 0.0909, so twelve people must share \
                every class. Name `[data] person` where a person has several records. The guidance also asks for a report \
                on the method, on utility and on attacks: this is its number only.",
        promises: &[],
        parameters: &[],
        source: "European Medicines Agency, External guidance on the implementation of the European Medicines Agency policy on \
                 the publication of clinical data for medicinal products for human use (Policy 0070), EMA/90915/2016",
    },
    models: &[PresetModel { model: k_anonymity::MEMBER.card.name, numbers: &[("k", 12)] }],
    columns: None,
};
