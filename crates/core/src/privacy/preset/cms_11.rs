//! The rule for small cells of the Centers for Medicare & Medicaid Services: no number of one to ten people is shown.

use super::super::k_anonymity;
use super::{Preset, PresetModel};
use crate::card::Card;

pub(super) const PRESET: Preset = Preset {
    card: Card {
        name: "cms-11",
        summary: "data of Medicare and Medicaid: no cell of 1 to 10 people, so classes of 11",
        about: "The policy on cell sizes of the Centers for Medicare & Medicaid Services suppresses every cell of ten people or \
                fewer, and every number from which one could be computed. For records that is eleven people in every class. \
                Name `[data] person` where a person has several records. Tables that are made from a release must keep the \
                rule, too.",
        promises: &[],
        parameters: &[],
        source: "Centers for Medicare & Medicaid Services, cell size suppression policy, as data use agreements cite \
                 it (ResDAC, CMS cell size suppression policy)",
    },
    models: &[PresetModel { model: k_anonymity::MEMBER.card.name, numbers: &[("k", 11)] }],
    columns: None,
};
