//! A JSON object a line.

use super::run::{CANARY, IDENTIFYING, PAIRS, QUASI, Stage, policy};

fn stage(lines: &[String]) -> Stage {
    let stage = Stage::with("", &policy(&[("name", IDENTIFYING), ("v", QUASI)], PAIRS));
    stage.write("data.ndjson", lines.join("\n"));
    stage
}

fn good() -> String {
    format!("{{\"name\": \"{CANARY}\", \"v\": \"a\"}}")
}

#[test]
fn ndjson_with_one_bad_line() {
    let bad = format!("{{\"name\": \"{CANARY}\", \"v\": {CANARY}}}");
    stage(&[good(), good(), bad, good()]).release("data.ndjson", &[]).refused(2);
    stage(&[good(), good()]).release("data.ndjson", &[]).released();
}

/// A table is flat: the first nested value is refused where it opens, so the depth that is walked is one.
#[test]
fn nesting_of_100_000() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}\"{CANARY}\"{}", open.repeat(100_000), close.repeat(100_000));
        let bad = format!("{{\"name\": \"{CANARY}\", \"v\": {deep}}}");
        stage(&[good(), bad.clone()]).release("data.ndjson", &[]).refused(2);
        stage(&[bad]).release("data.ndjson", &[]).refused(2);
    }
    stage(&["[".repeat(100_000)]).release("data.ndjson", &[]).refused(2);
}
