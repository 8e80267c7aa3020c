//! Tables in object stores: a server on this machine that speaks enough HTTP and S3.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use super::stage::{RunResult, Stage};

type Objects = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A store of objects by path, on a port of its own.
struct Store {
    port: u16,
    objects: Objects,
    /// The headers of all requests.
    heard: Arc<Mutex<String>>,
}

impl Store {
    fn start(objects: &[(&str, Vec<u8>)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let objects = objects.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.clone())).collect();
        let store = Self { port, objects: Arc::new(Mutex::new(objects)), heard: Arc::default() };
        let (objects, heard) = (Arc::clone(&store.objects), Arc::clone(&store.heard));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (objects, heard) = (Arc::clone(&objects), Arc::clone(&heard));
                std::thread::spawn(move || serve(&stream, &objects, &heard));
            }
        });
        store
    }

    fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

/// Answers the requests of one connection until it closes.
fn serve(stream: &TcpStream, objects: &Objects, heard: &Mutex<String>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut asked = String::new();
        while !asked.ends_with("\r\n\r\n") {
            (reader.read_line(&mut asked).ok()? > 0).then_some(())?;
        }
        heard.lock().unwrap().push_str(&asked);
        let answer = answer(&asked, &objects.lock().unwrap());
        (&*stream).write_all(&answer).ok()?;
    }
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let line = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")))?;
    Some(line.split_once(':')?.1.trim())
}

fn answer(head: &str, objects: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut words = head.split_whitespace();
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if query.contains("list-type=2") {
        return reply("200 OK", "", listing(path, objects).as_bytes(), method);
    }
    let Some(bytes) = objects.get(path) else { return reply("404 Not Found", "", b"", method) };
    let tag = format!("\"{}\"", bytes.len());
    let mark = format!("ETag: {tag}\r\nLast-Modified: Wed, 21 Oct 2026 07:28:00 GMT\r\n");
    if header(head, "if-match").is_some_and(|wanted| wanted != tag) {
        return reply("412 Precondition Failed", &mark, b"", method);
    }
    let range = header(head, "range").and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
    let Some((from, to)) = range else { return reply("200 OK", &mark, bytes, method) };
    let (from, to) = (from.parse::<usize>().unwrap(), to.parse::<usize>().unwrap_or(bytes.len() - 1));
    let mark = format!("{mark}Content-Range: bytes {from}-{to}/{}\r\n", bytes.len());
    reply("206 Partial Content", &mark, &bytes[from..=to], method)
}

fn reply(status: &str, headers: &str, body: &[u8], method: &str) -> Vec<u8> {
    let mut reply = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n", body.len()).into_bytes();
    if method != "HEAD" {
        reply.extend_from_slice(body);
    }
    reply
}

fn listing(bucket: &str, objects: &BTreeMap<String, Vec<u8>>) -> String {
    let inside =
        objects.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(bucket)?.trim_start_matches('/'), bytes)));
    let contents = inside.map(|(key, bytes)| {
        format!("<Contents><Key>{key}</Key><LastModified>2026-10-21T07:28:00Z</LastModified><ETag>\"{0}\"</ETag><Size>{0}</Size></Contents>", bytes.len())
    });
    let contents: String = contents.collect();
    format!("<ListBucketResult><IsTruncated>false</IsTruncated>{contents}</ListBucketResult>")
}

fn release(stage: &Stage, data: &str, out: &str, store: Option<&Store>) -> RunResult {
    let mut command = stage.command(["release", data, "--policy", "policy.toml", "--out", out]);
    if let Some(store) = store {
        command.env("AWS_ENDPOINT", store.address("")).env("AWS_ALLOW_HTTP", "true").env("AWS_REGION", "here");
        command.env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "hush");
    }
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    RunResult { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn bytes(stage: &Stage, name: &str) -> Vec<u8> {
    std::fs::read(stage.path(name)).unwrap()
}

#[test]
fn a_table_over_http_gives_the_same_release() {
    let stage = Stage::released();
    let store = Store::start(&[("/a/people.csv", bytes(&stage, "people.csv"))]);
    release(&stage, &store.address("/a/people.csv"), "other", None).done();
    assert_eq!(bytes(&stage, "out/public/data.csv"), bytes(&stage, "other/public/data.csv"));
    let ran = release(&stage, &store.address("/a/absent.csv"), "none", None).ended(2);
    assert!(ran.stderr.contains("no such object"), "{ran:?}");
    release(&stage, &store.address("/a/people.csv?x=1"), "none", None).ended(2);
    release(&stage, "ftp://host/people.csv", "none", None).ended(2);
    let ran = release(&stage, "http://me:hush@127.0.0.1:1/people.csv", "none", None).ended(3);
    assert!(!ran.stderr.contains("hush") && !ran.stdout.contains("hush"), "{ran:?}");
}

#[test]
fn objects_of_a_bucket_give_the_same_release() {
    let stage = Stage::released();
    let table = String::from_utf8(bytes(&stage, "people.csv")).unwrap();
    let (head, rows) = table.split_once('\n').unwrap();
    let half = rows[..rows.len() / 2].rfind('\n').unwrap() + 1;
    let part = |rows: &str| format!("{head}\n{rows}").into_bytes();
    let store = Store::start(&[
        ("/bucket/people/1.csv", part(&rows[..half])),
        ("/bucket/people/2.csv", part(&rows[half..])),
        ("/bucket/people/_SUCCESS", Vec::new()),
    ]);
    release(&stage, "s3://bucket/people/", "other", Some(&store)).done();
    assert_eq!(bytes(&stage, "out/public/data.csv"), bytes(&stage, "other/public/data.csv"));
    assert!(!store.heard.lock().unwrap().contains("hush"), "the secret signs and stays here");
    release(&stage, "s3://bucket/people/1.csv", "one", Some(&store)).done();
    let ran = release(&stage, "s3://bucket/absent.csv", "none", Some(&store)).ended(2);
    assert!(ran.stderr.contains("no such object"), "{ran:?}");
}
