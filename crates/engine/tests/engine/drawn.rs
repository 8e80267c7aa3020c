//! Releases that are drawn at random: what they promise, what they tell, and what is refused.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::releasing::{contents, policy, reversed};
use crate::requests;
use crate::stage::Stage;
use equanym_core::card::Value;
use equanym_engine::error::Result;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::alternatives::alternatives;
use equanym_engine::run::sql::sql;

const MODEL: &str = "[[privacy]]\nmodel = \"differential-privacy\"\nepsilon = 1.0\ndelta = 0.001\n";
const SEEDED: &str = "acknowledge_seed = true\n[method]\nseed = 7\n";

/// 1,237 people: many in two towns, some in a third, and one who is the only one in hers.
fn people() -> String {
    let mut text = "id,town,age\n".to_owned();
    for person in 0..1_236_usize {
        let town = if person % 60 == 0 { "Cby" } else { ["Aby", "Bby"][person % 2] };
        writeln!(text, "{person},{town},{}", 20 + person % 40).unwrap();
    }
    text + "9999,Dby,77\n"
}

fn columns(town: &str, age: &str) -> String {
    format!(
        "[variables.id]\nrole = \"identifying\"\n[variables.town]\nrole = \"quasi-identifying\"\n{town}\n\
         [variables.age]\nrole = \"quasi-identifying\"\nhierarchy = {{ intervals = [10, 20] }}\n{age}\n"
    )
}

fn fixed() -> String {
    columns("levels = { min = 0, max = 0 }", "levels = { min = 2, max = 2 }")
}

fn release(stage: &Stage, text: &str, out: &str, threads: usize) -> Result<FinishedRelease> {
    stage.release_on(threads, &policy(text), out)
}

fn public(stage: &Stage, out: &str) -> String {
    let files = contents(&stage.path(out).join("public"));
    files.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

fn data(stage: &Stage, out: &str) -> Vec<String> {
    stage.released(out).lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_sample_is_released_and_nothing_else_is_told() {
    let stage = Stage::with(people());
    let text = fixed() + MODEL;
    let released = release(&stage, &text, "out", 2).unwrap();
    let report = &released.report;
    let k = match report.privacy[0].parameters.get("k") {
        Some(Value::Integer(k)) => u64::try_from(*k).unwrap(),
        other => panic!("{other:?}"),
    };
    assert!(k > 30 && report.by_records.classes.min >= k, "{report:?}");
    assert!(report.privacy[0].holds && report.records == 1_237 && report.released + report.suppressed == 1_237);
    // Two thirds of the people, with five standard deviations to spare, and nobody of the towns with few.
    assert!((600..900).contains(&report.released), "{}", report.released);
    let (records, public) = (data(&stage, "out"), public(&stage, "out"));
    assert_eq!(records.len() as u64, report.released);
    assert!(!public.contains("Cby") && !public.contains("Dby") && records.is_sorted());
    let suppressed = report.suppressed.to_string();
    assert!(
        !public.contains("1,237") && !public.contains("1237") && !public.contains("\"suppressed\""),
        "{suppressed}"
    );
    for word in ["drawn at random", "Epsilon, 1 in all", "Delta, 0.001", "add up", "\"epsilon\": 1.0"] {
        assert!(public.contains(word), "{word}");
    }
    assert!(!public.contains("is void"));
    stage.audit("out");
    let again: BTreeSet<Vec<String>> = (0..4)
        .map(|number| {
            release(&stage, &text, &number.to_string(), 1).unwrap();
            data(&stage, &number.to_string())
        })
        .collect();
    assert!(again.len() > 1, "each run draws anew");
}

#[test]
fn a_seed_repeats_the_draw_and_voids_the_promise() {
    let stage = Stage::with(people());
    let text = fixed() + MODEL + SEEDED;
    let released = release(&stage, &text, "one", 1).unwrap();
    assert!(!released.report.privacy[0].holds);
    let backwards = Stage::with(reversed(&people()));
    release(&backwards, &text, "one", 2).unwrap();
    assert_eq!(contents(&stage.path("one").join("public")), contents(&backwards.path("one").join("public")));
    let public = public(&stage, "one");
    assert!(
        public.contains("The promise is void") && public.contains("\"seeded\": true") && public.contains("is void")
    );
    stage.audit("one");
    let mut by_flag = policy(&(fixed() + MODEL));
    by_flag.method.seed = Some(7);
    stage.refusal(&by_flag);
}

#[test]
fn a_stricter_class_size_goes_with_a_sample() {
    let strict = policy(&(fixed() + MODEL + "[[privacy]]\nmodel = \"k-anonymity\"\nk = 200\n"));
    assert!(strict.method.suppression_limit >= 1.0);
}

#[test]
fn a_person_counts_once_whatever_they_left_behind() {
    // One person has 400 records in a town of their own, another 300 among others.
    let mut csv = people().replace("9999,Dby,77\n", "");
    (0..400).for_each(|_| csv.push_str("loud,Dby,25\n"));
    (0..300).for_each(|_| csv.push_str("busy,Aby,25\n"));
    let stage = Stage::with(&csv);
    let text = format!("[data]\nperson = \"id\"\n{}{MODEL}", fixed());
    let released = release(&stage, &text, "out", 2).unwrap();
    let report = &released.report;
    assert_eq!((report.records, report.persons), (1_936, Some(1_238)));
    assert!(!public(&stage, "out").contains("Dby") && report.released < 1_000, "{}", report.released);
    assert_eq!(report.privacy[0].unit, Some("people"));
    stage.audit("out");
    let seeded = text + SEEDED;
    release(&stage, &seeded, "one", 1).unwrap();
    let backwards = Stage::with(reversed(&csv));
    release(&backwards, &seeded, "one", 2).unwrap();
    assert_eq!(data(&stage, "one"), data(&backwards, "one"));
}

#[test]
fn levels_are_drawn_within_their_bounds() {
    let stage = Stage::with(people());
    let text = columns("", "levels = { min = 1, max = 3 }") + MODEL + "epsilon_search = 2.0\n";
    let released = release(&stage, &text, "out", 2).unwrap();
    let node = &released.report.node.0;
    assert!(node[0].1 <= 1 && (1..=3).contains(&node[1].1), "{node:?}");
    // Towns as collected are worth most by far: what is else is too rare to be met.
    assert_eq!(node[0].1, 0);
    let public = public(&stage, "out");
    assert!(public.contains("\"epsilon_search\": 2.0") && public.contains("Epsilon, 3 in all"));
    stage.audit("out");
}

#[test]
fn ladders_must_not_depend_on_what_occurs() {
    let stage = Stage::with(people());
    let groups = |members: &str| {
        let town = format!("hierarchy = {{ groups = [{{ All = [{members}] }}] }}\nlevels = {{ min = 1, max = 1 }}");
        columns(&town, "levels = { min = 2, max = 2 }") + MODEL
    };
    let refused = stage.refusal(&policy(&groups("\"Aby\", \"Bby\", \"Cby\"")));
    assert!(!refused.to_string().contains("Dby"));
    let listed = release(&stage, &groups("\"Aby\", \"Bby\", \"Cby\", \"Dby\", \"Eby\""), "out", 1).unwrap();
    assert!(listed.report.released > 600);
}

#[test]
fn how_the_input_was_written_does_not_show() {
    let semicolons = people().replace(',', ";").replace("Dby", "D\u{e9}by");
    let (stage, other) = (Stage::with(""), Stage::with(people()));
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&semicolons);
    stage.write("data.csv", bytes);
    let text = fixed() + MODEL + SEEDED;
    release(&stage, &format!("[data]\nencoding = \"windows-1252\"\n{text}"), "out", 1).unwrap();
    release(&other, &text, "out", 1).unwrap();
    assert_eq!(contents(&stage.path("out").join("public")), contents(&other.path("out").join("public")));
}

#[test]
fn nothing_looks_at_the_table_once_more() {
    let stage = Stage::with(people());
    let (data, asked) = (stage.data(), policy(&(fixed() + MODEL)));
    release(&stage, &(fixed() + MODEL), "out", 1).unwrap();
    stage.refused(alternatives(&requests::alternatives(&data, &asked, 3)));
    stage.refused(sql(&requests::sql(&data, &asked, "duckdb")));
    stage.refused(stage.apply("out", "data.csv", "again"));
    let mut chosen = asked;
    chosen.method.choose = Some(2);
    stage.refusal(&chosen);
    assert!(!stage.path("again").exists() && !stage.path("chosen").exists());
}
