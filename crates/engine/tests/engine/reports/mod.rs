//! What the two reports say, and what the public one must not say.

mod forms;
mod pictures;

use std::collections::{BTreeMap, BTreeSet};

use crate::releasing;
use equanym_audit::ReleaseCounts;
use equanym_core::card::{Parameters, Value};
use equanym_core::checklist::{Check, ChecklistLine};
use equanym_core::hierarchy::{DateFormat, DateGrain, LabelRule, NumberEnds};
use equanym_core::mask::{ColumnMask, Mask, Recoding};
use equanym_core::report::{
    CheckBasis, ClassFindings, Guarantee, LabelCounts, LossFindings, MinimalNode, NamedLevels, NodeChoice,
    PictureCounts, PublicCounts, Report,
};
use equanym_core::risk::{ClassTotals, Risk};
use equanym_core::utility::Figure;
use equanym_core::utility::bars::{Bar, ColumnFrequencies};
use equanym_core::variable::Role;
use equanym_engine::mask::StoredMask;
use equanym_engine::policy::Output;
use equanym_engine::write::manifest::{ClaimBasis, DataFile, Manifest};
use equanym_engine::write::reports::{self, ForOwner, forms as members};

/// Texts that stand in the mask and nowhere else.
const CANARIES: [&str; 3] = ["canary-value", "canary-label", "canary-key"];

/// What only the owner may read.
const SECRETS: [&str; 14] = [
    "canary-shown",
    "patient_name",
    "social_security",
    "a secret warning",
    "20417",
    "7777",
    "67.8%",
    "87.8%",
    "1.48",
    "264341",
    "0.4123",
    "41.2%",
    "12960",
    "311",
];

const HOSTILE: &str = "<img src=x onerror=\"alert('1')\">&";

fn column(name: &str, role: Role, recoding: Option<Recoding>) -> ColumnMask {
    ColumnMask { name: name.to_owned(), role, number: false, recoding, change: None, treatments: Vec::new() }
}

fn quasi(name: &str, level: u8, levels: u8, rule: LabelRule) -> ColumnMask {
    let listed = rule == LabelRule::Listed;
    let labels =
        if listed { BTreeMap::from([("canary-value".into(), "canary-label".into())]) } else { BTreeMap::new() };
    column(name, Role::QuasiIdentifying, Some(Recoding { level, levels, rule, labels }))
}

fn mask() -> Mask {
    Mask {
        columns: vec![
            column("patient_name", Role::Identifying, None),
            column("social_security", Role::Identifying, None),
            quasi("age", 1, 6, LabelRule::Interval { width: "5".into(), ends: NumberEnds::default() }),
            quasi("sex", 0, 2, LabelRule::AsCollected),
            quasi("zip", 2, 5, LabelRule::Prefix { keep: 3 }),
            quasi("admitted", 1, 5, LabelRule::Date { grain: DateGrain::Month, format: DateFormat::default() }),
            quasi("education", 1, 4, LabelRule::Listed),
            quasi("race", 1, 2, LabelRule::Top),
            column("diagnosis", Role::Sensitive, None),
            column("ward", Role::Insensitive, None),
        ],
        suppressed: BTreeSet::from([vec!["canary-key".into(); 6], vec!["canary-key-2".into(); 6]]),
    }
}

fn guarantee(model: &str, parameters: &[(&str, Value)]) -> Guarantee {
    let parameters: Parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Guarantee { model: model.to_owned(), parameters, holds: true, unit: None, checked: CheckBasis::Release }
}

fn choice() -> NodeChoice {
    let loss = LossFindings {
        name: "non-uniform-entropy".into(),
        parameters: Parameters::new(),
        value: 264_341.9,
        share: 0.4123,
    };
    NodeChoice {
        best: None,
        search: "optimal".into(),
        lattice: 12960,
        evaluated: 311,
        tagged: 0,
        place: None,
        optimal: true,
        gap: Some(0.0),
        loss,
        minimal: Vec::new(),
        lists_minimal: false,
        balance: None,
    }
}

/// The released classes.
const RELEASED: ClassFindings = ClassFindings {
    classes: ClassTotals { count: 812, min: 5, mean: 35.357, max: 911 },
    risk: Risk { prosecutor_max: 0.2, prosecutor_mean: 0.0283, records_at_risk: 0.0 },
};

fn report() -> Report {
    let levels = [("age", 1), ("sex", 0), ("zip", 2), ("admitted", 1), ("education", 1), ("race", 1)];
    let diversity = [("l", Value::Integer(3)), ("variable", Value::Text("diagnosis".into()))];
    Report {
        records: 30162,
        persons: None,
        released: 28710,
        suppressed: 1452,
        persons_suppressed: None,
        method: "global-recoding".into(),
        node: NamedLevels(levels.map(|(name, level)| (name.to_owned(), level)).to_vec()),
        choice: Some(choice()),
        local: None,
        new_values: None,
        classes: RELEASED.classes,
        risk: RELEASED.risk,
        by_records: RELEASED,
        privacy: vec![guarantee("k-anonymity", &[("k", Value::Integer(5))]), guarantee("l-diversity", &diversity)],
        population: None,
        guarantee: None,
        neutralised_cells: 3,
        original: Some(ClassFindings {
            classes: ClassTotals { count: 20417, min: 1, mean: 1.4773, max: 77 },
            risk: Risk { prosecutor_max: 1.0, prosecutor_mean: 0.67777, records_at_risk: 0.87777 },
        }),
        frequencies: vec![frequencies("sex", "canary-shown"), frequencies("age", "young")],
        pairs: vec![Figure {
            name: "change of Cramér's V",
            of: Some("age × sex".into()),
            value: 0.25,
            original: Some(0.5),
            released: None,
        }],
        pictured: pictured(),
        worth: None,
        checklist: [ChecklistLine::look(Check::Spelling, "column `ward`: a secret warning")].into_iter().collect(),
    }
}

/// What pictures are made from; what is told of the original are numbers that stand nowhere else.
fn pictured() -> PictureCounts {
    let told = PublicCounts {
        sizes: vec![(5, 10), (8, 20), (40, 30)],
        labels: vec![LabelCounts::new("age", [400, 700, 310]), LabelCounts::new("sex", [800, 610])],
    };
    let kept = vec![("age".to_owned(), 0.5432), ("sex".to_owned(), 1.0)];
    PictureCounts { people: told.sizes.clone(), told, original: vec![(1, 919_191), (2, 7)], kept }
}

fn frequencies(column: &str, value: &str) -> ColumnFrequencies {
    let bar = |value: Option<&str>, to: Option<&str>, values| Bar {
        value: value.map(str::to_owned),
        to: to.map(str::to_owned),
        values,
        original: 0.5,
        released: 0.25,
    };
    ColumnFrequencies {
        column: column.to_owned(),
        values: 74,
        labels: 8,
        exact: 0.25,
        grouped: 0.25,
        unknown: 0.4,
        unmatched: 0.0,
        withheld: 0.1,
        total_variation: 0.333,
        bars: vec![
            bar(Some(value), None, 1),
            bar(Some("17"), Some("90"), 60),
            bar(Some(""), None, 1),
            bar(None, None, 12),
        ],
    }
}

fn texts(reports: Vec<(&'static str, String)>) -> [String; 2] {
    let names: Vec<&str> = reports.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["report.json", "report.html"]);
    let mut texts = reports.into_iter().map(|(_, text)| text);
    [texts.next().unwrap(), texts.next().unwrap()]
}

fn stored(mask: &Mask, notes: &str) -> StoredMask {
    StoredMask::new(&releasing::policy(&format!("[method]\nsuppression_limit = 0.05\n{notes}")), mask.clone())
}

fn manifest_of(report: &Report, stored: &StoredMask) -> Manifest {
    let data = DataFile { file: "data.csv".into(), output: Output::default(), sha256: String::new(), bytes: 0 };
    Manifest::new(ClaimBasis { stored, labels: &[], report }, data)
}

fn manifest(report: &Report, mask: &Mask) -> Manifest {
    manifest_of(report, &stored(mask, ""))
}

fn public_of(report: &Report, stored: &StoredMask) -> [String; 2] {
    let found = ClassFindings { classes: report.classes, risk: report.risk };
    texts(reports::public(&manifest_of(report, stored), found, &report.pictured.told).unwrap())
}

fn public(report: &Report, mask: &Mask) -> [String; 2] {
    public_of(report, &stored(mask, ""))
}

/// What the owner gets: the reports, and the forms that are asked for.
fn owned(report: &Report, stored: &StoredMask) -> ([String; 2], Vec<(String, String)>) {
    let manifest = manifest_of(report, stored);
    let owner = ForOwner { manifest: &manifest, report, stored, audit: None };
    let forms = members::chosen(&stored.notes.forms).unwrap();
    (texts(reports::private(&owner).unwrap()), forms.iter().flat_map(|form| form.write(&owner)).collect())
}

fn private(report: &Report, mask: &Mask) -> [String; 2] {
    owned(report, &stored(mask, "")).0
}

fn parsed(json: &str) -> serde_json::Map<String, serde_json::Value> {
    serde_json::from_str(json).unwrap()
}

/// A text without the commas between thousands.
fn ungrouped(text: &str) -> String {
    text.replace(',', "")
}

#[test]
fn the_public_report_keeps_the_owners_secrets() {
    for text in public(&report(), &mask()) {
        for secret in CANARIES.iter().chain(&SECRETS) {
            assert!(!ungrouped(&text).contains(secret), "{secret}");
        }
        assert!(!text.contains("original\":") && !text.contains("Original</th>"));
    }
}

#[test]
fn the_private_report_tells_the_owner_all_but_the_values() {
    for text in private(&report(), &mask()) {
        for expected in ["patient_name", "social_security", "a secret warning", "20417"] {
            assert!(ungrouped(&text).contains(expected), "{expected}");
        }
        for canary in CANARIES {
            assert!(!text.contains(canary), "{canary}");
        }
    }
}

#[test]
fn k_minimal_nodes_are_the_owners_and_listed_on_request() {
    let mut report = report();
    let choice = report.choice.as_mut().unwrap();
    let levels = [("age", 1), ("sex", 0), ("zip", 2), ("admitted", 1), ("education", 0), ("race", 1)];
    let node = NamedLevels(levels.map(|(name, level)| (name.to_owned(), level)).to_vec());
    choice.minimal = vec![MinimalNode { node, suppressed: 1377, loss: 271_828.25 }];
    assert_eq!(serde_json::to_value(&report).unwrap()["minimal"][0]["suppressed"], 1377, "--json has them unasked");
    for text in public(&report, &mask()).into_iter().chain(private(&report, &mask())) {
        assert!(!ungrouped(&text).contains("1377") && !ungrouped(&text).contains("271828"));
    }
    report.choice.as_mut().unwrap().lists_minimal = true;
    for text in public(&report, &mask()) {
        assert!(!ungrouped(&text).contains("1377") && !text.contains("minimal"));
    }
    let [json, page] = private(&report, &mask());
    assert_eq!(parsed(&json)["minimal"][0]["node"]["education"], 0);
    assert!(page.contains("The k-minimal nodes") && ungrouped(&page).contains("<td>1377</td>"));
}

#[test]
fn hostile_names_never_become_markup() {
    let (mut report, mut mask) = (report(), mask());
    let told = [format!("column `{HOSTILE}`: look"), format!("` {HOSTILE}")];
    report.checklist =
        told.map(|message| ChecklistLine::look(Check::Spelling, message).in_column(HOSTILE)).into_iter().collect();
    report.node.0.push((HOSTILE.into(), 0));
    report.privacy.push(guarantee(HOSTILE, &[(HOSTILE, Value::Text(HOSTILE.into()))]));
    report.method = HOSTILE.into();
    if let Some(choice) = report.choice.as_mut() {
        choice.search = HOSTILE.into();
        choice.loss.name = HOSTILE.into();
    }
    mask.columns.push(column(HOSTILE, Role::Insensitive, None));
    mask.columns.push(column(HOSTILE, Role::Identifying, None));
    mask.columns.push(quasi(HOSTILE, 1, 3, LabelRule::Interval { width: HOSTILE.into(), ends: NumberEnds::default() }));
    for [_, page] in [public(&report, &mask), private(&report, &mask)] {
        assert!(!page.contains("<img") && !page.contains("onerror=\""));
        assert!(page.contains("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;"));
    }
}

#[test]
fn pages_fetch_and_run_nothing() {
    let policy = "content=\"default-src 'none'; style-src 'unsafe-inline'\"";
    for [_, page] in [public(&report(), &mask()), private(&report(), &mask())] {
        assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
        assert!(page.contains(policy));
        for forbidden in ["<script", "src=", "href=", "url(", "@import", "http://", "https://"] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
    }
}

#[test]
fn words_between_backticks_become_code_and_measures_stand_in_the_appendix() {
    for [_, page] in [public(&report(), &mask()), private(&report(), &mask())] {
        assert!(!page.contains('`'), "{page}");
        let (before, appendix) = page.split_once("<details class=\"appendix\">").unwrap();
        assert!(!before.contains("class=\"measures") && appendix.contains("Classes and risk in numbers"));
    }
}

#[test]
fn every_element_ends_where_it_should() {
    for [_, page] in [public(&report(), &mask()), private(&report(), &mask())] {
        let mut open = Vec::new();
        for tag in page.split('<').skip(1).filter_map(|piece| piece.split(['>', ' ', '\n']).next()) {
            match tag.strip_prefix('/') {
                Some(end) => assert_eq!(open.pop(), Some(end)),
                None if tag == "meta" || tag == "!doctype" => (),
                None => open.push(tag),
            }
        }
        assert_eq!(open, Vec::<&str>::new());
    }
}

#[test]
fn the_same_release_comes_with_the_same_bytes() {
    assert_eq!(public(&report(), &mask()), public(&report(), &mask()));
    assert_eq!(private(&report(), &mask()), private(&report(), &mask()));
}

#[test]
fn the_public_json_has_its_documented_keys() {
    let [json, _] = public(&report(), &mask());
    let findings = parsed(&json);
    let keys: BTreeSet<&str> = findings.keys().map(String::as_str).collect();
    let documented = [
        "format",
        "program",
        "records",
        "released",
        "suppressed",
        "method",
        "neutralised_cells",
        "node",
        "detail",
        "search",
        "optimal",
        "loss",
        "shown_from",
        "classes",
        "risk",
        "privacy",
        "columns",
        "sizes",
        "spread",
        "verify",
    ];
    assert_eq!(keys, BTreeSet::from(documented));
    let expected = serde_json::json!({
        "name": "zip", "role": "quasi-identifying", "level": 2, "levels": 5,
        "labels": {"rule": "prefix", "keep": 3, "words": "the first 3 characters, and a * for the rest"},
    });
    assert_eq!(findings["columns"][2], expected);
    assert_eq!(findings["columns"][6], serde_json::json!({"name": "diagnosis", "role": "sensitive"}));
    assert_eq!(findings["privacy"][0]["k"], 5);
    assert_eq!(findings["privacy"][0]["summary"], "each class holds at least 5 records");
    assert_eq!(findings["node"]["zip"], 2);
    assert_eq!(findings["detail"], serde_json::json!({"kept": 12, "of": 18}));
    let loss: Vec<&String> = findings["loss"].as_object().unwrap().keys().collect();
    assert_eq!(loss, ["name", "summary"]);
    assert!(findings["neutralised_cells"].is_null(), "three cells are a small count");
}

#[test]
fn the_private_json_adds_what_the_owner_needs() {
    let (mine, theirs) = (private(&report(), &mask()), public(&report(), &mask()));
    let (mine, theirs) = (parsed(&mine[0]), parsed(&theirs[0]));
    let added: BTreeSet<&str> = mine.keys().filter(|key| !theirs.contains_key(*key)).map(String::as_str).collect();
    let documented = [
        "original",
        "frequencies",
        "pairs",
        "suppressed_keys",
        "dropped_columns",
        "checklist",
        "warnings",
        "next_steps",
        "lattice",
        "evaluated",
        "gap",
        "kept",
    ];
    assert_eq!(added, BTreeSet::from(documented));
    let is_for_both = |key: &str| !["loss", "neutralised_cells", "shown_from", "sizes"].contains(&key);
    assert!(theirs.iter().filter(|(key, _)| is_for_both(key)).all(|(key, value)| mine[key] == *value));
    assert_eq!((&mine["loss"]["value"], &mine["loss"]["share"]), (&264_341.9.into(), &0.4123.into()));
    assert_eq!(mine["neutralised_cells"], 3);
    assert_eq!(mine["suppressed_keys"], 2);
    assert_eq!(mine["dropped_columns"], serde_json::json!(["patient_name", "social_security"]));
}

#[test]
fn a_stored_mask_leaves_no_choice_to_explain() {
    let mut report = report();
    (report.choice, report.original) = (None, None);
    let [json, page] = public(&report, &mask());
    assert!(["search", "lattice", "loss"].iter().all(|key| !parsed(&json).contains_key(*key)));
    assert!(page.contains("fitted to an earlier table"));
    let [json, page] = private(&report, &mask());
    assert!(parsed(&json)["original"].is_null());
    assert!(page.contains("the original was not measured"));
}

#[test]
fn numbers_are_set_for_people() {
    let [[_, page], [_, owners]] = [public(&report(), &mask()), private(&report(), &mask())];
    for expected in ["28,710", "35.4", "95.2%", "2.8%", "12 of 18"] {
        assert!(page.contains(expected) && owners.contains(expected), "{expected}");
    }
    for expected in ["12,960", "264,341.9", "41.2%"] {
        assert!(owners.contains(expected), "{expected}");
    }
    assert!(page.contains("before fewer than 5 cells"));
}

#[test]
fn an_unproven_choice_says_so() {
    let mut report = report();
    if let Some(choice) = report.choice.as_mut() {
        (choice.optimal, choice.gap) = (false, Some(0.034));
    }
    let [[_, page], [_, owners]] = [public(&report, &mask()), private(&report, &mask())];
    assert!(owners.contains("at most 3.4% of the loss could be avoided") && !page.contains("3.4%"));
    assert!(page.contains("A better combination may exist") && !page.contains("loses less than this one"));
}

#[test]
fn anybody_can_write_the_public_reports_again() {
    let (mut report, mask) = (report(), mask());
    let counted = ReleaseCounts {
        class_sizes: vec![30, 5, 6],
        label_counts: vec![("age".into(), vec![11, 30]), ("sex".into(), vec![41])],
    };
    let sizes = &counted.class_sizes;
    (report.classes, report.risk) = (equanym_core::risk::classes(sizes), equanym_core::risk::prosecutor(sizes));
    let labels = [LabelCounts::new("age", [30, 11]), LabelCounts::new("sex", [41])];
    report.pictured.told = PublicCounts { sizes: equanym_core::risk::sizes(sizes), labels: labels.to_vec() };
    let manifest = manifest(&report, &mask);
    let bytes = serde_json::to_vec(&manifest).unwrap();
    assert_eq!(texts(reports::rebuilt(&bytes, &counted).unwrap()), public(&report, &mask));
    for (word, other) in [
        ("\"search\":\"optimal\"", "\"search\":\"guess\""),
        ("non-uniform-entropy", "loss-of-face"),
        ("equanym ", "equanym 9"),
    ] {
        let other = String::from_utf8(bytes.clone()).unwrap().replace(word, other);
        assert!(reports::rebuilt(other.as_bytes(), &counted).is_none(), "{word}");
    }
}
