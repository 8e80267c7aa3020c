//! Our work as an operator of a plan.
//!
//! Its input is one column of rows, each naming a part of the work ([`super::work`]); its output is keys and how often each
//! was met. It shows nothing of the work when a plan is printed. It runs on executors alone: elsewhere it has no permit.

use std::fmt;
use std::sync::{Arc, OnceLock};

use arrow_array::{Array, BinaryArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties};
use equanym_engine::error::{self, Error};
use equanym_engine::mask::rewrite::key_batch;
use equanym_engine::read::cells::column_as;

use super::permit::Permit;
use super::refusal;
use super::work::{ReadyWork, StopCheck, Work, unpack};

/// The column of rows.
#[must_use]
pub(crate) fn rows_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![Field::new("row", DataType::Binary, false)]))
}

/// Does some work for each row of its input.
pub(crate) struct WorkExec {
    /// What all rows share, packed.
    pub(crate) work: Arc<Vec<u8>>,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
    permit: Option<Arc<Permit>>,
    ready: OnceLock<error::Result<Arc<ReadyWork>>>,
}

impl WorkExec {
    /// Some work; without a permit it cannot be done.
    #[must_use]
    pub(crate) fn new(work: Arc<Vec<u8>>, input: Arc<dyn ExecutionPlan>, permit: Option<Arc<Permit>>) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(key_batch::schema()),
            input.output_partitioning().clone(),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self { work, input, properties: Arc::new(properties), permit, ready: OnceLock::new() }
    }

    /// What all parts share, made ready once.
    fn ready(&self, permit: &Permit) -> error::Result<Arc<ReadyWork>> {
        self.ready.get_or_init(|| Ok(Arc::new(unpack::<Work>(&self.work)?.ready(permit)?))).clone()
    }
}

impl fmt::Debug for WorkExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkExec")
    }
}

impl DisplayAs for WorkExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkExec")
    }
}

impl ExecutionPlan for WorkExec {
    fn name(&self) -> &'static str {
        "WorkExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.pop().ok_or_else(|| DataFusionError::Internal("WorkExec without input".to_owned()))?;
        Ok(Arc::new(Self::new(Arc::clone(&self.work), input, self.permit.clone())))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let no_permit = || refusal::send(&Error::environment("this process is no executor and does no work"));
        let permit = self.permit.clone().ok_or_else(no_permit)?;
        let ready = self.ready(&permit).map_err(|error| refusal::send(&error))?;
        let rows = self.input.execute(partition, context)?;
        let mut builder = RecordBatchReceiverStreamBuilder::new(key_batch::schema(), 4);
        let sender = builder.tx();
        let watched = sender.clone();
        let stopped: StopCheck = Arc::new(move || watched.is_closed());
        builder.spawn_blocking(move || {
            for rows in futures::executor::block_on_stream(rows) {
                let rows = rows?;
                let rows = column_as::<BinaryArray>(rows.column(0)).map_err(|error| refusal::send(&error))?;
                for row in 0..rows.len() {
                    let batches = ready.open(rows.value(row), &permit, &stopped);
                    for batch in batches.map_err(|error| refusal::send(&error))? {
                        let batch = batch.map_err(|error| refusal::send(&error));
                        let failed = batch.is_err();
                        if sender.blocking_send(batch).is_err() || failed {
                            return Ok(());
                        }
                    }
                }
            }
            Ok(())
        });
        Ok(builder.build())
    }
}
