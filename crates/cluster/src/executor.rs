//! The process that does the work.
//!
//! It is Ballista's executor with our operator known to it. It reads tables below what it was given (`permit`) and
//! writes to a folder of its own (`folder`), which is gone when it ends.

use std::net::{IpAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::BallistaError;
use ballista_core::extension::SessionConfigExt;
use ballista_executor::ArrowFlightServerProvider;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::ExecutorHealth;
use datafusion::prelude::SessionConfig;
use equanym_engine::error::{Error, Result};
use equanym_engine::machine::Resources;
use tokio::time::sleep;

use super::codec::Codec;
use super::door::Door;
use super::folder::Folder;
use super::network::{self, MESSAGE, Scheduler};
use super::permit::Permit;
use super::reach::Reach;
use super::stage::Stages;
use super::status::{self, NoAnswer};
use super::{flight, stores};
use crate::access::DoorKeys;

/// How an executor is started.
#[derive(Debug, Clone)]
pub struct ExecutorSettings {
    /// The address of the scheduler that it works for.
    pub scheduler: String,
    /// What it may read.
    pub data: Vec<PathBuf>,
    /// Where it listens.
    pub bind: IpAddr,
    /// The port at which its results are fetched; 0 takes any that is free.
    pub port: u16,
    /// How others call it, where that is not the address it listens at.
    pub host: Option<String>,
    /// What opens its door, and that of the scheduler.
    pub keys: DoorKeys,
    /// The folder in which its own folder is made.
    pub work_dir: Option<PathBuf>,
    /// Threads and memory.
    pub resources: Resources,
}

/// Every so many seconds results go that nobody touched for so many: work that was called off may leave some.
const SWEEP: u64 = 600;
const KEEP: u64 = 24 * 3600;
/// How long a scheduler is waited for.
const WAIT: Duration = Duration::from_secs(20);
/// How long the scheduler may take to begin an answer.
const ANSWER: Duration = Duration::from_secs(20);
/// How long unfinished work may take once the end was asked for.
const GRACE: Duration = Duration::from_secs(5);

/// Runs an executor until a signal ends it; tells where it listens and writes once the scheduler knows it.
pub fn run(settings: &ExecutorSettings, tell: impl FnOnce(String, &std::path::Path)) -> Result<()> {
    let host = network::called(settings.bind, settings.host.as_deref())?;
    let door = Door::of_member(&settings.keys)?;
    door.check_listening(settings.bind, &host)?;
    door.check_calling()?;
    let scheduler = Scheduler::parse(&settings.scheduler)?;
    let threads = match settings.resources.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let permit = Permit::new(&settings.data, settings.resources.memory / 8 / threads)?;
    let folder = Folder::make(&settings.work_dir.clone().unwrap_or_else(std::env::temp_dir))?;
    let (address, listener) = network::listen(settings.bind, settings.port)?;
    let tokio = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let tokio = tokio.map_err(|_| Error::environment("the system refuses to start threads"))?;
    let health = ExecutorHealth::new();
    tokio
        .block_on(async {
            let reach = Reach::to(scheduler.clone(), door.clone())?;
            scheduler_answers(&reach).await?;
            let url = format!("https://{address}");
            let machine = Machine { host, port: address.port(), threads, folder: &folder, reach, listener };
            let config = machine.config(settings, permit, health.clone());
            let registered = async {
                while !health.is_ready() {
                    sleep(Duration::from_millis(50)).await;
                }
                tell(url, folder.path());
                // It has nothing more to say.
                std::future::pending::<()>().await;
            };
            let stopped = async {
                network::signal().await;
                sleep(GRACE).await;
            };
            tokio::select! {
                ended = start_executor_process(Arc::new(config)) => ended.map_err(|_| ended_early(&scheduler)),
                () = registered => Ok(()),
                () = stopped => Ok(()),
            }
        })
        .inspect(|()| tokio.shutdown_background())
}

fn ended_early(scheduler: &Scheduler) -> Error {
    Error::environment(format!("the executor ended: the scheduler at {} refuses it", scheduler.url()))
        .hint("scheduler and executors must be of the same version")
}

async fn scheduler_answers(reach: &Reach) -> Result<()> {
    let start = Instant::now();
    loop {
        match status::executors(reach).await {
            Ok(_) => return Ok(()),
            Err(NoAnswer::Shut(error)) => return Err(error),
            Err(NoAnswer::Silent) if start.elapsed() > WAIT => {
                let place = reach.scheduler.url();
                return Err(Error::environment(format!("no scheduler answers at {place}"))
                    .hint("start one with `equanym cluster scheduler`, and name it with --scheduler"));
            }
            Err(NoAnswer::Silent) => sleep(Duration::from_millis(250)).await,
        }
    }
}

/// Serves the results of stages behind the door. The port was taken before, so that nobody else could take it.
fn results_behind(door: Door, listener: TcpListener) -> Arc<ArrowFlightServerProvider> {
    let listener = Mutex::new(Some(listener));
    Arc::new(move |folder, _, mut shutdown, _| {
        let door = door.clone();
        let listener = listener.lock().ok().and_then(|mut listener| listener.take());
        tokio::spawn(async move {
            let failed = || BallistaError::General("the results of stages cannot be served".to_owned());
            let listener = listener.ok_or_else(failed)?;
            door.serve(flight::results(folder), listener, shutdown.recv()).await.map_err(|_| failed())
        })
    })
}

/// What was found on this machine.
struct Machine<'f> {
    /// How others call it.
    host: String,
    port: u16,
    threads: usize,
    folder: &'f Folder,
    reach: Reach,
    listener: TcpListener,
}

impl Machine<'_> {
    fn config(self, settings: &ExecutorSettings, permit: Permit, health: ExecutorHealth) -> ExecutorProcessConfig {
        let message = u32::try_from(MESSAGE).unwrap_or(u32::MAX);
        let spill = self.folder.spill();
        let Reach { scheduler, door, .. } = self.reach;
        let fetches = door.of_ballista(None);
        ExecutorProcessConfig {
            bind_host: network::in_address(settings.bind),
            external_host: Some(self.host),
            port: self.port,
            scheduler_host: scheduler.host,
            scheduler_port: scheduler.port,
            vcores: self.threads,
            task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
            work_dir: Some(self.folder.results().to_string_lossy().into_owned()),
            job_data_clean_up_interval_seconds: SWEEP,
            job_data_ttl_seconds: KEEP,
            grpc_max_decoding_message_size: message,
            grpc_max_encoding_message_size: message,
            // As for a run on one machine: what operators do not account for takes as much again.
            memory_pool_size: Some(settings.resources.memory as u64 / 2),
            override_runtime_producer: Some(Arc::new(move |_| stores::closed(Some(&spill)))),
            override_physical_codec: Some(Arc::new(Codec::with_permit(permit))),
            override_execution_engine: Some(Arc::new(Stages::default())),
            override_create_grpc_client_endpoint: Some(door.of_ballista(Some(ANSWER))),
            override_config_producer: Some(Arc::new(move || {
                let config = SessionConfig::new_with_ballista();
                config.with_ballista_override_create_grpc_client_endpoint(Arc::clone(&fetches))
            })),
            override_arrow_flight_service: Some(results_behind(door, self.listener)),
            health,
            ..ExecutorProcessConfig::default()
        }
    }
}
