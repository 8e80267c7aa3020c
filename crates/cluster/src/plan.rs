//! The plans of jobs.
//!
//! Rows, our operator over them, a GROUP BY that adds up how often each key was met, and a sort by key where the order
//! counts. Rows stand in a table in memory with a partition each, because that is a leaf that Ballista deals out to tasks;
//! a leaf of our own it would run as a whole in every task.

use std::sync::Arc;

use arrow_array::{BinaryArray, RecordBatch};
use arrow_schema::SortOptions;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::error::Result;
use datafusion::functions_aggregate::sum::sum_udaf;
use datafusion::physical_expr::aggregate::AggregateExprBuilder;
use datafusion::physical_expr::expressions::col;
use datafusion::physical_expr::{LexOrdering, Partitioning, PhysicalSortExpr};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateMode, PhysicalGroupBy};
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use equanym_engine::mask::rewrite::key_batch::{self, KEY, TIMES};

use super::PARTS;
use super::operator::{WorkExec, rows_schema};

/// The work alone.
pub(crate) fn each(work: Vec<u8>, rows: &[Vec<u8>]) -> Result<Arc<dyn ExecutionPlan>> {
    let partition = |row: &Vec<u8>| {
        let column = Arc::new(BinaryArray::from_iter_values([row]));
        Ok(vec![RecordBatch::try_new(rows_schema(), vec![column])?])
    };
    let partitions = rows.iter().map(partition).collect::<Result<Vec<_>>>()?;
    let input = MemorySourceConfig::try_new_exec(&partitions, rows_schema(), None)?;
    Ok(Arc::new(WorkExec::new(Arc::new(work), input, None)))
}

/// Each key once.
pub(crate) fn grouped(work: Vec<u8>, rows: &[Vec<u8>]) -> Result<Arc<dyn ExecutionPlan>> {
    let schema = key_batch::schema();
    let key = col(KEY, &schema)?;
    let dealt = Partitioning::Hash(vec![Arc::clone(&key)], PARTS);
    let dealt = RepartitionExec::try_new(each(work, rows)?, dealt)?;
    let sum = AggregateExprBuilder::new(sum_udaf(), vec![col(TIMES, &schema)?]);
    let sum = sum.schema(Arc::clone(&schema)).alias(TIMES).build()?;
    let group = PhysicalGroupBy::new_single(vec![(key, KEY.to_owned())]);
    let mode = AggregateMode::SinglePartitioned;
    Ok(Arc::new(AggregateExec::try_new(mode, group, vec![Arc::new(sum)], vec![None], Arc::new(dealt), schema)?))
}

/// Each key once, in order.
pub(crate) fn sorted(work: Vec<u8>, rows: &[Vec<u8>]) -> Result<Arc<dyn ExecutionPlan>> {
    let grouped = grouped(work, rows)?;
    let key = PhysicalSortExpr::new(col(KEY, &grouped.schema())?, SortOptions { descending: false, nulls_first: true });
    let order = LexOrdering::from([key]);
    let sorted = SortExec::new(order.clone(), grouped).with_preserve_partitioning(true);
    Ok(Arc::new(SortPreservingMergeExec::new(order, Arc::new(sorted))))
}
