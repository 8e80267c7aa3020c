//! The pages: what each of them asks of the desk.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::Markup;
use serde::Deserialize;

use crate::ask::Ask;
use crate::desk::{Answer, Desk, Moment};
use crate::pages::{self, BalanceAnswers, BestAnswers, LastRelease, Page, Sheet};

#[derive(Deserialize)]
pub(super) struct PageQuery {
    /// A message to show.
    note: Option<u64>,
    /// A release to look at beside the best.
    beside: Option<usize>,
    /// Whether plots are shown that take a while.
    #[serde(default)]
    plots: bool,
}

pub(super) async fn start() -> Redirect {
    Redirect::to(Page::Table.path())
}

fn finish(
    desk: &Desk,
    page: Page,
    now: Option<&Moment>,
    asked: &PageQuery,
    content: &Markup,
    is_waiting: bool,
) -> Response {
    let note = asked.note.and_then(|number| desk.told_note(number));
    let sheet = Sheet { page, now, note, out: desk.free_name("release", ""), is_waiting };
    Html(sheet.around(content).into_string()).into_response()
}

/// Pages that need a table lead to where one is opened.
#[allow(clippy::result_large_err)] // it is what the pages answer
fn now(desk: &Desk) -> Result<Moment, Response> {
    desk.now().ok_or_else(|| Redirect::to(Page::Table.path()).into_response())
}

pub(super) async fn table(State(desk): State<Arc<Desk>>, Query(asked): Query<PageQuery>) -> Response {
    let opening = desk.opening().map(|heard| heard.told());
    let now = desk.now();
    let is_waiting = opening.is_some();
    let content = pages::table(now.as_ref(), opening.as_deref(), desk.failure().as_ref(), &desk.folders.tables());
    finish(&desk, Page::Table, now.as_ref(), &asked, &content, is_waiting)
}

pub(super) async fn columns(
    State(desk): State<Arc<Desk>>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Response> {
    let now = now(&desk)?;
    let (best, ladders) = futures::future::join(desk.best(&now), desk.ladders(&now)).await;
    let content = pages::columns(&now, &best, &ladders);
    Ok(finish(&desk, Page::Columns, Some(&now), &asked, &content, waits(&best) || waits(&ladders)))
}

pub(super) async fn column(
    State(desk): State<Arc<Desk>>,
    Path(place): Path<usize>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Response> {
    let now = now(&desk)?;
    let (best, ladders) = futures::future::join(desk.best(&now), desk.ladders(&now)).await;
    let is_changed = now
        .table
        .column(place)
        .is_ok_and(|name| now.version.policy.variables.iter().any(|one| one.name == name && one.marked.is_some()));
    let changed = if is_changed { Some(desk.new_values(&now).await) } else { None };
    let content = pages::column(&now, place, &best, &ladders, &changed);
    let is_waiting = waits(&best) || waits(&ladders) || changed.as_ref().is_some_and(waits);
    Ok(finish(&desk, Page::Columns, Some(&now), &asked, &content, is_waiting))
}

pub(super) async fn safety(
    State(desk): State<Arc<Desk>>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Response> {
    let now = now(&desk)?;
    let best = desk.best(&now).await;
    let content = pages::safety(&now, &best);
    Ok(finish(&desk, Page::Safety, Some(&now), &asked, &content, waits(&best)))
}

pub(super) async fn best(State(desk): State<Arc<Desk>>, Query(asked): Query<PageQuery>) -> Result<Response, Response> {
    let now = now(&desk)?;
    let (best, ladders) = futures::future::join(desk.best(&now), desk.ladders(&now)).await;
    // What other levels cost comes when it is there; nobody waits for it.
    let prices = match &best {
        Answer::Here(found) if found.goes_on.is_none() => desk.prices(&now).await,
        Answer::Here(found) => Answer::Waiting(found.goes_on.clone().unwrap_or_default()),
        Answer::Failed(error) => Answer::Failed(error.clone()),
        Answer::Waiting(heard) => Answer::Waiting(Arc::clone(heard)),
    };
    let beside = match asked.beside.filter(|place| *place > 0) {
        Some(place) => Some((place, desk.beside(&now, place).await)),
        None => None,
    };
    let is_waiting =
        waits(&best) || waits(&ladders) || waits(&prices) || beside.as_ref().is_some_and(|(_, it)| waits(it));
    let is_waiting = is_waiting || matches!(&best, Answer::Here(found) if found.goes_on.is_some());
    let content = pages::best(&now, &BestAnswers { best, ladders, prices, beside });
    Ok(finish(&desk, Page::Best, Some(&now), &asked, &content, is_waiting))
}

pub(super) async fn balance(
    State(desk): State<Arc<Desk>>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Response> {
    let now = now(&desk)?;
    let shown = if now.version.policy.require_balance().is_ok() {
        let (balance, ladders) = futures::future::join(desk.balance(&now), desk.ladders(&now)).await;
        let safe = desk.safe(&now).await;
        Some(BalanceAnswers { balance, safe, ladders, plots: asked.plots })
    } else {
        None
    };
    let is_waiting = shown.as_ref().is_some_and(|it| waits(&it.balance) || waits(&it.safe) || waits(&it.ladders));
    let content = pages::balance(&now, shown.as_ref());
    Ok(finish(&desk, Page::Balance, Some(&now), &asked, &content, is_waiting))
}

pub(super) async fn map(State(desk): State<Arc<Desk>>, Query(asked): Query<PageQuery>) -> Result<Response, Response> {
    let now = now(&desk)?;
    let map = desk.map(&now).await;
    let content = pages::map(&map);
    Ok(finish(&desk, Page::Map, Some(&now), &asked, &content, waits(&map)))
}

pub(super) async fn release(
    State(desk): State<Arc<Desk>>,
    Query(asked): Query<PageQuery>,
) -> Result<Response, Response> {
    let now = now(&desk)?;
    let best = desk.best(&now).await;
    let last = match (desk.releasing.working(), desk.released()) {
        (Some(heard), _) => LastRelease::Working(heard),
        (None, Some(key)) => match desk.releasing.known(&key) {
            Some(Ok(done)) => LastRelease::Done(done),
            Some(Err(error)) => LastRelease::Failed(error),
            None => LastRelease::Nothing,
        },
        (None, None) => LastRelease::Nothing,
    };
    let is_waiting = waits(&best) || matches!(last, LastRelease::Working(_));
    let content = pages::release(&now, &best, &last, &desk.free_name("release", ""));
    Ok(finish(&desk, Page::Release, Some(&now), &asked, &content, is_waiting))
}

/// The policy as a file.
pub(super) async fn policy(State(desk): State<Arc<Desk>>) -> Result<Response, Response> {
    let now = now(&desk)?;
    let headers =
        [(CONTENT_TYPE, "text/plain; charset=utf-8"), (CONTENT_DISPOSITION, "attachment; filename=\"policy.toml\"")];
    Ok((headers, now.version.text.clone()).into_response())
}

fn waits<T>(answer: &Answer<T>) -> bool {
    matches!(answer, Answer::Waiting(_))
}
