//! The risk–utility map of a table at hand: its points are answered from the counts that are kept.

use std::borrow::Cow;

use super::Live;
use crate::error::Result;
use crate::run::frontier::{Counts, Frontier, FrontierRequest, mapped};

impl Live {
    /// The map that `frontier` would compute of this table. Points that need the records read them.
    pub fn map(&self, request: &FrontierRequest<'_>) -> Result<Frontier> {
        mapped(request, &self.runtime, |counting, go_on| {
            let kept = self.counted(counting, request.progress.as_ref())?;
            let population = kept.population.as_ref().map(Cow::Borrowed);
            let (keys, fitted) = (Cow::Borrowed(&kept.keys), Some(&kept.fitted));
            go_on(Counts { source: &kept.source, keys, population, fitted })
        })
    }
}
