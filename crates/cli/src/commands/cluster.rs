//! `equanym cluster`: the processes that work for `release --cluster`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use equanym_engine::cluster::{PORT, Scheduler, executor, scheduler};
use equanym_engine::error::Result;
use serde::Serialize;

use super::Ending;
use crate::console::Console;
use crate::flags::Shared;

/// Start a scheduler or an executor that works for `release --cluster`
///
/// One scheduler deals out the work, executors do it, and `release --cluster URL` asks for it and decides. All of them are of
/// the same version, and every executor finds the table at the same address. They listen for this machine alone unless
/// told otherwise: nobody is asked for a password and nothing is encrypted.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = "Exit codes: 0 ended · 2 wrong use · 3 environment")]
pub struct Cluster {
    #[command(subcommand)]
    process: Process,
}

#[derive(Debug, Subcommand)]
enum Process {
    Scheduler(SchedulerFlags),
    Executor(ExecutorFlags),
}

/// Where a process listens.
#[derive(Debug, Args)]
struct Listening {
    /// Listen at this address of this machine
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// How the others call this machine [default: the address it listens at]
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    /// Listen for other machines, unprotected: only in a network that nobody else can reach
    #[arg(long)]
    insecure_network: bool,
}

/// Start the process that deals out work
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 ended · 2 wrong use · 3 environment

Example:
  equanym cluster scheduler --port 50050")]
struct SchedulerFlags {
    /// Its port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// After so many seconds without a sign of life an executor counts as lost
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(7..=600))]
    silence: u64,
    #[command(flatten)]
    listening: Listening,
}

/// Start a process that does work
///
/// It reads tables below --data and nothing else. What executors pass on to each other lies in a private folder of its own,
/// which goes when the executor ends, or with the next start after a kill. --threads and --memory say how much it takes.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 ended · 2 wrong use · 3 environment

Example:
  equanym cluster executor --scheduler http://127.0.0.1:50050 --data /srv/tables"
)]
struct ExecutorFlags {
    /// The scheduler that it works for
    #[arg(long, value_name = "URL")]
    scheduler: String,
    /// A folder below which it may read tables, or the beginning of addresses such as `s3://bucket/tables`; repeatable
    #[arg(long, value_name = "FOLDER", required = true)]
    data: Vec<PathBuf>,
    /// Make its private folder in this one [default: the system's folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    work_dir: Option<PathBuf>,
    /// The port at which its results are fetched; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    #[command(flatten)]
    listening: Listening,
}

/// What a process says of itself once it is ready.
#[derive(Serialize)]
struct Started {
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    work_dir: Option<PathBuf>,
}

impl Cluster {
    pub fn run(&self, shared: &Shared, console: Console) -> Result<Ending> {
        match &self.process {
            Process::Scheduler(flags) => flags.run(console)?,
            Process::Executor(flags) => flags.run(shared, console)?,
        }
        Ok(Ending::Done)
    }
}

impl SchedulerFlags {
    fn run(&self, console: Console) -> Result<()> {
        let settings = scheduler::SchedulerSettings {
            bind: self.listening.bind,
            port: self.port,
            host: self.listening.host.clone(),
            insecure: self.listening.insecure_network,
            silence: self.silence,
        };
        scheduler::run(&settings, |address| {
            let started = Started { url: format!("http://{address}"), work_dir: None };
            // It works whether or not anybody reads this.
            let _ = console.result(&started, || format!("scheduler at {}\n", started.url));
        })
    }
}

impl ExecutorFlags {
    fn run(&self, shared: &Shared, console: Console) -> Result<()> {
        let settings = executor::ExecutorSettings {
            scheduler: Scheduler::parse(&self.scheduler)?,
            data: self.data.clone(),
            bind: self.listening.bind,
            port: self.port,
            host: self.listening.host.clone(),
            insecure: self.listening.insecure_network,
            work_dir: self.work_dir.clone(),
            resources: shared.resources(),
        };
        executor::run(&settings, |address, folder| {
            let started = Started { url: format!("http://{address}"), work_dir: Some(folder.to_owned()) };
            let shown = folder.display();
            let _ = console.result(&started, || format!("executor at {}, its folder is {shown}\n", started.url));
        })
    }
}
