//! `examples/hospital` is the hospital that `equanym demo` shows.

use std::fs;
use std::path::Path;

use equanym_engine::run::demo::{HIERARCHIES, POLICY, RECORDS, SEED, write_csv};

/// `EQUANYM_BLESS=1` writes the files instead: for whoever changes the hospital on purpose.
#[test]
fn the_example_is_what_the_program_shows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hospital");
    let table = write_csv(RECORDS, SEED);
    let files = [("admissions.csv", table.as_str()), ("policy.toml", POLICY)];
    for (name, text) in files.into_iter().chain(HIERARCHIES.iter().copied()) {
        let path = folder.join(name);
        if std::env::var_os("EQUANYM_BLESS").is_some() {
            fs::write(&path, text).unwrap();
        }
        assert!(fs::read_to_string(&path).unwrap() == text, "examples/hospital/{name} differs from what is shown");
    }
}
