//! The process that deals out work.
//!
//! It is Ballista's scheduler with our operator known to it. It reads no table and sees no value but those that plans hold.
//! Executors ask it for work: when it hands out work unasked, it keeps account of who is free, and loses count of tasks that
//! it takes back after an executor was lost (Ballista 55.0).

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion::execution::SessionStateBuilder;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};

use super::codec::Codec;
use super::job::MESSAGE;
use super::{network, stores};
use crate::error::{Error, Result};

/// How a scheduler is started.
#[derive(Debug, Clone)]
pub struct SchedulerSettings {
    /// Where it listens.
    pub bind: IpAddr,
    /// Its port; 0 takes any that is free.
    pub port: u16,
    /// How executors call it, where that is not the address it listens at.
    pub host: Option<String>,
    /// Whether other machines may reach it, unprotected.
    pub insecure: bool,
    /// After so many seconds of silence an executor counts as lost.
    pub silence: u64,
}

/// How often silence is looked for, in seconds.
const EVERY: u64 = 1;
/// How long results are kept that nobody fetched, in seconds.
const KEEP: u64 = 300;

/// Runs a scheduler until a signal ends it; tells where it listens.
pub fn run(settings: &SchedulerSettings, tell: impl FnOnce(SocketAddr)) -> Result<()> {
    network::check_bind(settings.bind, settings.insecure)?;
    let host = network::called(settings.bind, settings.host.as_deref())?;
    let bound = TcpListener::bind((settings.bind, settings.port)).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok((listener.local_addr()?, listener))
    });
    let (address, listener) = bound.map_err(|error| network::unbound(settings.bind, settings.port, &error))?;
    let tokio = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let tokio = tokio.map_err(|_| Error::environment("the system refuses to start threads"))?;
    let failed = || Error::environment("the scheduler failed");
    tokio.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).map_err(|_| failed())?;
        let config = config(settings, host, address.port());
        let cluster = BallistaCluster::new_from_config(&config).await.map_err(|_| failed())?;
        let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config));
        let scheduler = scheduler.await.map_err(|_| failed())?;
        tell(address);
        tokio::select! {
            ended = start_grpc_service_with_listener(listener, scheduler) => ended.map_err(|_| failed()),
            () = network::signal() => Ok(()),
        }
    })
}

fn config(settings: &SchedulerSettings, host: String, port: u16) -> SchedulerConfig {
    let message = u32::try_from(MESSAGE).unwrap_or(u32::MAX);
    SchedulerConfig {
        bind_host: settings.bind.to_string(),
        bind_port: port,
        external_host: host,
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        executor_timeout_seconds: settings.silence,
        expire_dead_executor_interval_seconds: EVERY,
        finished_job_data_clean_up_interval_seconds: KEEP,
        finished_job_state_clean_up_interval_seconds: KEEP,
        grpc_server_max_decoding_message_size: message,
        grpc_server_max_encoding_message_size: message,
        grpc_client_max_message_size: message,
        override_physical_codec: Some(Arc::new(Codec::default())),
        override_session_builder: Some(Arc::new(|config| {
            let state = SessionStateBuilder::new().with_default_features().with_config(config);
            Ok(state.with_runtime_env(stores::closed(None)?).build())
        })),
        // No page of the web may ask.
        cors_allowed_origins: "http://127.0.0.1".to_owned(),
        web_tui_route: "/none".to_owned(),
        ..SchedulerConfig::default()
    }
}
