//! Messages, compared whole with a file that a reviewer reads.
//!
//! A message is named by its test and its place in it. The file holds all of them in the order of their names; paths of
//! temporary folders are `DIR`. `EQUANYM_BLESS=1` writes what changed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;

/// What stands before a name.
const MARK: &str = "=== ";

thread_local! {
    /// How many messages each test has told so far.
    static TOLD: RefCell<BTreeMap<String, u32>> = const { RefCell::new(BTreeMap::new()) };
}

/// Compares a message with the one in the file.
#[track_caller]
pub fn compare(file: &Path, code: i32, message: &str, folder: &Path) {
    let name = name();
    let message = format!("exit {code}\n{}\n", message.replace(&folder.display().to_string(), "DIR").trim_end());
    let expected = sections(&std::fs::read_to_string(file).unwrap_or_default()).remove(&name);
    if expected.as_ref() == Some(&message) {
        return;
    }
    assert!(
        std::env::var_os("EQUANYM_BLESS").is_some(),
        "{name} says otherwise than {} (EQUANYM_BLESS=1 writes it anew)\n- {}\n+ {message}",
        file.display(),
        expected.as_deref().unwrap_or("nothing")
    );
    bless(file, name, message);
}

/// The test, and the place of the message in it.
fn name() -> String {
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main").expect("a test runs in a thread that has its name");
    let place = TOLD.with_borrow_mut(|told| {
        let place = told.entry(test.to_owned()).or_default();
        *place += 1;
        *place
    });
    format!("{test} {place:02}")
}

/// The messages of a file by their names.
fn sections(text: &str) -> BTreeMap<String, String> {
    let between = format!("\n{MARK}");
    let section = |text: &str| {
        let (name, message) = text.split_once('\n')?;
        Some((name.to_owned(), format!("{}\n", message.trim_end())))
    };
    text.strip_prefix(MARK).unwrap_or_default().split(&between).filter_map(section).collect()
}

/// Tests write side by side: each adds its own to what is there by then.
fn bless(path: &Path, name: String, message: String) {
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path).unwrap();
    file.lock().unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    let mut all = sections(&text);
    all.insert(name, message);
    let text: Vec<String> = all.iter().map(|(name, message)| format!("{MARK}{name}\n{message}")).collect();
    file.rewind().unwrap();
    file.set_len(0).unwrap();
    file.write_all(text.join("\n").as_bytes()).unwrap();
}
