//! Tables by their path, tables and ladders that are handed over.
//!
//! What is handed over goes to the private folder piece by piece, and is refused once it is larger than it may be.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Form;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::response::Response;
use equanym_engine::error::{Error, Result};
use futures::StreamExt;
use serde::Deserialize;

use super::changes::back;
use crate::desk::table::Origin;
use crate::desk::{Desk, Note};
use crate::folders::Folders;

/// The most bytes of a table that is handed over; larger ones are opened by their path.
const MOST_TABLE: u64 = 2 << 30;

/// The most bytes of a ladder.
const MOST_LADDER: u64 = 64 << 20;

#[derive(Deserialize)]
pub(super) struct OpeningForm {
    #[serde(default)]
    path: String,
    #[serde(default)]
    hospital: String,
}

/// Opens a table by its path, or the made-up hospital.
pub(super) async fn open(State(desk): State<Arc<Desk>>, Form(asked): Form<OpeningForm>) -> Response {
    if !asked.hospital.is_empty() {
        desk.open(Origin::Hospital, None);
        return back("/table", None);
    }
    match desk.folders.to_read(asked.path.trim()) {
        Ok(path) => {
            desk.open(Origin::Path(path), None);
            back("/table", None)
        }
        Err(error) => back("/table", Some(desk.note(Note::Failed(error)))),
    }
}

#[derive(Deserialize)]
pub(super) struct UploadQuery {
    #[serde(default)]
    name: String,
    #[serde(default)]
    column: usize,
}

/// Takes a table.
pub(super) async fn table(State(desk): State<Arc<Desk>>, Query(named): Query<UploadQuery>, body: Body) -> Response {
    match take(&desk.folders, &named.name, body, MOST_TABLE).await {
        Ok(path) => {
            desk.open(Origin::Upload(path), None);
            back("/table", None)
        }
        Err(error) => back("/table", Some(desk.note(Note::Failed(error)))),
    }
}

/// Takes a ladder for a column.
pub(super) async fn ladder(State(desk): State<Arc<Desk>>, Query(named): Query<UploadQuery>, body: Body) -> Response {
    let page = format!("/columns/{}", named.column);
    let taken = take(&desk.folders, &named.name, body, MOST_LADDER).await;
    let changed = taken.and_then(|path| {
        let bytes = std::fs::read(&path).map_err(|error| Error::disk(&error));
        // It lies beside the policy from now on.
        desk.folders.forget(&path);
        let bytes = bytes?;
        desk.change(None, |now, edit| {
            let file = now.table.files.take(&named.name, &bytes)?;
            edit.ladder(now.table.column(named.column)?, Some(&format!("file = {}", toml_edit::Value::from(file))))
        })
    });
    match changed {
        Ok(()) => back(&page, Some(desk.note(Note::Done("The ladder is used.".to_owned())))),
        Err(error) => back(&page, Some(desk.note(Note::Failed(error)))),
    }
}

/// Takes a file; one that does not come whole leaves nothing.
async fn take(folders: &Folders, name: &str, body: Body, most: u64) -> Result<PathBuf> {
    let path = folders.upload(name)?;
    match write(&path, body, most).await {
        Ok(()) => Ok(path),
        Err(error) => {
            folders.forget(&path);
            Err(error)
        }
    }
}

async fn write(path: &Path, body: Body, most: u64) -> Result<()> {
    let mut file = std::fs::File::create_new(path).map_err(|error| Error::disk(&error))?;
    let mut stream = body.into_data_stream();
    let mut left = most;
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|_| Error::input("the file did not come through to its end").hint("try again"))?;
        let Some(rest) = left.checked_sub(piece.len() as u64) else {
            return Err(Error::input(format!("the file is larger than {} MiB", most >> 20))
                .hint("start the studio with its path instead"));
        };
        left = rest;
        file.write_all(&piece).map_err(|error| Error::disk(&error))?;
    }
    Ok(())
}
