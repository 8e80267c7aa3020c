//! The process that deals out work.
//!
//! It is Ballista's scheduler with our operator known to it. It reads no table and sees no value but those that plans hold.
//! Executors ask it for work: when it hands out work unasked, it keeps account of who is free, and loses count of tasks that
//! it takes back after an executor was lost (Ballista 55.0).
//!
//! Ballista's calls and its pages of status are served by a server of ours, behind the door: its own asks nobody. The
//! scheduler calls nobody.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Extension;
use axum::extract::ConnectInfo;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
use ballista_scheduler::api::get_routes;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::create_scheduler;
use ballista_scheduler::scheduler_server::SchedulerServer;
use datafusion::execution::SessionStateBuilder;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use equanym_engine::error::{Error, Result};
use tonic::service::Routes;

use super::codec::Codec;
use super::door::{self, Door};
use super::network::{self, MESSAGE};
use super::stores;
use crate::access::DoorKeys;

/// How a scheduler is started.
#[derive(Debug, Clone)]
pub struct SchedulerSettings {
    /// Where it listens.
    pub bind: IpAddr,
    /// Its port; 0 takes any that is free.
    pub port: u16,
    /// How executors call it, where that is not the address it listens at.
    pub host: Option<String>,
    /// What opens its door.
    pub keys: DoorKeys,
    /// After so many seconds of silence an executor counts as lost.
    pub silence: u64,
}

/// How often silence is looked for, in seconds.
const EVERY: u64 = 1;
/// How long results are kept that nobody fetched, in seconds.
const KEEP: u64 = 300;

/// Runs a scheduler until a signal ends it; tells where it listens.
pub fn run(settings: &SchedulerSettings, tell: impl FnOnce(String)) -> Result<()> {
    let host = network::called(settings.bind, settings.host.as_deref())?;
    let door = Door::of_member(&settings.keys)?;
    door.check_listening(settings.bind, &host)?;
    let (address, listener) = network::listen(settings.bind, settings.port)?;
    let tokio = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let tokio = tokio.map_err(|_| Error::environment("the system refuses to start threads"))?;
    tokio.block_on(async {
        let served = routes(config(settings, host, address.port()), address).await?;
        tell(format!("https://{address}"));
        tokio::select! {
            ended = door.serve(served, listener, std::future::pending()) => ended,
            () = network::signal() => Ok(()),
        }
    })
}

/// What a scheduler answers to.
async fn routes(config: SchedulerConfig, address: SocketAddr) -> Result<Routes> {
    let failed = || Error::environment("the scheduler failed");
    let cluster = BallistaCluster::new_from_config(&config).await.map_err(|_| failed())?;
    let scheduler = create_scheduler(cluster, Arc::new(config)).await.map_err(|_| failed())?;
    let scheduler: SchedulerServer<LogicalPlanNode, PhysicalPlanNode> = scheduler;
    let calls = SchedulerGrpcServer::new(scheduler.clone());
    let calls = calls.max_decoding_message_size(MESSAGE).max_encoding_message_size(MESSAGE);
    let pages = get_routes(Arc::new(scheduler));
    // Ballista takes the caller's address where an executor does not say its own, and falls over where there is none.
    let caller = Extension(ConnectInfo(SocketAddr::new(address.ip(), 0)));
    Ok(Routes::new(calls).into_axum_router().merge(pages).layer(caller).into())
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
        override_create_grpc_client_endpoint: Some(door::nobody()),
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
