//! The process that does the work.
//!
//! It is Ballista's executor with our operator known to it. It reads tables below what it was given (`permit`) and
//! writes to a folder of its own (`folder`), which is gone when it ends.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ballista_core::config::TaskSchedulingPolicy;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::ExecutorHealth;
use tokio::time::sleep;

use super::codec::Codec;
use super::folder::Folder;
use super::job::MESSAGE;
use super::network::{self, Scheduler};
use super::permit::Permit;
use super::{status, stores};
use crate::error::{Error, Result};
use crate::machine::Resources;

/// How an executor is started.
#[derive(Debug, Clone)]
pub struct ExecutorSettings {
    /// The scheduler that it works for.
    pub scheduler: Scheduler,
    /// What it may read.
    pub data: Vec<PathBuf>,
    /// Where it listens.
    pub bind: IpAddr,
    /// The port at which its results are fetched; 0 takes any that is free.
    pub port: u16,
    /// How others call it, where that is not the address it listens at.
    pub host: Option<String>,
    /// Whether other machines may reach it, unprotected.
    pub insecure: bool,
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
/// How long unfinished work may take once the end was asked for.
const GRACE: Duration = Duration::from_secs(5);

/// Runs an executor until a signal ends it; tells where it listens and writes once the scheduler knows it.
pub fn run(settings: &ExecutorSettings, tell: impl FnOnce(SocketAddr, &std::path::Path)) -> Result<()> {
    network::check_bind(settings.bind, settings.insecure)?;
    let host = network::called(settings.bind, settings.host.as_deref())?;
    let threads = match settings.resources.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let permit = Permit::new(&settings.data, settings.resources.memory / 8 / threads)?;
    let folder = Folder::make(&settings.work_dir.clone().unwrap_or_else(std::env::temp_dir))?;
    let port = free_port(settings)?;
    let tokio = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let tokio = tokio.map_err(|_| Error::environment("the system refuses to start threads"))?;
    let health = ExecutorHealth::new();
    let machine = Machine { host, port, threads, folder: &folder };
    let config = machine.config(settings, permit, health.clone());
    tokio
        .block_on(async {
            scheduler_answers(&settings.scheduler).await?;
            let registered = async {
                while !health.is_ready() {
                    sleep(Duration::from_millis(50)).await;
                }
                tell(SocketAddr::new(settings.bind, port), folder.path());
                // It has nothing more to say.
                std::future::pending::<()>().await;
            };
            let stopped = async {
                network::signal().await;
                sleep(GRACE).await;
            };
            tokio::select! {
                ended = start_executor_process(Arc::new(config)) => ended.map_err(|_| ended_early(&settings.scheduler)),
                () = registered => Ok(()),
                () = stopped => Ok(()),
            }
        })
        .inspect(|()| tokio.shutdown_background())
}

fn ended_early(scheduler: &Scheduler) -> Error {
    Error::environment(format!(
        "the executor ended: the scheduler at {} refuses it, or a port is taken",
        scheduler.url()
    ))
    .hint("scheduler and executors must be of the same version; --port chooses another port")
}

async fn scheduler_answers(scheduler: &Scheduler) -> Result<()> {
    let start = Instant::now();
    while status::executors(scheduler).await.is_none() {
        if start.elapsed() > WAIT {
            return Err(Error::environment(format!("no scheduler answers at {}", scheduler.url()))
                .hint("start one with `equanym cluster scheduler`, and name it with --scheduler"));
        }
        sleep(Duration::from_millis(250)).await;
    }
    Ok(())
}

/// The port asked for, or a free one in place of 0. Ballista binds it itself, a moment later.
fn free_port(settings: &ExecutorSettings) -> Result<u16> {
    let bound = TcpListener::bind((settings.bind, settings.port)).and_then(|listener| listener.local_addr());
    Ok(bound.map_err(|error| network::unbound(settings.bind, settings.port, &error))?.port())
}

/// What was found on this machine.
struct Machine<'f> {
    /// How others call it.
    host: String,
    port: u16,
    threads: usize,
    folder: &'f Folder,
}

impl Machine<'_> {
    fn config(self, settings: &ExecutorSettings, permit: Permit, health: ExecutorHealth) -> ExecutorProcessConfig {
        let message = u32::try_from(MESSAGE).unwrap_or(u32::MAX);
        let spill = self.folder.spill();
        ExecutorProcessConfig {
            bind_host: network::in_address(settings.bind),
            external_host: Some(self.host),
            port: self.port,
            scheduler_host: settings.scheduler.host.clone(),
            scheduler_port: settings.scheduler.port,
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
            health,
            ..ExecutorProcessConfig::default()
        }
    }
}
