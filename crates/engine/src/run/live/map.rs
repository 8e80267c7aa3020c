//! The risk–utility map of a table at hand: its points are answered from the counts that are kept.

use super::Live;
use crate::count::counted_table::Brief;
use crate::error::Result;
use crate::machine::stopwatch::Stopwatch;
use crate::run::frontier::{Frontier, FrontierRequest, MapPlan};

impl Live {
    /// The map that `frontier` would compute of this table. Points that need the records read them.
    pub fn map(&self, request: &FrontierRequest<'_>) -> Result<Frontier> {
        let plan = MapPlan::new(request)?;
        let policy = plan.counting()?;
        let kept = self.counted(policy, request.progress.as_ref())?;
        let (progress, watch) = (plan.heard.as_ref(), Stopwatch::start(policy.loading));
        let brief = Brief { policy, source: &kept.source, show_values: request.show_values, progress, watch: &watch };
        plan.map(&kept.count.under(brief), Some(&kept.fitted), &self.runtime)
    }
}
