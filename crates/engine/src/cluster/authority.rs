//! A small authority: certificates for a cluster, for those who have none.
//!
//! In one folder: the authority (`ca.pem`, `ca.key`), the scheduler's, one for each executor, and one for whoever runs
//! `release`. Scheduler and executors are named as others call them. Only executors both serve and call, and their
//! certificates say so: that of a caller cannot be used to listen. Keys are their owner's alone, and no file is
//! overwritten. Called again, the authority that is there makes what is missing.
//!
//! Limits: there is no list of certificates that were taken back. Make a new authority when a key is lost. `ca.key` is
//! needed only here: keep it away from the machines of the cluster.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose as Use, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};

use super::door::{read_private, write_new};
use crate::error::{Error, Result};

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

/// How a machine calls itself.
const HERE: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
/// How long an authority is good.
const AUTHORITY: Duration = Duration::from_hours(10 * 365 * 24);
/// Clocks differ.
const BEFORE: Duration = Duration::from_hours(24);

/// A certificate to be made.
struct Wanted {
    /// Its files are called so.
    name: String,
    hosts: Vec<String>,
    uses: Vec<Use>,
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
        let (key, mut params) =
            (new_key()?, params(&one.name, &one.hosts, Duration::from_hours(u64::from(settings.days) * 24))?);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages.clone_from(&one.uses);
        params.use_authority_key_identifier_extension = true;
        let signed = params.signed_by(&key, &authority).map_err(|_| unmade())?;
        write(folder, &one.name, &signed.pem(), &key, &mut made)?;
    }
    Ok(made)
}

/// What was asked for, and what every cluster needs and is not there yet.
fn wanted(settings: &CertificateSettings) -> Result<Vec<Wanted>> {
    let here = || HERE.map(str::to_owned).to_vec();
    let is_there = |name: &str| files(&settings.folder, name).iter().all(|file| file.exists());
    let both = vec![Use::ServerAuth, Use::ClientAuth];
    let mut wanted = Vec::new();
    if !settings.hosts.is_empty() || !is_there("scheduler") {
        let hosts = if settings.hosts.is_empty() { here() } else { settings.hosts.clone() };
        wanted.push(Wanted { name: "scheduler".to_owned(), hosts, uses: vec![Use::ServerAuth] });
    }
    if !is_there("client") {
        wanted.push(Wanted { name: "client".to_owned(), hosts: Vec::new(), uses: vec![Use::ClientAuth] });
    }
    if settings.executors.is_empty() && settings.hosts.is_empty() && !is_there("executor") {
        wanted.push(Wanted { name: "executor".to_owned(), hosts: here(), uses: both.clone() });
    }
    for host in &settings.executors {
        let name = format!("executor-{}", host.replace(':', "-"));
        wanted.push(Wanted { name, hosts: vec![host.clone()], uses: both.clone() });
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
fn authority(folder: &Path, made: &mut Vec<PathBuf>) -> Result<Issuer<'static, KeyPair>> {
    let mut params = params("authority", &[], AUTHORITY)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let [cert, file] = files(folder, "ca");
    let key = match (cert.exists(), file.exists()) {
        (true, true) => {
            let text = String::from_utf8(read_private(&file)?).map_err(|_| unmade())?;
            KeyPair::from_pem(&text).map_err(|_| {
                Error::input(format!("{:?}: holds no key of an authority", file.to_string_lossy()))
                    .hint("name another folder")
            })?
        }
        (false, false) => {
            let key = new_key()?;
            let signed = params.self_signed(&key).map_err(|_| unmade())?;
            write(folder, "ca", &signed.pem(), &key, made)?;
            key
        }
        _ => {
            return Err(Error::input("half of the authority is missing: `ca.pem` or `ca.key`")
                .hint("bring it back, or name another folder"));
        }
    };
    Ok(Issuer::new(params, key))
}

fn params(name: &str, hosts: &[String], good: Duration) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(hosts).map_err(|_| unmade())?;
    params.distinguished_name.push(DnType::CommonName, format!("equanym {name}"));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|_| unmade())?;
    let start = rcgen::date_time_ymd(1970, 1, 1);
    params.not_before = start + now.saturating_sub(BEFORE);
    params.not_after = start + now + good;
    Ok(params)
}

fn new_key() -> Result<KeyPair> {
    KeyPair::generate().map_err(|_| Error::environment("the system gives no random numbers"))
}

fn unmade() -> Error {
    Error::environment("a certificate cannot be made")
}

/// A certificate and its key.
fn files(folder: &Path, name: &str) -> [PathBuf; 2] {
    ["pem", "key"].map(|end| folder.join(format!("{name}.{end}")))
}

fn write(folder: &Path, name: &str, cert: &str, key: &KeyPair, made: &mut Vec<PathBuf>) -> Result<()> {
    let [cert_file, key_file] = files(folder, name);
    write_new(&key_file, key.serialize_pem().as_bytes(), true)?;
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
