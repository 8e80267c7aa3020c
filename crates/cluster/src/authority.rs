//! A small authority: certificates for a cluster, for those who have none.
//!
//! In one folder: the authority (`ca.pem`, `ca.key`), the scheduler's, one for each executor, and one for whoever runs
//! `release`. Scheduler and executors are named as others call them. Only executors both serve and call, and their
//! certificates say so: that of a caller cannot be used to listen. Keys are their owner's alone, and no file is
//! overwritten. Called again, the authority that is there makes what is missing.
//!
//! Limits: there is no list of certificates that were taken back. Make a new authority when a key is lost. `ca.key` is
//! needed only here: keep it away from the machines of the cluster.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use equanym_engine::error::{Error, Result};
use rcgen::KeyPair;

use super::door::issue::{Authority, CertificateOrder, HERE, Use};
use super::door::{check_authority, read_private, write_new};

/// Which certificates are made.
#[derive(Debug, Clone)]
pub struct CertificateSettings {
    /// The folder that gets them.
    pub folder: PathBuf,
    /// How others call the scheduler; none stands for this machine.
    pub hosts: Vec<String>,
    /// How others call each executor; one certificate each.
    pub executors: Vec<String>,
    /// For how many days they are good.
    pub days: u16,
}

/// Makes what is missing; the files that were made.
pub fn make(settings: &CertificateSettings) -> Result<Vec<PathBuf>> {
    let folder = &settings.folder;
    let wanted = wanted(settings)?;
    if let Some(there) = wanted.iter().flat_map(|one| files(folder, &one.name)).find(|file| file.exists()) {
        return Err(Error::input(format!("{:?}: exists already and is never overwritten", there.to_string_lossy()))
            .hint("leave it out, move it away, or name another folder"));
    }
    private_folder(folder)?;
    let mut made = Vec::new();
    let authority = authority(folder, &mut made)?;
    for one in &wanted {
        write(folder, &one.name, &authority.sign(one)?, &mut made)?;
    }
    Ok(made)
}

/// What was asked for, and what every cluster needs and is not there yet.
fn wanted(settings: &CertificateSettings) -> Result<Vec<CertificateOrder>> {
    let here = || HERE.map(str::to_owned).to_vec();
    let is_there = |name: &str| files(&settings.folder, name).iter().all(|file| file.exists());
    let good = Duration::from_hours(u64::from(settings.days) * 24);
    let both = vec![Use::ServerAuth, Use::ClientAuth];
    let mut wanted = Vec::new();
    if !settings.hosts.is_empty() || !is_there("scheduler") {
        let hosts = if settings.hosts.is_empty() { here() } else { settings.hosts.clone() };
        wanted.push(CertificateOrder { name: "scheduler".to_owned(), hosts, uses: vec![Use::ServerAuth], good });
    }
    if !is_there("client") {
        wanted.push(CertificateOrder {
            name: "client".to_owned(),
            hosts: Vec::new(),
            uses: vec![Use::ClientAuth],
            good,
        });
    }
    if settings.executors.is_empty() && settings.hosts.is_empty() && !is_there("executor") {
        wanted.push(CertificateOrder { name: "executor".to_owned(), hosts: here(), uses: both.clone(), good });
    }
    for host in settings.executors.iter().collect::<BTreeSet<_>>() {
        let name = format!("executor-{}", host.replace(':', "-"));
        wanted.push(CertificateOrder { name, hosts: vec![host.clone()], uses: both.clone(), good });
    }
    wanted.iter().flat_map(|one| &one.hosts).try_for_each(|host| check_host(host))?;
    Ok(wanted)
}

fn check_host(host: &str) -> Result<()> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:_".contains(&byte);
    if !host.is_empty() && host.len() <= 253 && host.bytes().all(is_plain) && !host.starts_with(['.', '-']) {
        return Ok(());
    }
    Err(Error::input("a host is neither a name nor a number of a machine")
        .hint("such as node1.example.org or 10.0.0.7"))
}

/// The authority of a folder, which is made if there is none.
fn authority(folder: &Path, made: &mut Vec<PathBuf>) -> Result<Authority> {
    let [cert, file] = files(folder, "ca");
    match (cert.exists(), file.exists()) {
        (true, true) => {
            let key = String::from_utf8(read_private(&file)?).ok().and_then(|text| KeyPair::from_pem(&text).ok());
            let authority = Authority::from_key(key.ok_or_else(|| {
                Error::input(format!("{:?}: holds no key of an authority", file.to_string_lossy()))
                    .hint("name another folder")
            })?)?;
            check_authority(&authority, &cert)?;
            Ok(authority)
        }
        (false, false) => {
            let authority = Authority::new()?;
            write(folder, "ca", &authority.own()?, made)?;
            Ok(authority)
        }
        _ => Err(Error::input("half of the authority is missing: `ca.pem` or `ca.key`")
            .hint("bring it back, or name another folder")),
    }
}

/// A certificate and its key.
fn files(folder: &Path, name: &str) -> [PathBuf; 2] {
    ["pem", "key"].map(|end| folder.join(format!("{name}.{end}")))
}

fn write(folder: &Path, name: &str, (cert, key): &(String, String), made: &mut Vec<PathBuf>) -> Result<()> {
    let [cert_file, key_file] = files(folder, name);
    write_new(&key_file, key.as_bytes(), true)?;
    write_new(&cert_file, cert.as_bytes(), false)?;
    made.extend([cert_file, key_file]);
    Ok(())
}

fn private_folder(folder: &Path) -> Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    make_folder(folder).map_err(|error| {
        Error::environment(format!("{:?}: {}", folder.to_string_lossy(), error.kind())).hint("name another folder")
    })
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> std::io::Result<()> {
    fs::create_dir(folder)
}
