//! What a scheduler tells on its pages of status: which executors there are, and how many tasks of a job are done.
//!
//! One short request each, with a time limit; no answer is an answer, too.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::time::Duration;

use axum::http::{Request, StatusCode};
use bytes::Bytes;
use equanym_engine::error::Error;
use http_body_util::{BodyExt, Limited};
use serde::Deserialize;
use tokio::time::timeout;
use tonic::body::Body;
use tonic::client::GrpcService;

use super::door::unknown_secret;
use super::reach::Reach;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How many bytes an answer may have.
const MOST: usize = 64 << 20;

/// Why there is no answer.
pub(super) enum NoAnswer {
    /// Nobody is there, or nothing sensible is said.
    Silent,
    /// We are not let in.
    Shut(Error),
}

#[derive(Deserialize)]
struct Executor {
    id: String,
}

#[derive(Deserialize)]
struct JobStages {
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

/// The executors that the scheduler counts on.
pub(super) async fn executors(reach: &Reach) -> Result<BTreeSet<String>, NoAnswer> {
    let Some(body) = timeout(LIMIT, ask(reach, "/api/executors")).await.unwrap_or(Err(NoAnswer::Silent))? else {
        return Err(NoAnswer::Silent);
    };
    listed(&body).ok_or(NoAnswer::Silent)
}

fn listed(body: &[u8]) -> Option<BTreeSet<String>> {
    let executors: Vec<Executor> = serde_json::from_slice(body).ok()?;
    Some(executors.into_iter().map(|executor| executor.id).collect())
}

/// How many tasks of a job are done so far; none when nobody knows.
pub(super) async fn tasks_done(reach: &Reach, job: &str) -> Option<usize> {
    let body = timeout(LIMIT, ask(reach, &format!("/api/job/{job}/stages"))).await.ok()?.ok()??;
    let stages: JobStages = serde_json::from_slice(&body).ok()?;
    let tasks = stages.stages.iter().flat_map(|stage| stage.tasks.iter().flatten());
    Some(tasks.filter(|task| task.finish_time > 0).count())
}

/// The body of a good answer; none for another.
async fn ask(reach: &Reach, path: &str) -> Result<Option<Bytes>, NoAnswer> {
    let mut channel = reach.channel();
    let request = Request::get(path).body(Body::empty()).map_err(|_| NoAnswer::Silent)?;
    let ready = poll_fn(|context| GrpcService::<Body>::poll_ready(&mut channel, context)).await;
    let answer = match ready {
        Ok(()) => GrpcService::call(&mut channel, request).await,
        Err(error) => Err(error),
    };
    let Ok(answer) = answer else { return Err(shut(reach).await) };
    if answer.headers().contains_key("grpc-status") {
        return Err(NoAnswer::Shut(unknown_secret(&format!("the scheduler at {}", reach.scheduler.url()))));
    }
    if answer.status() != StatusCode::OK {
        return Ok(None);
    }
    Ok(Limited::new(answer.into_body(), MOST).collect().await.ok().map(http_body_util::Collected::to_bytes))
}

async fn shut(reach: &Reach) -> NoAnswer {
    let found = reach.door.knock(&reach.scheduler.host, reach.scheduler.port).await;
    found.map_or(NoAnswer::Silent, NoAnswer::Shut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_good_answers_are_understood() {
        assert_eq!(listed(b"[{\"id\":\"a\",\"more\":1}]"), Some(BTreeSet::from(["a".to_owned()])));
        assert_eq!(listed(b"[]"), Some(BTreeSet::new()));
        for other in ["", "{}", "[{}]", "[{\"id\":1}]", "[{\"id\":\"a\"}"] {
            assert_eq!(listed(other.as_bytes()), None, "{other:?}");
        }
    }
}
