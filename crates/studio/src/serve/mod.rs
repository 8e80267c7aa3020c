//! What is asked of the studio, and by what it is answered.
//!
//! Pages are asked for by GET and change nothing. Changes come by POST and lead back to the page that they were made on, so that
//! the back button and a reload do what people expect. The script asks in the same way and takes the parts it needs.

mod assets;
mod changes;
mod events;
mod pages;
pub(crate) mod releasing;
mod uploads;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::desk::Desk;
use crate::door::{self, Door};

/// The most bytes of a form.
const MOST_FORM: usize = 2 << 20;

/// Everything behind the door.
pub(crate) fn router(desk: &Arc<Desk>, door: &Arc<Door>) -> Router {
    Router::new()
        .route("/", get(pages::start))
        .route("/table", get(pages::table))
        .route("/columns", get(pages::columns))
        .route("/columns/{place}", get(pages::column))
        .route("/safety", get(pages::safety))
        .route("/best", get(pages::best))
        .route("/balance", get(pages::balance))
        .route("/map", get(pages::map))
        .route("/release", get(pages::release))
        .route("/policy.toml", get(pages::policy))
        .route("/report/{which}", get(releasing::report))
        .route("/assets/{name}", get(assets::asset))
        .route("/events", get(events::events))
        .route("/open", post(uploads::open))
        .route("/edit", post(changes::edit))
        .route("/undo", post(changes::undo))
        .route("/redo", post(changes::redo))
        .route("/keep", post(changes::keep))
        .route("/stop", post(releasing::stop))
        .route("/write", post(releasing::write))
        .layer(DefaultBodyLimit::max(MOST_FORM))
        // Files are counted as they come in.
        .route("/upload", post(uploads::table))
        .route("/ladder", post(uploads::ladder))
        .fallback(|| async { (StatusCode::NOT_FOUND, "There is no such page.\n") })
        .with_state(Arc::clone(desk))
        .layer(from_fn_with_state(Arc::clone(door), door::guard))
}
