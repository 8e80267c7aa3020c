//! Who is let in, and what those learn who are not.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};

use equanym_engine::run::demo::write_csv;

use super::callers::{Caller, Guard, certificates};
use super::processes::{Cluster, place, program};
use crate::hospital;

/// A page of the scheduler that tells of executors, and a call to an executor.
const PAGE: &str = "GET /api/executors";
const FETCH: &str = "POST /arrow.flight.protocol.FlightService/DoGet";

fn write(folder: &Path) {
    hospital::write_policy(folder);
    fs::write(folder.join("data.csv"), write_csv(300, 1)).unwrap();
}

#[track_caller]
fn refused(output: &Output, words: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(words), "{said}");
}

/// A release with these flags is refused and leaves nothing.
#[track_caller]
fn no_release(folder: &Path, flags: &[String], words: &str) {
    let output = hospital::release(folder, "policy.toml", "data.csv", "out").args(flags).output().unwrap();
    refused(&output, words);
    assert!(!folder.join("out").exists());
}

fn executor(cluster: &Cluster, data: &Path, flags: &[String]) -> Output {
    let mut command = program(&["cluster", "executor", "--scheduler", &cluster.url, "--data"]);
    command.arg(data).args(flags).output().unwrap()
}

#[test]
fn without_a_certificate_of_the_authority_nobody_gets_in_or_learns_anything() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    let cluster = Cluster::start(Guard::Certificates, 1, folder);
    let own = cluster.keys.path();
    // Certificates of another authority, with the root of ours beside them: the caller trusts us, we do not trust it.
    let other = certificates();
    let ports = [(&cluster.url, PAGE), (&cluster.executors[0].url, FETCH)];
    fs::copy(own.join("ca.pem"), other.path().join("ca.pem")).unwrap();
    let strangers = [
        Caller::Plain,
        Caller::Word("anybody".to_owned()),
        Caller::Tls(own.to_owned(), None),
        Caller::Tls(other.path().to_owned(), Some("client")),
        Caller::Tls(other.path().to_owned(), Some("executor")),
        // Made to listen, not to call.
        Caller::Tls(own.to_owned(), Some("scheduler")),
    ];
    for (url, request) in ports {
        for (number, stranger) in strangers.iter().enumerate() {
            let answer = stranger.ask(place(url), request);
            assert!(!answer.contains("HTTP/") && answer.len() < 16, "{number} at {url}: {answer:?}");
        }
        let answer = Guard::Certificates.friend(own).ask(place(url), request);
        assert!(answer.starts_with("HTTP/1.0 200"), "{answer:?}");
    }
    no_release(folder, &["--cluster".to_owned(), cluster.url.clone()], "--cert");
    no_release(folder, &Guard::Certificates.flags(own, "client"), "--cluster");
    let with = |flags: Vec<String>| [vec!["--cluster".to_owned(), cluster.url.clone()], flags].concat();
    no_release(folder, &with(Guard::Certificates.flags(other.path(), "client")), "is not of the authority in --ca");
    let stranger = certificates();
    let flags = |name: &str| Guard::Certificates.flags(stranger.path(), name);
    no_release(folder, &with(flags("client")), "its certificate is not of the authority in --ca");
    refused(&executor(&cluster, folder, &flags("executor")), "its certificate is not of the authority in --ca");
    assert_eq!(cluster.ask("/api/executors").as_array().map(Vec::len), Some(1));
}

/// A certificate that trusts the scheduler and that the scheduler does not trust.
#[test]
fn a_scheduler_that_refuses_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    let cluster = Cluster::start(Guard::Certificates, 0, folder);
    let stranger = certificates();
    let both = [cluster.keys.path(), stranger.path()].map(|keys| fs::read_to_string(keys.join("ca.pem")).unwrap());
    fs::write(stranger.path().join("ca.pem"), both.concat()).unwrap();
    let flags = Guard::Certificates.flags(stranger.path(), "client");
    let flags = [vec!["--cluster".to_owned(), cluster.url.clone()], flags].concat();
    no_release(folder, &flags, "refuses the certificate in --cert");
    let flags = Guard::Certificates.flags(stranger.path(), "executor");
    refused(&executor(&cluster, folder, &flags), "refuses the certificate in --cert");
}

#[test]
fn without_the_secret_nobody_gets_in_or_learns_anything() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    let cluster = Cluster::start(Guard::Secret, 1, folder);
    let strangers = [Caller::Word(String::new()), Caller::Word("tonic/0.14".to_owned()), Caller::Word("0".repeat(64))];
    for (url, request) in [(&cluster.url, PAGE), (&cluster.executors[0].url, FETCH)] {
        let answer = Caller::Plain.ask(place(url), request);
        assert!(!answer.contains("HTTP/") && answer.len() < 16, "{answer:?}");
        for stranger in &strangers {
            let answer = stranger.ask(place(url), request);
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(head.contains("grpc-status: 16") && body.is_empty(), "{answer:?}");
        }
        let answer = Guard::Secret.friend(cluster.keys.path()).ask(place(url), request);
        assert!(!answer.contains("grpc-status: 16") && answer.starts_with("HTTP/1.0 "), "{answer:?}");
    }
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("secret"), "0".repeat(64)).unwrap();
    let flags = Guard::Secret.flags(other.path(), "client");
    let with = [vec!["--cluster".to_owned(), cluster.url.clone()], flags.clone()].concat();
    no_release(folder, &with, "others may read");
    fs::set_permissions(other.path().join("secret"), fs::Permissions::from_mode(0o600)).unwrap();
    no_release(folder, &with, "does not know the secret");
    refused(&executor(&cluster, folder, &flags), "does not know the secret");
    assert_eq!(cluster.ask("/api/executors").as_array().map(Vec::len), Some(1));
}

#[test]
fn who_took_the_port_first_is_not_told_the_secret() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder);
    fs::write(folder.join("secret"), format!("{}\n", "5ec2e7".repeat(11).get(..64).unwrap())).unwrap();
    fs::set_permissions(folder.join("secret"), fs::Permissions::from_mode(0o600)).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&heard);
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let (mut socket, mut bytes) = (socket.unwrap(), [0; 4096]);
            let count = socket.read(&mut bytes).unwrap();
            ear.lock().unwrap().extend_from_slice(&bytes[..count]);
            let _ = socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n[]");
        }
    });
    let flags = Guard::Secret.flags(folder, "");
    no_release(
        folder,
        &[vec!["--cluster".to_owned(), url.clone()], flags.clone()].concat(),
        "does not know the secret",
    );
    let executor = ["cluster", "executor", "--scheduler", &url, "--data", "."];
    refused(&program(&executor).args(flags).output().unwrap(), "does not know the secret");
    let heard = heard.lock().unwrap();
    let secret = b"5ec2e7";
    assert!(!heard.is_empty() && !heard.windows(secret.len()).any(|bytes| bytes == secret));
}

#[test]
fn without_certificates_other_machines_are_kept_out() {
    let folder = tempfile::tempdir().unwrap();
    let secret = Guard::Secret.flags(folder.path(), "");
    let executor = ["cluster", "executor", "--scheduler", "http://127.0.0.1:9", "--data", "."];
    let everywhere = ["--bind", "0.0.0.0", "--host", "127.0.0.1"];
    for process in [&["cluster", "scheduler"][..], &executor] {
        refused(&program(process).output().unwrap(), "--secret");
        refused(&program(process).args(&secret).args(everywhere).output().unwrap(), "needs certificates");
        refused(&program(process).args(&secret).args(["--host", "node1"]).output().unwrap(), "needs certificates");
        refused(&program(process).args(everywhere).output().unwrap(), "--cert");
    }
    let elsewhere = ["cluster", "executor", "--scheduler", "http://192.0.2.7:9", "--data", "."];
    refused(&program(&elsewhere).args(&secret).output().unwrap(), "needs certificates");
}

#[test]
fn a_certificate_that_does_not_fit_is_told_before_anything_listens() {
    let keys = certificates();
    let flags = |name: &str| Guard::Certificates.flags(keys.path(), name);
    let scheduler = ["cluster", "scheduler", "--port", "0"];
    let check = |flags: &[String], more: &[&str], words: &str| {
        refused(&program(&scheduler).args(more).args(flags).output().unwrap(), words);
    };
    check(&flags("scheduler"), &["--host", "node1"], "is not for node1");
    check(&flags("client"), &[], "was made for another use");
    let gone = certificates().path().to_owned();
    check(&Guard::Certificates.flags(&gone, "scheduler"), &[], "entity not found");
    let mut mixed = flags("scheduler");
    mixed[3].clone_from(&flags("client")[3]);
    check(&mixed, &[], "this is not the key of");
    let mut no_key = flags("scheduler");
    no_key[3].clone_from(&flags("scheduler")[1]);
    check(&no_key, &[], "others may read");
}

#[test]
fn certificates_are_made_once_and_keys_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let keys = folder.path().join("keys");
    let make = |more: &[&str]| program(&["cluster", "certificates"]).arg(&keys).args(more).output().unwrap();
    let files = || {
        let mut names: Vec<_> = fs::read_dir(&keys).unwrap().map(|file| file.unwrap().file_name()).collect();
        names.sort();
        names.into_iter().map(|name| name.into_string().unwrap()).collect::<Vec<_>>().join(" ")
    };
    assert!(make(&["--host", "node1", "--host", "10.0.0.7", "--executor", "node2"]).status.success());
    let first = "ca.key ca.pem client.key client.pem executor-node2.key executor-node2.pem scheduler.key scheduler.pem";
    assert_eq!(files(), first);
    let before: Vec<_> = super::processes::contents(&keys).into_iter().collect();
    refused(&make(&["--host", "node1"]), "never overwritten");
    refused(&make(&["--executor", "node2"]), "never overwritten");
    refused(&make(&["--executor", "../node2"]), "neither a name nor a number");
    assert_eq!(super::processes::contents(&keys).into_iter().collect::<Vec<_>>(), before);
    // One more executor, of the same authority.
    assert!(make(&["--executor", "127.0.0.1"]).status.success());
    assert!(files().contains("executor-127.0.0.1.pem"));
    let executor = ["cluster", "executor", "--scheduler", "https://127.0.0.1:9", "--data", ".", "--host", "node9"];
    let flags = Guard::Certificates.flags(&keys, "executor-127.0.0.1");
    refused(&program(&executor).args(flags).output().unwrap(), "is not for node9");
    for (file, _) in super::processes::contents(&keys) {
        let mode = fs::metadata(keys.join(&file)).unwrap().permissions().mode() & 0o777;
        let is_key = file.extension().is_some_and(|end| end == "key");
        assert_eq!(mode, if is_key { 0o600 } else { 0o644 }, "{file:?}");
    }
    assert_eq!(fs::metadata(&keys).unwrap().permissions().mode() & 0o777, 0o700);
    fs::copy(certificates().path().join("ca.pem"), keys.join("ca.pem")).unwrap();
    refused(&make(&["--executor", "node3"]), "the key beside it is another's");
    fs::remove_file(keys.join("ca.pem")).unwrap();
    refused(&make(&["--executor", "node3"]), "half of the authority");
}
