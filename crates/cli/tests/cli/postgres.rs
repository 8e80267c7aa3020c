//! From PostgreSQL and back, where `EQUANYM_TEST_POSTGRES` names a server (`cargo xtask test` starts one).

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio_postgres::{Client, Config, NoTls};

use crate::hospital;
use equanym_engine::run::demo::write_csv;

struct Server {
    runtime: Runtime,
    client: Client,
    address: String,
}

/// Columns of the hospital.
fn quoted(names: &csv::StringRecord) -> Vec<String> {
    names.iter().map(|name| format!("\"{name}\"")).collect()
}

impl Server {
    fn at_hand() -> Option<Self> {
        let Ok(address) = std::env::var("EQUANYM_TEST_POSTGRES") else {
            eprintln!("not checked: PostgreSQL; EQUANYM_TEST_POSTGRES names no server");
            return None;
        };
        let config: Config = address.parse().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (client, connection) = runtime.block_on(config.connect(NoTls)).unwrap();
        runtime.spawn(connection);
        Some(Self { runtime, client, address })
    }

    fn run(&self, sql: &str) {
        self.runtime.block_on(self.client.batch_execute(sql)).unwrap_or_else(|error| panic!("{error:?}: {sql}"));
    }

    fn rows(&self, sql: &str) -> Vec<Vec<Option<String>>> {
        let rows = self.runtime.block_on(self.client.query(sql, &[])).unwrap();
        rows.iter().map(|row| (0..row.len()).map(|place| row.get(place)).collect()).collect()
    }

    /// The table of a CSV file.
    fn load(&self, table: &str, csv: &Path) {
        let mut reader = csv::Reader::from_path(csv).unwrap();
        let names = quoted(reader.headers().unwrap());
        self.run(&format!("DROP TABLE IF EXISTS {table}; CREATE TABLE {table} ({} text)", names.join(" text, ")));
        for record in reader.records() {
            let record = record.unwrap();
            let cells: Vec<String> = record.iter().map(|cell| format!("'{}'", cell.replace('\'', "''"))).collect();
            self.run(&format!("INSERT INTO {table} VALUES ({})", cells.join(", ")));
        }
    }

    fn table(&self, name: &str) -> String {
        format!("{}?table={name}", self.address)
    }
}

fn release(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_equanym"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    for words in [&output.stdout, &output.stderr] {
        let words = String::from_utf8_lossy(words);
        let address = std::env::var("EQUANYM_TEST_POSTGRES").unwrap();
        let secret = address.split_once("://").unwrap().1.split('@').next().unwrap().split_once(':').unwrap().1;
        assert!(!words.contains(secret), "a password is shown: {words}");
    }
    output
}

#[track_caller]
fn ended(output: &Output, code: i32) -> String {
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{words}");
    words
}

#[test]
fn a_table_comes_and_goes() {
    let Some(server) = Server::at_hand() else { return };
    let folder = tempfile::tempdir().unwrap();
    let hospital = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hospital");
    let csv = hospital.join("admissions.csv");
    let policy = hospital.join("policy.toml");
    let policy = policy.to_str().unwrap();
    let own = std::process::id();
    let (table, new) = (format!("admissions_{own}"), format!("open_{own}"));
    server.load(&table, &csv);
    server.run(&format!("DROP TABLE IF EXISTS {new}"));
    let here = folder.path();
    ended(&release(here, &["release", csv.to_str().unwrap(), "--policy", policy, "--out", "from_file"]), 0);
    ended(&release(here, &["release", &server.table(&table), "--policy", policy, "--out", "from_table"]), 0);
    let data = |out: &str| std::fs::read(here.join(out).join("public/data.csv")).unwrap();
    assert!(data("from_file") == data("from_table"), "a table and a file give different releases");
    // Back into the database, with the rest in a folder.
    let to = server.table(&new);
    let arguments = ["release", &server.table(&table), "--policy", policy, "--out", &to, "--folder", "kept"];
    ended(&release(here, &arguments), 0);
    let released = data("from_file");
    let expected = csv::Reader::from_reader(released.as_slice()).into_records().map(|record| {
        let record = record.unwrap();
        record.iter().map(|cell| (!cell.is_empty()).then(|| cell.to_owned())).collect::<Vec<_>>()
    });
    assert_eq!(server.rows(&format!("SELECT * FROM {new}")), expected.collect::<Vec<_>>());
    assert!(here.join("kept/public/manifest.json").exists() && here.join("kept/private/mask.json").exists());
    ended(&release(here, &["audit", "kept/public"]), 0);
    // Nothing is overwritten; without a folder nothing but the table is left.
    assert!(ended(&release(here, &arguments), 2).contains("exists already"));
    server.run(&format!("DROP TABLE {new}"));
    let mask = here.join("kept/private/mask.json");
    ended(&release(here, &["apply", &server.table(&table), "--mask", mask.to_str().unwrap(), "--out", &to]), 0);
    assert_eq!(server.rows(&format!("SELECT count(*)::text FROM {new}"))[0][0].as_deref(), Some("1978"));
    server.run(&format!("DROP TABLE {new}; DROP TABLE {table}"));
}

#[test]
fn a_refusal_leaves_no_table() {
    let Some(server) = Server::at_hand() else { return };
    let folder = tempfile::tempdir().unwrap();
    let own = std::process::id();
    let new = format!("refused_{own}");
    std::fs::write(folder.path().join("data.csv"), "age\n1\n2\n3\n").unwrap();
    let policy = "[variables.age]\nrole = \"quasi-identifying\"\nlevels = { max = 0 }\nhierarchy = { intervals = [5] }\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
    std::fs::write(folder.path().join("policy.toml"), policy).unwrap();
    let to = server.table(&new);
    ended(&release(folder.path(), &["release", "data.csv", "--policy", "policy.toml", "--out", &to]), 1);
    assert_eq!(server.rows(&format!("SELECT to_regclass('{new}')::text"))[0][0], None);
    // A role that may read and not write.
    let nowhere = server.table("nowhere.table");
    let words =
        ended(&release(folder.path(), &["release", "data.csv", "--policy", "policy.toml", "--out", &nowhere]), 1);
    assert!(!words.contains("://"), "{words}");
}

/// The folder that a release to a database alone writes to on the way, if there is one now other than those known.
fn on_the_way(temporary: &Path, known: &[PathBuf]) -> Option<PathBuf> {
    let found = std::fs::read_dir(temporary).unwrap().map(|entry| entry.unwrap().path());
    found.filter(|path| path.is_dir()).find(|path| !known.contains(path))
}

/// Without a folder, what is written on the way has a name that nobody knows before; after a kill it goes with the next run.
#[cfg(unix)]
#[test]
fn a_killed_release_leaves_nothing_to_the_next() {
    use std::os::unix::fs::PermissionsExt;
    let Some(server) = Server::at_hand() else { return };
    let folder = tempfile::tempdir().unwrap();
    let temporary = folder.path().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    hospital::write_policy(folder.path());
    std::fs::write(folder.path().join("data.csv"), write_csv(12_000, 9)).unwrap();
    let new = format!("killed_{}", std::process::id());
    let start = || {
        let mut command = hospital::release(folder.path(), "policy.toml", "data.csv", &server.table(&new));
        command.env("TMPDIR", &temporary).spawn().unwrap()
    };
    let mut known = Vec::new();
    for _ in 0..3 {
        let mut child = start();
        let found = loop {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote");
            match on_the_way(&temporary, &known) {
                Some(found) => break found,
                None => sleep(Duration::from_millis(1)),
            }
        };
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(found.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        assert!(known.iter().all(|left: &PathBuf| !left.exists()), "leftovers of a killed run remain");
        known.push(found);
    }
    assert!(start().wait().unwrap().success());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    server.run(&format!("DROP TABLE {new}"));
}

/// A way to the server that loses the answer to COMMIT, after the server got it or before; its port.
fn losing_the_answer(server: &str, is_delivered: bool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut back = TcpStream::connect(server).unwrap();
    std::thread::spawn(move || {
        let (mut front, _) = listener.accept().unwrap();
        let silent = Arc::new(AtomicBool::new(false));
        let (mut answers, mut to, is_silent) =
            (back.try_clone().unwrap(), front.try_clone().unwrap(), Arc::clone(&silent));
        std::thread::spawn(move || {
            let mut buffer = vec![0; 65536];
            while let Ok(count @ 1..) = answers.read(&mut buffer) {
                if is_silent.load(Ordering::SeqCst) {
                    // The server has done what it was asked; nobody hears of it.
                    to.shutdown(Shutdown::Both).unwrap();
                    return;
                }
                to.write_all(&buffer[..count]).unwrap();
            }
        });
        let mut buffer = vec![0; 65536];
        while let Ok(count @ 1..) = front.read(&mut buffer) {
            if buffer[..count].windows(7).any(|bytes| bytes == b"COMMIT\0") {
                silent.store(true, Ordering::SeqCst);
                if !is_delivered {
                    let _ = (front.shutdown(Shutdown::Both), back.shutdown(Shutdown::Both));
                    return;
                }
            }
            back.write_all(&buffer[..count]).unwrap();
        }
    });
    port
}

#[test]
fn a_lost_answer_to_commit_is_told_as_unknown_and_the_folder_stays() {
    let Some(server) = Server::at_hand() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("data.csv"), "age\n1\n1\n1\n").unwrap();
    let policy = "[variables.age]\nrole = \"quasi-identifying\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
    std::fs::write(folder.path().join("policy.toml"), policy).unwrap();
    let (before, after) = server.address.rsplit_once('@').unwrap();
    let (place, database) = after.split_once('/').unwrap();
    for is_delivered in [true, false] {
        let table = format!("lost_{}_{is_delivered}", std::process::id());
        let port = losing_the_answer(place, is_delivered);
        let to = format!("{before}@127.0.0.1:{port}/{database}?table={table}");
        let kept = format!("kept_{is_delivered}");
        let arguments = ["release", "data.csv", "--policy", "policy.toml", "--out", &to, "--folder", &kept];
        let words = ended(&release(folder.path(), &arguments), 3);
        assert!(words.contains("unknown whether the table was made"), "{words}");
        assert!(folder.path().join(&kept).join("public/manifest.json").exists());
        let is_there = server.rows(&format!("SELECT to_regclass('{table}')::text"))[0][0].is_some();
        assert_eq!(is_there, is_delivered);
        server.run(&format!("DROP TABLE IF EXISTS {table}"));
    }
}
