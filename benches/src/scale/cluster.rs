//! The same releases by a cluster of two executors on this machine: the program itself, as somebody would start it.
//!
//! Each executor has half of the cores and half of the memory. Peaks are asked of the system while the processes live.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{MEMORY, people};
use crate::facts::{Facts, peak_of};
use crate::failure::Result;
use crate::figures::{grouped, short};

/// A scheduler and two executors, which end when they are dropped.
pub struct Cluster {
    program: PathBuf,
    url: String,
    /// The secret that they share.
    secret: PathBuf,
    scheduler: Child,
    executors: Vec<Child>,
}

/// The columns of the report.
pub const HEAD: [&str; 7] =
    ["records", "s to count", "s to search", "s to write", "MiB spilled", "peak MiB", "peak MiB of each executor"];

impl Cluster {
    /// Starts them, if the program beside this one knows clusters.
    pub fn start(folder: &Path) -> Result<Option<Self>> {
        let program = std::env::current_exe()?.with_file_name("equanym");
        let knows =
            Command::new(&program).args(["cluster", "--help"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !knows.is_ok_and(|status| status.success()) {
            eprintln!(
                "no cluster is measured: `cargo build --release --features equanym/cluster --workspace` makes a program that knows them"
            );
            return Ok(None);
        }
        let secret = folder.join("secret");
        let mut command = Command::new(&program);
        command.args(["cluster", "scheduler", "--port", "0", "--secret"]).arg(&secret);
        let (scheduler, line) = started(&mut command)?;
        let url = line.strip_prefix("scheduler at ").unwrap_or_default().to_owned();
        let mut cluster = Self { program, url, secret, scheduler, executors: Vec::new() };
        let threads = (std::thread::available_parallelism().map_or(1, usize::from) / 2).max(1).to_string();
        let memory = (MEMORY / 2).to_string();
        for _ in 0..2 {
            let mut command = Command::new(&cluster.program);
            command.args([
                "cluster",
                "executor",
                "--threads",
                &threads,
                "--memory",
                &memory,
                "--scheduler",
                &cluster.url,
            ]);
            command.arg("--data").arg(folder).arg("--work-dir").arg(folder).arg("--secret").arg(&cluster.secret);
            cluster.executors.push(started(&mut command)?.0);
        }
        Ok(Some(cluster))
    }

    /// A release of a table.
    pub fn row(&self, size: u64, table: &Path, out: &Path) -> Result<Vec<String>> {
        let policy = table.with_extension("toml");
        std::fs::write(&policy, people::POLICY)?;
        let memory = MEMORY.to_string();
        let mut command = Command::new(&self.program);
        command.arg("release").arg(table).arg("--policy").arg(policy).arg("--out").arg(out);
        command.args(["--json", "--memory", &memory, "--cluster", &self.url, "--secret"]).arg(&self.secret);
        command.stdout(Stdio::piped());
        let mut release = command.spawn()?;
        let mut peak = None;
        while release.try_wait()?.is_none() {
            peak = peak_of_process(&release).or(peak);
            std::thread::sleep(Duration::from_millis(20));
        }
        let output = release.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("the release by a cluster failed: {}", output.status).into());
        }
        let found: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let seconds = ["count", "search", "write"].map(|part| found["seconds"][part].as_f64().map_or_else(dash, short));
        let spilled = found["spilled"].as_f64().map_or_else(dash, |bytes| short(bytes / f64::from(1 << 20)));
        let peaks: Vec<String> = self.executors.iter().map(|child| mebibytes(peak_of_process(child))).collect();
        Ok([&[grouped(size.into())][..], &seconds, &[spilled, mebibytes(peak), peaks.join(", ")]].concat())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Told to end, they remove their folders; what cannot be told is killed.
        for child in self.executors.iter_mut().chain([&mut self.scheduler]) {
            let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            if !told.is_ok_and(|status| status.success()) {
                let _ = child.kill();
            }
            let _ = child.wait();
        }
    }
}

fn dash() -> String {
    "–".to_owned()
}

fn mebibytes(peak: Option<String>) -> String {
    peak.map_or_else(dash, |kib| Facts::default().with("peak", kib).peak())
}

fn peak_of_process(child: &Child) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    peak_of(&status).map(str::to_owned)
}

/// Starts a process that says in one line where it is.
fn started(command: &mut Command) -> Result<(Child, String)> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut line = String::new();
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).read_line(&mut line)?;
    }
    if line.is_empty() {
        return Err("a process of the cluster does not start".into());
    }
    Ok((child, line.trim_end().to_owned()))
}
