//! Treatments through the doors of the engine: what a stranger can do with tokens, what stays of times, who has the key.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use equanym_core::hierarchy::DateFormat;
use equanym_engine::error::Result;
use equanym_engine::mask::StoredMask;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::apply;
use equanym_engine::run::audit::{AuditRequest, audit};
use equanym_engine::run::release::{ReleaseRequest, release};
use sha2::{Digest, Sha256};

use crate::releasing::{contents, mask_of, policy, run, write_key};
use crate::requests;
use crate::stage::{Stage, refused};

/// Ids are four digits: anybody can list them all.
const SPACE: u32 = 10_000;

const POLICY: &str = r#"
[data]
person = "id"
[variables.id]
role = "pseudonym"
[variables.town]
role = "quasi-identifying"
[variables.came]
role = "insensitive"
shift = { days = 180, by = "id" }
[variables.went]
role = "insensitive"
shift = { days = 180, by = "id", format = "DD.MM.YYYY" }
[variables.cost]
role = "insensitive"
round = 10
top = 500
[[privacy]]
model = "k-anonymity"
k = 5
[output]
order = "input"
"#;

/// A table of people who come twice, and their days as numbers.
fn visits(people: impl Iterator<Item = u32>) -> (String, Vec<(String, i64, i64)>) {
    let (mut text, mut days) = ("id,town,came,went,cost\n".to_owned(), Vec::new());
    let day = |days: i64, format: DateFormat| format.write(equanym_core::hierarchy::Date::of_days(days).unwrap());
    for person in people {
        for visit in 0..2_i64 {
            let came = 18_000 + i64::from(person % 700) + 100 * visit;
            let went = came + i64::from(person % 9);
            let (id, town) = (format!("{person:04}"), ["Nordby", "Sydby"][(person % 2) as usize]);
            let (written, left) = (day(came, DateFormat::Iso), day(went, DateFormat::Dotted));
            writeln!(text, "{id},{town},{written},{left},{}", person % 900).unwrap();
            days.push((id, came, went));
        }
    }
    (text, days)
}

fn visit(stage: &Stage, out: &str, key: Option<&Path>) -> Result<FinishedRelease> {
    let mut policy = policy(POLICY);
    policy.key = key.map(Path::to_owned);
    stage.release(&policy, out)
}

/// The cells of a released column.
fn column(stage: &Stage, out: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_path(stage.path(out).join("public/data.csv")).unwrap();
    let place = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|record| record.unwrap()[place].to_owned()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

#[test]
fn without_the_key_no_token_comes_of_any_id() {
    let (table, days) = visits((0..SPACE).step_by(23));
    let stage = Stage::with(&table);
    visit(&stage, "one", None).unwrap();
    let tokens: BTreeSet<String> = column(&stage, "one", "id").into_iter().collect();
    assert_eq!(tokens.len() * 2, days.len());
    let bare: BTreeSet<&str> = tokens.iter().map(|token| &token[1..]).collect();
    assert!(bare.iter().all(|token| token.len() == 32));
    let word = |text: &str| [&(text.len() as u64).to_be_bytes()[..], text.as_bytes()].concat();
    for id in (0..SPACE).map(|id| format!("{id:04}")) {
        let guesses = [
            id.clone().into_bytes(),
            format!("id{id}").into_bytes(),
            format!("pseudonymid{id}").into_bytes(),
            [word("pseudonym"), word("id"), word(&id)].concat(),
        ];
        for guess in guesses {
            let hash = hex(&Sha256::digest(&guess));
            assert!(!bare.contains(&hash[..32]) && !bare.contains(&hash[32..]), "{id}");
        }
    }

    // The whole space of ids under two other keys, one of them as bad as can be.
    let (everybody, _) = visits(0..SPACE);
    stage.write("data.csv", everybody);
    let zeros = stage.path("zeros");
    write_key(&zeros, &"00".repeat(32));
    visit(&stage, "zeros-out", Some(&zeros)).unwrap();
    visit(&stage, "fresh", None).unwrap();
    for other in ["zeros-out", "fresh"] {
        let others: BTreeSet<String> = column(&stage, other, "id").into_iter().collect();
        assert_eq!((others.len(), others.intersection(&tokens).count()), (SPACE as usize, 0), "{other}");
    }

    // With it, everybody of the first release is found again, and nobody else has such a token.
    let key = stage.path("one/private/key");
    visit(&stage, "two", Some(&key)).unwrap();
    let again: BTreeMap<String, String> =
        (0..SPACE).flat_map(|id| [id, id]).map(|id| format!("{id:04}")).zip(column(&stage, "two", "id")).collect();
    let found: BTreeSet<&String> = (0..SPACE).step_by(23).map(|id| &again[&format!("{id:04}")]).collect();
    assert_eq!(found, tokens.iter().collect());
    assert!(!stage.path("two/private/key").exists());
}

#[test]
fn times_of_a_person_stay_and_offsets_are_equal_by_chance_only() {
    let people = 3000_u32;
    let (table, days) = visits(0..people);
    let stage = Stage::with(&table);
    let key = stage.path("key");
    write_key(&key, &"5a".repeat(32));
    visit(&stage, "out", Some(&key)).unwrap();
    let read = |name: &str, format: DateFormat| -> Vec<i64> {
        let cells = column(&stage, "out", name);
        cells.iter().map(|cell| format.read_day(cell).unwrap().days()).collect()
    };
    let (came, went) = (read("came", DateFormat::Iso), read("went", DateFormat::Dotted));
    let mut offsets = BTreeMap::<String, i64>::new();
    for ((id, before, left), (after, gone)) in days.iter().zip(came.iter().zip(&went)) {
        let offset = after - before;
        assert_eq!(gone - left, offset, "another offset in the other column");
        assert_eq!(*offsets.entry(id.clone()).or_insert(offset), offset, "another offset for the same person");
        assert!(offset.abs() <= 180);
    }
    // Pairs of people with one offset: as many as chance makes of 361 offsets, within four standard deviations.
    let mut counts = BTreeMap::<i64, f64>::new();
    for offset in offsets.values() {
        *counts.entry(*offset).or_default() += 1.0;
    }
    let pairs = f64::from(people) * f64::from(people - 1) / 2.0;
    let (expected, found) = (pairs / 361.0, counts.values().map(|count| count * (count - 1.0) / 2.0).sum::<f64>());
    let deviation = (pairs / 361.0 * (1.0 - 1.0 / 361.0)).sqrt();
    assert!((found - expected).abs() < 4.0 * deviation, "{found} pairs, {expected} expected");
    // Chi-square with 360 degrees of freedom: above 447 once in a thousand keys; the key is fixed.
    let each = f64::from(people) / 361.0;
    let chi_square: f64 = (-180..=180).map(|one| (counts.get(&one).unwrap_or(&0.0) - each).powi(2) / each).sum();
    assert!(chi_square < 447.0, "{chi_square}");
    // Neighbours by id are no neighbours by offset.
    let values: Vec<i64> = offsets.values().copied().collect();
    let close = values.windows(2).filter(|pair| (pair[0] - pair[1]).abs() <= 1).count();
    assert!((10..50).contains(&close), "{close} of 25 expected");
}

#[test]
fn the_key_is_in_one_file_and_nowhere_else() {
    let stage = Stage::with(&visits(0..40).0);
    let made = visit(&stage, "out", None).unwrap();
    assert_eq!(made.key, Some("private/key"));
    let digits = stage.read("out/private/key");
    assert_eq!((digits.len(), digits.ends_with('\n')), (65, true));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(stage.path("out/private/key")).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let bytes: Vec<u8> =
        (0..32).map(|place| u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).unwrap()).collect();
    for (path, content) in contents(stage.folder()).iter().filter(|(path, _)| !path.ends_with("private/key")) {
        let has = |part: &[u8]| content.windows(part.len()).any(|window| window == part);
        assert!(!has(&digits.as_bytes()[..16]) && !has(&bytes[..8]), "{}", path.display());
    }
    stage.audit_read(&policy(POLICY).data, "out");
}

#[test]
fn the_same_key_gives_the_same_bytes_at_any_number_of_threads() {
    let stage = Stage::with(&visits(0..300).0);
    let key = stage.path("key");
    write_key(&key, &"c3".repeat(40));
    let mut asked = policy(&POLICY.replace("order = \"input\"", ""));
    asked.key = Some(key);
    for threads in [1, 4] {
        stage.release_on(threads, &asked, &format!("out{threads}")).unwrap();
    }
    assert_eq!(contents(&stage.path("out1")), contents(&stage.path("out4")));
}

fn apply(stage: &Stage, out: &str, key: Option<&Path>) -> Result<FinishedRelease> {
    let stored = StoredMask { key: key.map(Path::to_owned), ..mask_of(&stage.path("first")) };
    apply::apply(requests::apply(&stage.data(), stored, &stage.path(out)))
}

#[test]
fn a_mask_is_applied_with_the_same_key_or_says_that_nothing_matches() {
    let stage = Stage::with(&visits(0..60).0);
    visit(&stage, "first", None).unwrap();
    let key = stage.path("first/private/key");
    let of_key = |released: &FinishedRelease| {
        released.report.checklist.warnings().iter().any(|one| one.contains("do not match"))
    };
    let same = apply(&stage, "same", Some(&key)).unwrap();
    assert!(!of_key(&same) && same.key.is_none());
    assert_eq!(column(&stage, "same", "id"), column(&stage, "first", "id"));
    assert_eq!(column(&stage, "same", "came"), column(&stage, "first", "came"));
    let fresh = apply(&stage, "fresh", None).unwrap();
    assert!(of_key(&fresh) && fresh.key.is_some());
    assert_ne!(column(&stage, "fresh", "id"), column(&stage, "first", "id"));
    let other = apply(&stage, "other", Some(&stage.path("fresh/private/key"))).unwrap();
    assert!(of_key(&other));
    assert_eq!(column(&stage, "other", "id"), column(&stage, "fresh", "id"));
    for out in ["same", "fresh"] {
        let data = stage.data();
        let key = if out == "same" { &key } else { &stage.path("fresh/private/key") };
        assert_eq!(failures(&data, &stage.path(out), Some(key)), [""; 0]);
    }
}

/// The checks that fail with the original, the mask and a key.
fn failures(data: &Path, out: &Path, key: Option<&Path>) -> Vec<&'static str> {
    let (public, mask) = (out.join("public"), out.join("private/mask.json"));
    let (original, mask, reading) = (Some(data), Some(mask.as_path()), &policy(POLICY).data);
    audit(&AuditRequest { original, reading, mask, key, ..requests::audit(&public) })
        .unwrap()
        .failures()
        .map(|check| check.name)
        .collect()
}

#[test]
fn an_audit_with_the_key_sees_what_became_of_each_id_and_date() {
    let stage = Stage::with(&visits(0..60).0);
    visit(&stage, "out", None).unwrap();
    visit(&stage, "other", None).unwrap();
    let (data, out) = (stage.data(), stage.path("out"));
    let keys = ["out", "other"].map(|out| stage.path(out).join("private/key"));
    assert_eq!(failures(&data, &out, Some(&keys[0])), [""; 0]);
    assert_eq!(failures(&data, &out, Some(&keys[1])), ["key"]);
    // Another original: a day, an id or a cost that is not the one it was.
    let table = fs::read_to_string(&data).unwrap();
    for (old, new) in [("0007,", "0008,"), (",7\n", ",8\n"), (",7\n", ",70\n")] {
        assert!(table.contains(old));
        fs::write(&data, table.replacen(old, new, 1)).unwrap();
        let expected: &[&str] = if new == ",8\n" { &[] } else { &["original-rebuilt"] };
        assert_eq!(failures(&data, &out, Some(&keys[0])), expected, "{new:?}");
    }
}

#[test]
fn records_without_an_id_keep_no_date() {
    let (mut table, _) = visits(0..30);
    table = table.replace("\n0004,", "\n,").replace("\n0005,", "\n \u{200b},");
    let stage = Stage::with(&table);
    let unnamed = policy(
        &POLICY.replace("[data]\nperson = \"id\"\n", "").replace("role = \"pseudonym\"", "role = \"identifying\""),
    );
    let released = stage.release(&unnamed, "out").unwrap();
    let came = column(&stage, "out", "came");
    let empty: Vec<usize> = (0..came.len()).filter(|&record| came[record].is_empty()).collect();
    assert_eq!(empty, [8, 9, 10, 11]);
    let warned = |name: &str| {
        let start = format!("column `{name}`: 4 values became missing");
        released.report.checklist.warnings().iter().any(|warning| warning.starts_with(&start))
    };
    assert!(warned("came") && warned("went"), "{:?}", released.report.checklist.warnings());
    // A person must have an id.
    stage.refused(visit(&stage, "person", None));
}

#[test]
fn linked_records_are_counted_and_told() {
    // Everybody has a trail of two towns; one of them has it alone.
    let mut table = "id,town,came,went,cost\n".to_owned();
    for person in 0..20 {
        let towns =
            if person == 7 { ["Nordby", "Sydby"] } else { [["Nordby", "Nordby"], ["Sydby", "Sydby"]][person % 2] };
        for town in towns {
            writeln!(table, "P{person},{town},,,1").unwrap();
        }
    }
    let stage = Stage::with(&table);
    for method in ["global-recoding", "mondrian"] {
        let asked = policy(&format!("{POLICY}[method]\nname = \"{method}\"\n"));
        let released = stage.release(&asked, method).unwrap();
        let found = released
            .report
            .checklist
            .warnings()
            .into_iter()
            .find(|warning| warning.contains("`id`: its tokens"))
            .unwrap();
        assert!(found.contains("; 1 of 20 people are the only ones"), "{method}: {found}");
        stage.audit_read(&asked.data, method);
    }
}

#[test]
fn dates_that_stay_beside_dates_that_move_are_told() {
    let stage = Stage::with(&visits(0..60).0);
    let warned = |ladder: &str, out: &str| {
        let went = "role = \"insensitive\"\nshift = { days = 180, by = \"id\", format = \"DD.MM.YYYY\" }";
        assert!(POLICY.contains(went));
        let text = POLICY.replace(went, &format!("role = \"quasi-identifying\"\n{ladder}"));
        let released = stage.release(&policy(&text), out).unwrap();
        released
            .report
            .checklist
            .warnings()
            .iter()
            .any(|warning| warning.contains("`went` holds dates that do not move"))
    };
    let ladder = "hierarchy = { date = [\"decade\"], format = \"DD.MM.YYYY\" }";
    assert!(warned(ladder, "still"));
    assert!(!warned(&format!("{ladder}\nshift = {{ days = 180, by = \"id\" }}"), "moved"));
}

#[test]
fn what_shares_a_token_counts_as_one_person() {
    let stage = Stage::with("id,town\nA,Nordby\nA,Nordby\nA,Nordby\nB,Sydby\nC,Sydby\n");
    let asked = policy(
        "[variables.id]\nrole = \"pseudonym\"\n[variables.town]\nrole = \"quasi-identifying\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n",
    );
    assert_eq!(asked.person.as_deref(), Some("id"));
    let released = stage.release(&asked, "out").unwrap();
    assert_eq!(released.report.persons, Some(3));
    assert_eq!(released.report.node.0, [("town".to_owned(), 1)]);
}

/// Somebody who came since the last release stands out, whether tokens tell who it is or not.
#[test]
fn earlier_releases_are_compared_whatever_the_key() {
    let asked = "[variables.id]\nrole = \"pseudonym\"\n[variables.town]\nrole = \"quasi-identifying\"\n[variables.note]\nrole = \
                 \"insensitive\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";
    let table =
        |people: u32| (0..people).fold("id,town,note\n".to_owned(), |text, id| text + &format!("P{id},Nordby,n{id}\n"));
    let stage = Stage::with(table(40));
    let [data, first] = ["data.csv", "first"].map(|name| stage.path(name));
    run(&data, &policy(asked), &first, 2).unwrap();
    let again = |people: u32, key: Option<&str>| {
        fs::write(&data, table(people)).unwrap();
        let mut asked = policy(asked);
        asked.key = key.map(|key| stage.path(key));
        let out = stage.path(format!("out-{people}-{}", key.is_some()));
        release(&ReleaseRequest { against: &[first.join("public")], ..requests::release(&data, &asked, &out) })
    };
    for key in [None, Some("first/private/key")] {
        refused(again(41, key), stage.folder());
        again(40, key).unwrap();
    }
}

#[test]
fn a_key_without_a_use_or_a_file_is_refused() {
    let stage = Stage::with("town\nNordby\nNordby\n");
    let mut asked =
        policy("[variables.town]\nrole = \"quasi-identifying\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n");
    asked.key = Some(stage.path("absent"));
    stage.refusal(&asked);
    let stage = Stage::with(&visits(0..20).0);
    let error = visit(&stage, "out", Some(Path::new("absent"))).unwrap_err();
    assert_eq!((error.exit_code(), stage.path("out").exists()), (2, false), "{error}");
}
