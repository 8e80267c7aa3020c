//! Small files that are made and never overwritten.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use equanym_engine::error::{Error, Result};
use equanym_engine::write::list_leftover;

use crate::show;

/// Makes the file; one that exists is left alone.
pub fn create(path: &Path, text: &str) -> Result<()> {
    let mut file = File::create_new(path).map_err(|error| refused(path, &error))?;
    list_leftover(path, None);
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // A part of the file would be taken for the whole.
        let _ = fs::remove_file(path);
        refused(path, &error)
    })
}

/// Makes the folder where there is none.
pub fn folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
            Error::input(format!("{} is no folder", show::path(path))).hint("name a folder with --out")
        }
        _ => refused(path, &error),
    })
}

fn refused(path: &Path, error: &io::Error) -> Error {
    let name = show::path(path);
    match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::IsADirectory => {
            Error::input(format!("{name} exists already and is never overwritten")).hint("name another file with --out")
        }
        ErrorKind::NotFound => Error::input(format!("the folder of {name} does not exist")).hint("create it first"),
        kind => Error::environment(format!("{name} cannot be written: {kind}")),
    }
}
