//! What several pages are made of.

pub(crate) mod answer;
pub(crate) mod figures;
pub(crate) mod forms;
pub(crate) mod ladder;
pub(crate) mod text;
