//! What a scheduler tells over HTTP: which executors there are, and how many tasks of a job are done.
//!
//! One short request each, with a time limit; no answer is an answer, too.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::network::Scheduler;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How long an answer may be.
const MOST: u64 = 64 << 20;

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
pub async fn executors(scheduler: &Scheduler) -> Option<BTreeSet<String>> {
    let body = get(scheduler, "/api/executors").await?;
    let executors: Vec<Executor> = serde_json::from_slice(&body).ok()?;
    Some(executors.into_iter().map(|executor| executor.id).collect())
}

/// How many tasks of a job are done so far; none when nobody knows.
pub async fn tasks_done(scheduler: &Scheduler, job: &str) -> Option<usize> {
    let body = get(scheduler, &format!("/api/job/{job}/stages")).await?;
    let stages: Stages = serde_json::from_slice(&body).ok()?;
    let tasks = stages.stages.iter().flat_map(|stage| stage.tasks.iter().flatten());
    Some(tasks.filter(|task| task.finish_time > 0).count())
}

async fn get(scheduler: &Scheduler, path: &str) -> Option<Vec<u8>> {
    timeout(LIMIT, asked(scheduler, path)).await.ok()?.ok().and_then(|answer| body(&answer).map(<[u8]>::to_vec))
}

async fn asked(scheduler: &Scheduler, path: &str) -> std::io::Result<Vec<u8>> {
    let place = format!("{}:{}", scheduler.host, scheduler.port);
    let mut stream = TcpStream::connect(&place).await?;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {place}\r\nAccept: application/json\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(MOST).read_to_end(&mut answer).await?;
    Ok(answer)
}

/// What follows the headers of an answer that is no refusal.
fn body(answer: &[u8]) -> Option<&[u8]> {
    if !answer.starts_with(b"HTTP/1.1 200 ") {
        return None;
    }
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    answer.get(end + 4..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_follow_the_headers() {
        assert_eq!(body(b"HTTP/1.1 200 OK\r\na: b\r\n\r\n[]"), Some(&b"[]"[..]));
        for other in [&b"HTTP/1.1 404 Not Found\r\n\r\n[]"[..], b"HTTP/1.1 200 OK\r\n", b""] {
            assert_eq!(body(other), None);
        }
    }
}
