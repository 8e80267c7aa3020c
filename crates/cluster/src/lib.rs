//! Work on other machines, by Apache Ballista.
//!
//! A run looks at records twice: it counts keys, and it rewrites records. Both read parts of the table side by side, so parts
//! can be read elsewhere as well. A job here is one plan of Ballista. The plan has a row for each part. An operator of ours
//! turns the row into keys and how often each was met (`operator`). A GROUP BY adds up all parts, and a sort follows where
//! the order counts. The walks of segments are rows of the same kind. The core decides where the run was started, as always.
//!
//! | File | Idea |
//! |---|---|
//! | `scheduler`, `executor` | the two kinds of processes |
//! | `work`, `key_stream` | what an executor does with a row; keys are counted before they are sent |
//! | `operator`, `codec` | that work as an operator of a plan, and its way over the network |
//! | `plan` | the plans |
//! | `job` | a plan is handed in, watched, and handed in again when an executor is lost |
//! | `status` | which executors there are and how far a job has come |
//! | `door`, `reach` | who may call and who is called; the scheduler behind its door |
//! | `authority` | certificates for those who have none |
//! | `permit`, `folder`, `stores` | what an executor may read, where it writes, and what nobody may read through it |
//! | `flight`, `stage`, `job_name` | what is fetched and done by the name of a job, and what such a name may be |
//! | `connections` | connections between executors, used again |
//! | `count`, `rewrite`, `walk` | the jobs |
//! | `workers`, `access` | the jobs as the engine asks for them; how a cluster is reached |
//! | `refusal` | our errors, on their way back |
//!
//! The operator reaches executors by Ballista's physical codec, so that no planner has to know it. The rows stand in a table
//! in memory, because Ballista deals out the partitions of leaves that it knows and would run one of ours as a whole in every
//! task. Executors ask for work: where Ballista 55.0 hands it out instead, it loses count of the cores of an executor that died,
//! and the next job waits for ever. A job whose executor is gone is called off, its result thrown away, and begun anew: records
//! that were taken say nothing about those that come.
//!
//! Limits: an executor reads the table itself, so it must lie at the same address for all. Ballista has no notion of
//! who is asking: whoever is let in can have work done on what executors may read, see plans and answer in the place of an
//! executor. So every port is behind a door. Ballista's scheduler waits for ever when an executor dies whose results the
//! last stage needs; `job` therefore watches who is there.

#![cfg(feature = "ballista")]
// What nobody outside can reach does not look as if they could.
#![warn(unreachable_pub)]

mod access;
pub mod authority;
mod codec;
mod connections;
mod count;
mod door;
pub mod executor;
mod flight;
mod folder;
mod job;
mod job_name;
mod key_stream;
mod network;
mod operator;
mod permit;
mod plan;
mod reach;
mod refusal;
mod rewrite;
pub mod scheduler;
mod stage;
mod status;
mod stores;
mod walk;
mod work;
mod workers;

use std::path::Path;
use std::time::Duration;

use equanym_engine::error::{Error, Result};
use equanym_engine::machine::Runtime;
use equanym_engine::read::Reading;

use self::door::Door;
use self::network::Scheduler;
use self::reach::Reach;

pub use self::access::{ClusterAccess, DoorKeys};
pub use self::network::PORT;

/// How long a job is waited for, and how often it is tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// How often the scheduler is asked how things are.
    pub(crate) between: Duration,
    /// How long there may be no executor, or no scheduler, or no answer from somebody who has results.
    pub(crate) alone: Duration,
    /// How long a job may go on without a task that ends.
    pub(crate) idle: Duration,
    /// How often a job is handed in at most.
    pub(crate) attempts: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            between: Duration::from_millis(250),
            alone: Duration::from_secs(20),
            idle: Duration::from_hours(1),
            attempts: 8,
        }
    }
}

/// A cluster that does work for one run.
struct ClusterWorkers {
    tokio: tokio::runtime::Runtime,
    reach: Reach,
    /// The table that is released.
    table: work::SharedTable,
    patience: Patience,
    /// Bytes that executors wrote to disk because memory ran short.
    spilled: std::sync::atomic::AtomicU64,
    /// The machine that asks.
    here: Runtime,
}

/// Into how many parts keys are dealt before they are grouped.
const PARTS: usize = 16;

impl ClusterWorkers {
    /// Finds the scheduler, and checks that executors are there or come soon.
    fn join(access: &ClusterAccess, table: &Path, reading: &Reading, here: Runtime) -> Result<Self> {
        let patience = Patience::default();
        let door = Door::of_caller(&access.keys, patience.alone)?;
        door.check_calling()?;
        let scheduler = Scheduler::parse(&access.scheduler)?;
        let table = work::SharedTable::new(table, reading)?;
        let tokio = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let tokio = tokio.map_err(|_| Error::environment("the system refuses to start threads"))?;
        let reach = tokio.block_on(async {
            let reach = Reach::to(scheduler, door)?;
            job::wait_for_executors(&reach, &patience).await?;
            Ok(reach)
        })?;
        Ok(Self { tokio, reach, table, patience, spilled: std::sync::atomic::AtomicU64::new(0), here })
    }
}
