//! A PostgreSQL server for the tests, on loopback, gone afterwards.
//!
//! The server's programs are looked for where systems put them. Where there are none, and this is a machine for
//! continuous integration (`CI` is set) with the right to install, they are installed. Whatever fails is said and the
//! tests go on without: they say themselves what they could not check. Nothing here waits for ever.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::packages::{self, is_root};

/// The variable that tells tests of a server.
pub const VARIABLE: &str = "EQUANYM_TEST_POSTGRES";

/// The password has characters that an address must write in another way.
const PASSWORD: &str = "a &/?€";
const ENCODED: &str = "a%20%26%2F%3F%E2%82%AC";

/// A running server; dropping it stops it and removes its files.
pub struct Server {
    programs: PathBuf,
    folder: PathBuf,
    as_user: Vec<String>,
    /// Where it is.
    pub address: String,
}

/// Starts a server, or says why not.
pub fn start() -> Option<Server> {
    if std::env::var_os(VARIABLE).is_some() {
        println!("PostgreSQL: the server that {VARIABLE} names");
        return None;
    }
    match try_start() {
        Ok(server) => Some(server),
        Err(why) => {
            println!("PostgreSQL: no server ({why}); the tests that need one check nothing");
            None
        }
    }
}

fn try_start() -> Result<Server, String> {
    let installed = || {
        packages::install("PostgreSQL", "postgresql");
        programs()
    };
    let programs = programs().or_else(installed).ok_or("it is not installed")?;
    let folder = std::env::temp_dir().join(format!("equanym-postgres-{}", std::process::id()));
    fs::create_dir(&folder).map_err(|error| error.to_string())?;
    let port =
        TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).map_err(|error| error.to_string())?;
    let address = format!("postgres://equanym:{ENCODED}@127.0.0.1:{}/postgres", port.port());
    let server = Server { programs, folder, as_user: as_user(), address };
    server.set_up(port.port())?;
    Ok(server)
}

impl Server {
    fn set_up(&self, port: u16) -> Result<(), String> {
        let password = self.folder.join("password");
        fs::write(&password, PASSWORD).map_err(|error| error.to_string())?;
        if !self.as_user.is_empty() {
            // The server refuses to run as root; its folder must be its own.
            let owned = Command::new("chown").args(["-R", "postgres"]).arg(&self.folder).status();
            owned.ok().filter(std::process::ExitStatus::success).ok_or("its folder cannot be given away")?;
        }
        let data = self.folder.join("data");
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let pwfile = format!("--pwfile={}", text(&password));
        let make = ["-D", &text(&data), "-U", "equanym", "--auth=scram-sha-256", &pwfile, "-E", "UTF8", "--locale=C"];
        self.run("initdb", &make)?;
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=50"
        );
        let log = text(&self.folder.join("log"));
        self.run("pg_ctl", &["-D", &text(&data), "-l", &log, "-w", "-t", "60", "-o", &options, "start"])
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let path = self.programs.join(program);
        let mut command = match self.as_user.split_first() {
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(path);
                command
            }
            None => Command::new(path),
        };
        let quiet =
            command.args(arguments).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match quiet.status() {
            Ok(status) if status.success() => Ok(()),
            _ => Err(format!("{program} fails")),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let data = self.folder.join("data").to_string_lossy().into_owned();
        let _ = self.run("pg_ctl", &["-D", &data, "-m", "immediate", "-w", "-t", "30", "stop"]);
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// How a program is run as somebody else, when this is root.
fn as_user() -> Vec<String> {
    if !is_root() {
        return Vec::new();
    }
    let words = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"];
    words.map(str::to_owned).to_vec()
}

/// The folder of the server's programs.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let packaged = versions.map(|version| version.path().join("bin"));
    let on_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let mut folders: Vec<PathBuf> = packaged.chain(on_path.into_iter().flatten()).collect();
    folders.sort_by_key(|folder| !folder.starts_with("/usr/lib/postgresql"));
    folders.into_iter().find(|folder| ["initdb", "pg_ctl"].iter().all(|program| folder.join(program).is_file()))
}
