//! A stage of a job, as an executor is told to do it.
//!
//! Names of jobs in it become folders: of what it writes, and of what it reads that others wrote. They are looked at
//! first (`job_name`).

use std::sync::Arc;

use ballista_core::JobId;
use ballista_core::execution_plans::{RangeShuffleReaderExec, ShuffleReaderExec};
use ballista_executor::execution_engine::{DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionConfig;
use equanym_engine::error::Error;

use super::connections::Connections;
use super::job_name::is_job_name;
use super::refusal;

/// Ballista's own way to do a stage, behind a look at the names in it.
pub(crate) struct Stages {
    usual: DefaultExecutionEngine,
}

impl Default for Stages {
    fn default() -> Self {
        Self { usual: DefaultExecutionEngine::with_client_pool(Arc::new(Connections::default())) }
    }
}

impl ExecutionEngine for Stages {
    fn create_query_stage_exec(
        &self,
        job: JobId,
        stage: usize,
        task: usize,
        outputs: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        check(&job, &plan)?;
        self.usual.create_query_stage_exec(job, stage, task, outputs, plan, work_dir, config)
    }
}

/// Refuses a stage with a name that is none.
fn check(job: &JobId, plan: &Arc<dyn ExecutionPlan>) -> Result<()> {
    let mut fits = is_job_name(job.as_str());
    plan.apply(|node| {
        let places = node.downcast_ref::<ShuffleReaderExec>().map(|reader| &reader.partition);
        let mut places = places.into_iter().flatten().flatten();
        fits &= places.all(|place| is_job_name(place.partition_id.job_id.as_str()));
        // No plan of ours has one.
        fits &= node.downcast_ref::<RangeShuffleReaderExec>().is_none();
        Ok(TreeNodeRecursion::Continue)
    })?;
    if fits { Ok(()) } else { Err(refusal::send(&Error::input("an executor was given a job without a proper name"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;

    #[test]
    fn a_job_that_leads_elsewhere_is_refused() {
        let plan = plan::each(Vec::new(), &[vec![1]]).unwrap();
        assert!(check(&"a1B2".into(), &plan).is_ok());
        for name in ["../../x", "/etc", "", ".."] {
            assert!(check(&name.into(), &plan).is_err(), "{name}");
        }
    }
}
