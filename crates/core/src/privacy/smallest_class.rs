//! A smallest class: all that k-anonymity, cost and benefit, and an estimated k-map ask for in the end.

use super::{ClassView, Closure, NearestParameter, PrivacyModel, Requirement};

/// Classes of fewer people are refused.
pub(super) struct SmallestClass<N> {
    pub least: u64,
    /// What a class of so many people attains, where a parameter would help.
    pub nearest: N,
}

impl<N: Fn(u64) -> Option<NearestParameter> + Send + Sync> PrivacyModel for SmallestClass<N> {
    fn allows(&self, class: &ClassView<'_>) -> bool {
        class.people() >= self.least
    }

    fn closure(&self) -> Closure {
        Closure::Any
    }

    fn least_size(&self) -> u64 {
        self.least
    }

    fn nearest(&self, class: &ClassView<'_>) -> Vec<NearestParameter> {
        if self.allows(class) { Vec::new() } else { (self.nearest)(class.people()).into_iter().collect() }
    }

    fn requirements(&self) -> Vec<Requirement> {
        vec![Requirement::People { least: self.least }]
    }
}
