//! What somebody learns who has the public folder and the source code, besides what is released.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use equanym_engine::error::{Error, Kind};
use equanym_engine::policy::Policy;
use equanym_engine::run::release::{ReleaseRequest, release};
use equanym_engine::run::{FinishedRelease, demo};
use tempfile::tempdir;

use crate::releasing::{contents, policy};
use crate::requests;
use crate::stage::Stage;

const POLICY: &str = r#"
[variables.ward]
role = "quasi-identifying"
[variables.positive]
role = "quasi-identifying"
levels = { min = 1, max = 1 }
[variables.diagnosis]
role = "sensitive"
[[privacy]]
model = "k-anonymity"
k = 5
"#;

/// So many records, of which so many are positive; one ward is too small to be released.
fn wards(records: usize, positive: usize) -> String {
    let record = |number: usize| {
        let ward = if number < 3 { "small" } else { ["east", "west", "north"][number % 3] };
        format!("{ward},{},D{}\n", u8::from(number * 7 % records < positive), number % 4)
    };
    (0..records).map(record).fold("ward,positive,diagnosis\n".to_owned(), |text, line| text + &line)
}

fn public(records: usize, positive: usize, method: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let data = Stage::with(wards(records, positive));
    data.release(&policy(&format!("{POLICY}{method}")), "out").unwrap();
    contents(&data.path("out/public"))
}

/// The loss of a release depends on the counts of what is released as `*`, so a published loss can be solved for them. No
/// public byte may therefore depend on such a column, whatever the size of the table, the loss and the search.
#[test]
fn what_is_released_as_a_star_leaves_no_trace_in_any_public_byte() {
    for loss in ["non-uniform-entropy", "discernibility-star", "iyengar", "precision"] {
        for search in ["optimal", "ola", "datafly"] {
            let method = format!("[method]\nloss = {loss:?}\nsearch = {search:?}\nsuppression_limit = 0.1\n");
            // 7 has no factor in common with them: as many are positive as asked for.
            for records in [137, 1000, 4001] {
                let one = public(records, 1, &method);
                for positive in [2, records / 3, records - 1] {
                    assert_eq!(one, public(records, positive, &method), "{loss} {search} {records} {positive}");
                }
            }
        }
    }
}

/// 600 records of three wards, and six of wards that are too small to be released, so many in each.
fn small_wards(sizes: &[usize]) -> String {
    let large = (0..600).map(|number| (["east", "west", "north"][number % 3].to_owned(), number));
    let small =
        sizes.iter().enumerate().flat_map(|(ward, &size)| (0..size).map(move |number| (format!("tiny{ward}"), number)));
    let line = |(ward, number)| format!("{ward},{},D{}\n", number % 2, number % 4);
    large.chain(small).map(line).fold("ward,positive,diagnosis\n".to_owned(), |text, line| text + &line)
}

/// The attack: manifest and reports joined with the data. Whatever groups the withheld records were in, one of each or all
/// but one together, the same bytes are public; so no join of them tells a group below k.
#[test]
fn reports_joined_with_the_data_tell_no_group_below_k() {
    for loss in ["non-uniform-entropy", "discernibility-star", "average-class-size", "iyengar"] {
        let method = format!("[method]\nloss = {loss:?}\nsuppression_limit = 0.1\n");
        let of = |sizes: &[usize]| {
            let data = Stage::with(small_wards(sizes));
            data.release(&policy(&format!("{POLICY}{method}")), "out").unwrap();
            (contents(&data.path("out/public")), data)
        };
        let (bytes, data) = of(&[1; 6]);
        for sizes in [[2, 2, 2].as_slice(), &[1, 4, 1], &[3, 3], &[4, 2]] {
            assert_eq!(of(sizes).0, bytes, "{loss} {sizes:?}");
        }
        let report = data.json("out/public/report.json");
        assert_eq!((&report["suppressed"], &report["released"]), (&6.into(), &600.into()));
        assert!(
            report["classes"].as_object().unwrap().values().all(|count| count.as_f64().unwrap() >= 3.0),
            "{report}"
        );
        assert_eq!(report["classes"]["min"], 200);
    }
}

/// Without a k, counts below 11 are left out, and so is what would tell them to who counts the records of the data.
#[test]
fn small_classes_are_not_told_by_the_report() {
    let text = small_wards(&[4, 2]);
    let data = Stage::with(&text);
    let asked =
        POLICY.replace("model = \"k-anonymity\"\nk = 5", "model = \"l-diversity\"\nl = 2\nvariable = \"diagnosis\"");
    data.release(&policy(&asked), "out").unwrap();
    assert!(data.released("out").contains("tiny1"), "classes of 2 and 4 are released");
    let report = data.json("out/public/report.json");
    assert_eq!(report["shown_from"], 11);
    for (told, key) in [("classes", "min"), ("risk", "prosecutor_max"), ("risk", "records_at_risk")] {
        assert!(report[told][key].is_null(), "{told} {key}: {report}");
    }
}

/// The owner learns what the public does not.
#[test]
fn the_loss_is_in_the_private_report() {
    let data = Stage::with(wards(1000, 300));
    let released = data.release(&policy(&format!("{POLICY}[method]\nsuppression_limit = 0.1\n")), "out").unwrap();
    let loss = released.report.choice.unwrap().loss.value;
    let report = data.json("out/private/report.json");
    assert_eq!(report["loss"]["value"], loss);
    for file in ["public/manifest.json", "public/report.json"] {
        let document = data.json(format!("out/{file}"));
        assert!(numbers(&document).iter().all(|number| (number - loss).abs() > 1e-9), "{file}");
    }
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    match value {
        serde_json::Value::Number(number) => number.as_f64().into_iter().collect(),
        serde_json::Value::Array(items) => items.iter().flat_map(numbers).collect(),
        serde_json::Value::Object(entries) => entries.values().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

const DIVERSE: &str = r#"
[variables.ward]
role = "quasi-identifying"
[variables.diagnosis]
role = "sensitive"
[[privacy]]
model = "l-diversity"
variable = "diagnosis"
l = 3
[method]
suppression_limit = 0
"#;

/// Two wards of six records, with these diagnoses in turn.
fn diagnoses(spellings: &[&str]) -> Stage {
    let lines =
        (0..12).map(|number| format!("{},\"{}\"\n", ["east", "west"][number / 6], spellings[number % spellings.len()]));
    Stage::with(lines.fold("ward,diagnosis\n".to_owned(), |text, line| text + &line))
}

#[test]
fn spellings_of_one_value_are_no_diversity() {
    for spellings in [
        ["I10", "I10 ", " I10"],
        ["i10", "I10", "I10\u{a0}"],
        ["caf\u{e9}", "cafe\u{301}", "CAF\u{c9}"],
        ["Ｉ10", "I10", "I\u{200b}10"],
        ["straße", "STRASSE", "Stra\u{ad}ße"],
    ] {
        for method in ["", "name = \"mondrian\"\n"] {
            let error = diagnoses(&spellings).release(&policy(&format!("{DIVERSE}{method}")), "out").unwrap_err();
            assert_eq!(error.kind, Kind::Unsafe, "{spellings:?}");
        }
    }
    assert!(diagnoses(&["I10", "I11", "J45"]).release(&policy(DIVERSE), "out").is_ok());
}

#[test]
fn a_warning_says_how_many_spellings_count_as_one() {
    let data = diagnoses(&["I10", "i10", "I11", "J45"]);
    let released = data.release(&policy(DIVERSE), "out").unwrap();
    let warnings = released.report.checklist.warnings();
    let told = warnings.iter().any(|one| one.contains("`diagnosis`: 2 values differ") && one.contains("count as one"));
    assert!(told, "{warnings:?}");
    assert!(data.released("out").contains("i10"), "the release keeps the spelling");
}

#[test]
fn roles_that_look_wrong_are_told() {
    let line = |number: usize| format!("P{},{},D{},{number}\n", number / 2, ["east", "west"][number % 2], number % 4);
    let table = (0..40).map(line).fold("patient,ward,diagnosis,receipt\n".to_owned(), |text, line| text + &line);
    let data = Stage::with(&table);
    let roles = "[variables.patient]\nrole = \"identifying\"\n[variables.ward]\nrole = \"quasi-identifying\"\n\
                 [variables.diagnosis]\nrole = \"sensitive\"\n[variables.receipt]\nrole = \"insensitive\"\n\
                 [[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";
    let released = data.release(&policy(roles), "out").unwrap();
    let warnings = released.report.checklist.warnings();
    for told in
        ["`patient` is identifying and 100%", "`diagnosis` is sensitive and no", "`receipt` is insensitive and tells"]
    {
        assert!(warnings.iter().any(|one| one.contains(told)), "{told}: {warnings:?}");
    }
    let page = data.read("out/private/report.html");
    assert!(
        page.contains("one person may have several records")
            && !data.read("out/public/report.html").contains("receipt is")
    );
}

#[test]
fn right_roles_are_not_told() {
    let line = |number: usize| format!("P{number},{},D{},{}\n", ["east", "west"][number % 2], number % 4, number % 3);
    let table = (0..60).map(line).fold("patient,ward,diagnosis,shift\n".to_owned(), |text, line| text + &line);
    let roles = "[variables.patient]\nrole = \"identifying\"\n[variables.ward]\nrole = \"quasi-identifying\"\n\
                 [variables.diagnosis]\nrole = \"sensitive\"\n[variables.shift]\nrole = \"insensitive\"\n\
                 [[privacy]]\nmodel = \"l-diversity\"\nvariable = \"diagnosis\"\nl = 2\n";
    assert_eq!(
        Stage::with(&table).release(&policy(roles), "out").unwrap().report.checklist.warnings(),
        Vec::<&str>::new()
    );
}

/// A spreadsheet with German settings parts a comma-separated line at semicolons.
#[test]
fn formulas_are_guarded_wherever_a_spreadsheet_may_part_a_line() {
    let notes = ["x;=cmd|' /C calc'!A0", " =1+1", "＝1+1", "a\n@b", "fine"];
    let line = |number: usize| format!("{},D{},\"{}\"\n", ["east", "west"][number % 2], number % 3, notes[number % 5]);
    let table = (0..40).map(line).fold("ward,diagnosis,note\n".to_owned(), |text, line| text + &line);
    let data = Stage::with(&table);
    let roles = "[variables.ward]\nrole = \"quasi-identifying\"\n[variables.diagnosis]\nrole = \"sensitive\"\n\
                 [variables.note]\nrole = \"insensitive\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";
    assert_eq!(data.release(&policy(roles), "out").unwrap().report.neutralised_cells, 32);
    let released = data.released("out");
    let is_open = |piece: &str| piece.trim_start_matches([' ', '"']).starts_with(['=', '@', '＝']);
    assert!(!released.split([',', ';', '|', '\n']).any(is_open), "{released}");
}

/// Releases admissions of these people, compared with an earlier release.
fn again(folder: &Path, name: &str, table: &str, earlier: &[&str]) -> Result<FinishedRelease, Error> {
    let data = folder.join(format!("{name}.csv"));
    fs::write(&data, table).unwrap();
    let file = |name: &str| Ok(demo::HIERARCHIES.iter().find(|(path, _)| *path == name).unwrap().1.to_owned());
    let policy = Policy::parse(demo::POLICY, &file).unwrap();
    let against: Vec<PathBuf> = earlier.iter().map(|earlier| folder.join(earlier).join("public")).collect();
    release(&ReleaseRequest { against: &against, ..requests::release(&data, &policy, &folder.join(name)) })
}

/// The attack: classes of the later release minus those of the earlier one. 200 admissions came, and many of them are
/// alone in their class's difference. The same table again, and other people, are no reason to refuse.
#[test]
fn two_releases_cannot_be_subtracted() {
    let folder = tempdir().unwrap();
    let first = demo::write_csv(2000, 1);
    again(folder.path(), "first", &first, &[]).unwrap();
    again(folder.path(), "same", &first, &["first"]).unwrap();
    let refused = again(folder.path(), "more", &demo::write_csv(2200, 1), &["first"]).unwrap_err();
    assert_eq!(refused.kind, Kind::Unsafe);
    assert!(refused.to_string().contains("classes differ by too few"), "{refused}");
    assert!(!folder.path().join("more").exists());
    for seed in 2..6 {
        again(folder.path(), &format!("others{seed}"), &demo::write_csv(2000, seed), &["first"]).unwrap();
    }
}
