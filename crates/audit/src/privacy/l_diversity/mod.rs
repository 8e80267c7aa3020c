//! l-diversity: each class has enough values of a sensitive variable, by one of three measures.
//!
//! Source: Machanavajjhala et al. 2007.

pub(super) mod distinct;
pub(super) mod entropy;
pub(super) mod recursive;
