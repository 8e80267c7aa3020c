//! The release itself: the policy is kept, the engine releases as the command line does, and the audit is shown check by check.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Form;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::progress::Progress;
use equanym_engine::run::audit::{AuditRequest, audit};
use equanym_engine::run::release::{ReleaseRequest, release};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::changes::back;
use crate::ask::Ask;
use crate::desk::{Desk, DeskRelease, Moment, Note, command, nothing_open};

#[derive(Deserialize)]
pub(super) struct Writing {
    #[serde(default)]
    out: String,
}

/// Begins a release.
pub(super) async fn write(State(desk): State<Arc<Desk>>, Form(asked): Form<Writing>) -> Response {
    match begin(&desk, asked.out.trim()) {
        Ok(()) => back("/release", None),
        Err(error) => back("/release", Some(desk.note(Note::Failed(error)))),
    }
}

fn begin(desk: &Arc<Desk>, out: &str) -> Result<()> {
    let now = desk.now().ok_or_else(nothing_open)?;
    let out = desk.folders.to_write(out)?;
    desk.keep(&now)?;
    // The policy has a file of its own from now on.
    let now = desk.now().ok_or_else(nothing_open)?;
    let key = format!("{}\n{}\n{}", now.table.number, out.display(), now.version.text);
    desk.set_released(key.clone());
    let mine = Arc::clone(desk);
    drop(desk.releasing.ask(key, move |progress| run(&mine, &now, out, progress)));
    Ok(())
}

fn run(desk: &Desk, now: &Moment, out: PathBuf, progress: Arc<dyn Progress>) -> Result<DeskRelease> {
    let (data, folder) = (now.table.live.data(), desk.folders.absolute(&out));
    // Read again as the command line reads it.
    let policy = Policy::load(&desk.folders.absolute(&now.policy))?;
    let heard = Arc::clone(&progress);
    let released = release(&ReleaseRequest {
        data,
        policy: &policy,
        out: &folder,
        folder: None,
        against: &[],
        cluster: None,
        resources: desk.resources(),
        show_values: false,
        progress,
    })?;
    let verdict = audit(&AuditRequest {
        public: &folder.join("public"),
        original: Some(data),
        reading: &policy.data,
        mask: Some(&folder.join("private/mask.json")),
        key: released.key.map(|key| folder.join(key)).as_deref(),
        known: &[],
        population: None,
        against: &[],
        progress: heard.as_ref(),
    })?;
    let (command, policy, text) = (command(now, &out), now.policy.clone(), now.version.text.clone());
    Ok(DeskRelease { folder, report: released.report, checks: verdict.checks, command, policy, text, out })
}

/// Stops a release that is being written.
pub(super) async fn stop(State(desk): State<Arc<Desk>>) -> Response {
    desk.releasing.forget();
    back("/release", Some(desk.note(Note::Done("Stopped; nothing was released.".to_owned()))))
}

/// A report of the last release. It was written to be read anywhere, so its style stands in it: that one style is let through.
pub(super) async fn report(State(desk): State<Arc<Desk>>, Path(which): Path<String>) -> Response {
    let path = match which.as_str() {
        "private" => "private/report.html",
        "public" => "public/report.html",
        "manifest" => "public/manifest.json",
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let Some(done) = last(&desk) else { return StatusCode::NOT_FOUND.into_response() };
    let Ok(text) = std::fs::read_to_string(done.folder.join(path)) else {
        return (StatusCode::NOT_FOUND, "The report is not there any more.\n").into_response();
    };
    let kind = if which == "manifest" { "application/json; charset=utf-8" } else { "text/html; charset=utf-8" };
    let rules = format!("default-src 'none'; style-src {}; frame-ancestors 'none'; sandbox", styles(&text));
    let mut response = ([(CONTENT_TYPE, kind)], text).into_response();
    if let Ok(rules) = HeaderValue::from_str(&rules) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, rules);
    }
    response
}

/// The release that was asked for last, if it is there.
pub(crate) fn last(desk: &Arc<Desk>) -> Option<Arc<DeskRelease>> {
    let key = desk.released()?;
    let ticket = desk.releasing.known(&key)?;
    ticket.ok()
}

/// The styles of a page, by their hashes.
fn styles(text: &str) -> String {
    let blocks = text.split("<style>").skip(1).filter_map(|rest| rest.split_once("</style>").map(|(style, _)| style));
    let hashes: Vec<String> =
        blocks.map(|style| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(style.as_bytes())))).collect();
    if hashes.is_empty() { "'none'".to_owned() } else { hashes.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_known_by_their_hashes() {
        assert_eq!(styles("<p>no style</p>"), "'none'");
        let found = styles("<style>a{}</style><style>b{}</style>");
        assert_eq!(found.matches("'sha256-").count(), 2);
    }
}
