//! Threads, memory and spill space of one run, and the door to DataFusion.
//!
//! The sources are blocking iterators; here they become streams that DataFusion groups and sorts, each read on a thread
//! of its own. Everything asynchronous ends in this module: the rest of the engine calls [`Runtime::for_each`] and
//! waits.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatch;
use datafusion::catalog::streaming::StreamingTable;
use datafusion::dataframe::DataFrame;
use datafusion::error::DataFusionError;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::PartitionStream;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt;

use crate::error::{Error, Result};
use crate::pool::LendingPool;
use crate::sink;
use crate::source::Batches;

/// Threads that must be there besides the workers: one reads, one brings back what was spilled.
const READERS: usize = 2;

/// Opens one partition.
pub type Open = Arc<dyn Fn(usize) -> Result<Batches> + Send + Sync>;

/// What a run may use.
#[derive(Debug, Clone)]
pub struct Resources {
    /// Worker threads; 0 means one per core.
    pub threads: usize,
    /// Bytes for counting and sorting.
    pub memory: usize,
    /// Bytes of disk for what does not fit in memory.
    pub disk: u64,
}

impl Default for Resources {
    fn default() -> Self {
        Self { threads: 0, memory: crate::memory::default_limit(), disk: DISK }
    }
}

/// Enough for what a machine can sort in hours, and less than most disks.
const DISK: u64 = 100 << 30;

/// Threads, memory and spill space of one run.
pub struct Runtime {
    tokio: tokio::runtime::Runtime,
    context: SessionContext,
    pool: Pool,
    threads: usize,
    /// Bytes for counting and sorting.
    pub memory: usize,
    spilled: AtomicU64,
}

impl Runtime {
    /// Starts the threads. Operators account for half of the memory: what they do not account for (rows on their way, keys
    /// and values, the allocator) takes up to as much again. Without a folder to spill to, work beyond the memory limit fails instead.
    pub fn start(resources: &Resources, spill: Option<&Path>) -> Result<Self> {
        let threads = match resources.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        try_threads(threads + READERS).map_err(|_| too_few(threads))?;
        let tokio = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).build();
        let tokio = tokio.map_err(|_| too_few(threads))?;
        let disk = match spill {
            Some(folder) => DiskManagerMode::Directories(vec![folder.to_path_buf()]),
            None => DiskManagerMode::Disabled,
        };
        let lending = LendingPool::new(resources.memory / 2);
        let pool = Pool(lending.shares());
        let environment = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(lending))
            .with_disk_manager_builder(
                DiskManagerBuilder::default()
                    .with_mode(disk)
                    .with_max_temp_directory_size(resources.disk)
                    // A merge would otherwise take all there is for as many files as it can.
                    .with_max_spill_merge_fan_in((resources.memory >> 24).clamp(2, 64)),
            )
            .build_arc()
            .map_err(|error| from_datafusion(&error))?;
        let mut config = SessionConfig::new().with_target_partitions(threads);
        // What sorts set aside for merging must leave room for rows, however little there is.
        let set_aside = &mut config.options_mut().execution.sort_spill_reservation_bytes;
        *set_aside = (*set_aside).min(resources.memory / 32);
        let context = SessionContext::new_with_config_rt(config, environment);
        Ok(Self { tokio, context, pool, threads, memory: resources.memory, spilled: AtomicU64::new(0) })
    }

    /// Does work that falls into parts of its own on as many threads as the run may use.
    pub fn side_by_side<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        Ok(pool.map_err(|_| too_few(self.threads))?.install(work))
    }

    /// The worker threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The memory that is left, for work outside DataFusion's operators.
    #[must_use]
    pub fn pool(&self) -> Pool {
        self.pool.clone()
    }

    /// A table of so many partitions, each opened when it is read.
    pub fn table(&self, schema: &SchemaRef, partitions: usize, open: &Open) -> Result<DataFrame> {
        let partition = |number| -> Arc<dyn PartitionStream> {
            Arc::new(Partition { schema: Arc::clone(schema), number, open: Arc::clone(open) })
        };
        let table = StreamingTable::try_new(Arc::clone(schema), (0..partitions).map(partition).collect());
        let table = table.map_err(|error| from_datafusion(&error))?;
        self.context.read_table(Arc::new(table)).map_err(|error| from_datafusion(&error))
    }

    /// Runs a plan and hands over each batch of its result as it comes.
    pub fn for_each(&self, plan: &DataFrame, mut take: impl FnMut(RecordBatch) -> Result<()>) -> Result<()> {
        self.tokio.block_on(async {
            let plan = plan.clone().create_physical_plan().await.map_err(|error| from_datafusion(&error))?;
            let stream = execute_stream(Arc::clone(&plan), self.context.task_ctx());
            let mut stream = stream.map_err(|error| from_datafusion(&error))?;
            while let Some(batch) = stream.next().await {
                take(batch.map_err(|error| from_datafusion(&error))?)?;
            }
            self.spilled.fetch_add(spilled_by(&plan), Ordering::Relaxed);
            Ok(())
        })
    }

    /// The bytes that were written to disk so far because memory ran short.
    #[must_use]
    pub fn spilled(&self) -> u64 {
        self.spilled.load(Ordering::Relaxed)
    }
}

/// Memory that operators and others take from.
#[derive(Debug, Clone)]
pub struct Pool(Arc<dyn MemoryPool>);

impl Pool {
    /// Nothing so far; it can grow as long as there is memory, and gives back what it has when it is dropped.
    #[must_use]
    pub fn reserve(&self) -> MemoryReservation {
        MemoryConsumer::new("keys").register(&self.0)
    }
}

/// What a plan wrote to disk because memory ran short.
fn spilled_by(plan: &Arc<dyn ExecutionPlan>) -> u64 {
    let own = plan.metrics().and_then(|metrics| metrics.spilled_bytes()).unwrap_or(0) as u64;
    own + plan.children().into_iter().map(spilled_by).sum::<u64>()
}

fn too_few(threads: usize) -> Error {
    Error::environment(format!("the system refuses to start {threads} threads"))
        .hint("use fewer with --threads, or raise its limits")
}

/// Starts so many threads at once and waits for their end. The runtime itself would panic without its first thread, and
/// wait for ever for one to read with.
fn try_threads(count: usize) -> std::io::Result<()> {
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write();
    let start = |_| {
        let gate = Arc::clone(&gate);
        std::thread::Builder::new().spawn(move || drop(gate.read()))
    };
    let (started, failed): (Vec<_>, Vec<_>) = (0..count).map(start).partition(std::result::Result::is_ok);
    drop(closed);
    // Joined one by one: only then are they gone for the system, too.
    started.into_iter().flatten().for_each(|thread| drop(thread.join()));
    failed.into_iter().find_map(std::result::Result::err).map_or(Ok(()), Err)
}

struct Partition {
    schema: SchemaRef,
    number: usize,
    open: Open,
}

impl std::fmt::Debug for Partition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "partition {}", self.number)
    }
}

impl PartitionStream for Partition {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut builder = RecordBatchReceiverStreamBuilder::new(Arc::clone(&self.schema), 4);
        let (sender, open, number) = (builder.tx(), Arc::clone(&self.open), self.number);
        builder.spawn_blocking(move || {
            for batch in open(number).map_err(to_datafusion)? {
                if sender.blocking_send(batch.map_err(to_datafusion)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        builder.build()
    }
}

fn to_datafusion(error: Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// Our own error if one travelled through DataFusion; otherwise what can be said without repeating its words, which may
/// hold values.
#[must_use]
pub fn from_datafusion(error: &DataFusionError) -> Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(found) = cause {
        if let Some(known) = known(found) {
            return known;
        }
        // What an error of input or output wraps is not its source.
        let wrapped = io_error(found).and_then(std::io::Error::get_ref);
        cause = wrapped.map_or_else(|| found.source(), |inner| Some(inner));
    }
    Error::environment("an internal step failed")
        .hint("please report this as a bug, with the policy and without the data")
}

/// What can be said of one error, without those that it stands on.
fn known(found: &(dyn std::error::Error + 'static)) -> Option<Error> {
    if let Some(ours) = found.downcast_ref::<Error>() {
        return Some(ours.clone());
    }
    let io = io_error(found);
    match (found.downcast_ref::<DataFusionError>(), io.and_then(std::io::Error::get_ref)) {
        // Its words are looked at, not passed on: the cap is told in no other way.
        (_, Some(inner)) if inner.to_string().contains("disk space") => {
            let what = "the disk limit does not suffice for what does not fit in memory";
            Some(Error::environment(what).hint("raise --disk or --memory"))
        }
        (Some(DataFusionError::ResourcesExhausted(_)), _) => Some(
            Error::environment("the memory limit does not suffice")
                .hint("raise --memory, or generalise near-unique columns in the input first"),
        ),
        (_, None) => io.map(sink::failed),
        _ => None,
    }
}

/// A failure of the disk: only what is written on the way goes through DataFusion's hands.
fn io_error<'a>(found: &'a (dyn std::error::Error + 'static)) -> Option<&'a std::io::Error> {
    let arrow = |error: &'a ArrowError| if let ArrowError::IoError(_, error) = error { Some(error) } else { None };
    match found.downcast_ref::<DataFusionError>() {
        Some(DataFusionError::IoError(error)) => Some(error),
        Some(DataFusionError::ArrowError(error, _)) => arrow(error),
        _ => found.downcast_ref().or_else(|| found.downcast_ref().and_then(arrow)),
    }
}
