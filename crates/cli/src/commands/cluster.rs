//! `equanym cluster`: the processes that work for `release --cluster`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use equanym_cluster::authority::{self, CertificateSettings};
use equanym_cluster::{PORT, executor, scheduler};
use equanym_engine::error::Result;
use serde::Serialize;

use super::Ending;
use crate::console::Console;
use crate::flags::{KeyFlags, SharedFlags};

/// Start a scheduler or an executor that works for `release --cluster`, or make certificates for them
///
/// One scheduler deals out the work, executors do it, and `release --cluster URL` asks for it and decides. All of them are of
/// the same version, and every executor finds the table at the same address. With --cert, --key and --ca each of them lets
/// in who has a certificate of the same authority. Without, they serve this machine alone, and all share the secret in a
/// file: --secret. All is encrypted.
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
    Certificates(CertificateFlags),
}

/// Where a process listens.
#[derive(Debug, Args)]
struct ListenFlags {
    /// Listen at this address of this machine; any but 127.0.0.1 needs certificates
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// How the others call this machine [default: the address it listens at]
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    #[command(flatten)]
    keys: KeyFlags,
}

/// Start the process that deals out work
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 ended · 2 wrong use · 3 environment

Examples:
  equanym cluster scheduler --secret secret
  equanym cluster scheduler --bind 0.0.0.0 --host node1 --cert scheduler.pem --key scheduler.key --ca ca.pem")]
struct SchedulerFlags {
    /// Its port; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = PORT)]
    port: u16,
    /// After so many seconds without a sign of life an executor counts as lost
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(7..=600))]
    silence: u64,
    #[command(flatten)]
    listening: ListenFlags,
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

Examples:
  equanym cluster executor --scheduler https://127.0.0.1:50050 --data /srv/tables --secret secret
  equanym cluster executor --scheduler https://node1:50050 --data /srv/tables --bind 0.0.0.0 --host node2 \\
    --cert executor-node2.pem --key executor-node2.key --ca ca.pem"
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
    listening: ListenFlags,
}

/// Make a small authority and certificates for a cluster
///
/// Writes `ca`, `scheduler`, `client` and one executor's certificate for each --executor, each a `.pem` and a `.key`. Called
/// again with the same folder, it makes what is missing. No file is overwritten. Keep `ca.key` to yourself: who has it
/// can make certificates that the cluster lets in.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 made · 2 wrong use · 3 environment

Example:
  equanym cluster certificates keys --host node1 --executor node2 --executor node3"
)]
struct CertificateFlags {
    /// The folder that gets them
    folder: PathBuf,
    /// How the others call the scheduler's machine, a name or a number; repeatable [default: this machine]
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// How the others call an executor's machine; repeatable [default: this machine, if --host is not given]
    #[arg(long, value_name = "NAME")]
    executor: Vec<String>,
    /// For how many days they are good; the authority is for ten years
    #[arg(long, value_name = "N", default_value_t = 365, value_parser = clap::value_parser!(u16).range(1..=3650))]
    days: u16,
}

/// What a process says of itself once it is ready.
#[derive(Serialize)]
struct ProcessStart {
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    work_dir: Option<PathBuf>,
}

impl Cluster {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        match &self.process {
            Process::Scheduler(flags) => flags.run(console)?,
            Process::Executor(flags) => flags.run(shared, console)?,
            Process::Certificates(flags) => flags.run(console)?,
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
            keys: self.listening.keys.keys(),
            silence: self.silence,
        };
        scheduler::run(&settings, |url| {
            let started = ProcessStart { url, work_dir: None };
            // It works whether or not anybody reads this.
            let _ = console.result(&started, || format!("scheduler at {}\n", started.url));
        })
    }
}

impl ExecutorFlags {
    fn run(&self, shared: &SharedFlags, console: Console) -> Result<()> {
        let settings = executor::ExecutorSettings {
            scheduler: self.scheduler.clone(),
            data: self.data.clone(),
            bind: self.listening.bind,
            port: self.port,
            host: self.listening.host.clone(),
            keys: self.listening.keys.keys(),
            work_dir: self.work_dir.clone(),
            resources: shared.resources(),
        };
        executor::run(&settings, |url, folder| {
            let started = ProcessStart { url, work_dir: Some(folder.to_owned()) };
            let shown = folder.display();
            let _ = console.result(&started, || format!("executor at {}, its folder is {shown}\n", started.url));
        })
    }
}

/// The files that were made.
#[derive(Serialize)]
struct CertificateFiles {
    files: Vec<PathBuf>,
}

impl CertificateFlags {
    fn run(&self, console: Console) -> Result<()> {
        let files = authority::make(&CertificateSettings {
            folder: self.folder.clone(),
            hosts: self.host.clone(),
            executors: self.executor.clone(),
            days: self.days,
        })?;
        let made = CertificateFiles { files };
        let shown = || made.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join("\n") + "\n";
        console.result(&made, shown)
    }
}
