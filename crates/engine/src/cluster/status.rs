//! What a scheduler tells over HTTP: which executors there are, and how many tasks of a job are done.
//!
//! One short request each, with a time limit; no answer is an answer, too.

use std::collections::BTreeSet;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::header::ACCEPT;
use hyper::{Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde::Deserialize;
use tokio::time::timeout;

use super::network::Scheduler;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How many bytes an answer may have.
const MOST: usize = 64 << 20;

#[derive(Deserialize)]
struct Executor {
    id: String,
}

#[derive(Deserialize)]
struct Stages {
    stages: Vec<Stage>,
}

#[derive(Deserialize)]
struct Stage {
    tasks: Vec<Option<Task>>,
}

#[derive(Deserialize)]
struct Task {
    finish_time: u64,
}

/// The executors that the scheduler counts on; none when it does not answer.
pub(super) async fn executors(scheduler: &Scheduler) -> Option<BTreeSet<String>> {
    let body = ask(scheduler, "/api/executors").await?;
    let executors: Vec<Executor> = serde_json::from_slice(&body).ok()?;
    Some(executors.into_iter().map(|executor| executor.id).collect())
}

/// How many tasks of a job are done so far; none when nobody knows.
pub(super) async fn tasks_done(scheduler: &Scheduler, job: &str) -> Option<usize> {
    let body = ask(scheduler, &format!("/api/job/{job}/stages")).await?;
    let stages: Stages = serde_json::from_slice(&body).ok()?;
    let tasks = stages.stages.iter().flat_map(|stage| stage.tasks.iter().flatten());
    Some(tasks.filter(|task| task.finish_time > 0).count())
}

/// The body of an answer that is no refusal.
async fn ask(scheduler: &Scheduler, path: &str) -> Option<Bytes> {
    let request = Request::get(format!("{}{path}", scheduler.url())).header(ACCEPT, "application/json");
    let request = request.body(Empty::<Bytes>::new()).ok()?;
    let client = Client::builder(TokioExecutor::new()).build_http();
    let body = async {
        let answer = client.request(request).await.ok().filter(|answer| answer.status() == StatusCode::OK)?;
        Some(Limited::new(answer.into_body(), MOST).collect().await.ok()?.to_bytes())
    };
    timeout(LIMIT, body).await.ok()?
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// What is understood of an answer.
    fn check(answer: &'static str) -> Option<BTreeSet<String>> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let scheduler = Scheduler { host: "127.0.0.1".to_owned(), port: listener.local_addr().unwrap().port() };
        let served = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            assert!(stream.read(&mut [0; 4096]).unwrap() > 0);
            stream.write_all(answer.as_bytes()).unwrap();
        });
        let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let found = tokio.block_on(executors(&scheduler));
        served.join().unwrap();
        found
    }

    #[test]
    fn only_good_answers_are_understood() {
        let found = check("HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n[{\"id\":\"a\"}]");
        assert_eq!(found, Some(BTreeSet::from(["a".to_owned()])));
        let chunked = check("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n");
        assert_eq!(chunked, Some(BTreeSet::new()));
        for other in ["HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n[]", "HTTP/1.1 200 OK\r\n", ""] {
            assert_eq!(check(other), None, "{other:?}");
        }
    }
}
