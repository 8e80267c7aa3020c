//! What shows that a model holds: the release, the original, or what else it takes.

use equanym_audit::{Evidence, Ladder, Options, ValueMeaning};
use serde_json::{Value, json};

use super::table::{Line, Table, ladder};
use crate::release::{Release, failures, only_failure, options};

/// Two classes of four records with two values each, and one of two records that is withheld or not.
pub fn table(released: usize) -> Table {
    let line = |(class, value): (usize, usize)| Line { class, person: 0, value };
    let lines = [(0, 1), (0, 2), (0, 1), (0, 2), (1, 1), (1, 2), (1, 1), (1, 3), (2, 1), (2, 3)].map(line);
    let mut lines = lines.to_vec();
    lines.iter_mut().enumerate().for_each(|(person, line)| line.person = person);
    Table { lines, released, has_person: false, has_tokens: false }
}

fn models() -> [Value; 4] {
    [
        json!({"model": "t-closeness", "t": 0.9}),
        json!({"model": "t-closeness", "distance": "ordered", "t": 0.9}),
        json!({"model": "beta-likeness", "beta": 9}),
        json!({"model": "delta-disclosure", "delta": 9, "absent": "ignored"}),
    ]
}

const WRONG: &str = "a privacy model does not say rightly whether records or people, and what shows that it holds";

/// What showed each model.
fn shown(release: &Release, options: &Options) -> Vec<Evidence> {
    let verdict = release.audit_with(options).unwrap();
    assert_eq!(failures(&verdict), [""; 0]);
    verdict.privacy.iter().map(|judged| judged.checked).collect()
}

#[test]
fn a_release_of_all_records_shows_how_they_spread() {
    let release = table(3).release(&models());
    assert_eq!(shown(&release, &options()), [Evidence::Release; 4]);
    let (source, known) = (table(3).source(), [ladder()]);
    assert_eq!(
        shown(&release, &Options { original: Some(&source), known: &known, ..options() }),
        [Evidence::Release; 4]
    );
}

#[test]
fn where_records_are_withheld_the_original_shows_it() {
    let release = table(2).release(&models());
    assert_eq!(shown(&release, &options()), [Evidence::NeedsOriginal; 4]);
    let verdict = release.audit();
    assert!(
        verdict.claimed.ends_with(
            "Not checked: t-closeness of \"diagnosis\" with t = 0.9 by equal distance (needs --original); t-closeness of \
             \"diagnosis\" with t = 0.9 by ordered distance (needs --original); basic beta-likeness of \"diagnosis\" \
             with beta = 9 (needs --original); delta-disclosure of \"diagnosis\" with delta = 9, absent values ignored \
             (needs --original)."
        ),
        "{}",
        verdict.claimed
    );
    let source = table(2).source();
    assert_eq!(shown(&release, &Options { original: Some(&source), ..options() }), [Evidence::Original; 4]);
}

#[test]
fn a_promise_that_only_the_original_refutes() {
    // Half of the first class have the second value, and a fifth of the release, but three in ten of the original.
    let release = table(2).release(&[json!({"model": "t-closeness", "t": 0.19})]);
    assert_eq!(failures(&release.audit()), [""; 0], "not shown by the release, so not refuted by it");
    let verdict = table(2).audit(&release).unwrap();
    assert_eq!(failures(&verdict), ["t-closeness"]);
    let found = verdict.failures().map(|check| check.found.as_str()).collect::<Vec<_>>();
    assert_eq!(found, ["1 of 2 classes do not"]);
    let release = table(2).release(&[json!({"model": "t-closeness", "t": 0.2})]);
    assert!(table(2).audit(&release).unwrap().passed(), "equal is near enough");
}

#[test]
fn a_manifest_that_says_that_the_release_shows_what_it_cannot() {
    let mut claims = models().map(|claim| (2, claim, "release")).to_vec();
    // Nor is the original needed for what the release shows.
    claims.extend([models()[0].clone(), models()[2].clone()].map(|claim| (3, claim, "original")));
    claims.push((3, json!({"model": "k-anonymity", "k": 2}), "original"));
    claims.push((2, json!({"model": "alpha-k", "alpha": 1, "k": 2}), "original"));
    for (released, mut claim, checked) in claims {
        claim["checked"] = json!(checked);
        let release = table(released).release(std::slice::from_ref(&claim));
        assert_eq!(only_failure(&release), WRONG, "{claim}");
    }
    let ladder = json!({"model": "t-closeness", "t": 1, "distance": "hierarchical", "checked": "release"});
    assert_eq!(table(3).release(&[ladder]).failures(), ["claims", "t-closeness"]);
}

#[test]
fn no_promise_is_stronger_than_what_the_original_shows() {
    // What the classes of this release attain, and a little more.
    for (claim, key, attained, stronger) in [
        (json!({"model": "k-anonymity"}), "k", 4.0, 5.0),
        (json!({"model": "l-diversity"}), "l", 2.0, 3.0),
        (json!({"model": "l-diversity", "kind": "entropy"}), "l", 2.0, 2.01),
        (json!({"model": "l-diversity", "kind": "recursive", "l": 2}), "c", 1.01, 1.0),
        (json!({"model": "alpha-k", "k": 4}), "alpha", 0.5, 0.49),
        (json!({"model": "alpha-k", "alpha": 0.5}), "k", 4.0, 5.0),
        (json!({"model": "t-closeness"}), "t", 0.2, 0.19),
        (json!({"model": "t-closeness", "distance": "ordered"}), "t", 0.1, 0.09),
        (json!({"model": "t-closeness", "distance": "hierarchical"}), "t", 0.134, 0.133),
        (json!({"model": "delta-disclosure", "absent": "ignored"}), "delta", 0.74, 0.73),
        (json!({"model": "beta-likeness"}), "beta", 0.67, 0.66),
        (json!({"model": "beta-likeness", "kind": "enhanced"}), "beta", 0.67, 0.66),
    ] {
        let passes = |number: f64| {
            let (mut claim, table) = (claim.clone(), table(2));
            claim[key] = json!(number);
            table.audit(&table.release(&[claim])).unwrap().passed()
        };
        assert!(passes(attained) && !passes(stronger), "{claim}");
    }
}

#[test]
fn a_ladder_comes_from_the_policy() {
    let release = table(3).release(&[json!({"model": "t-closeness", "t": 0.1, "distance": "hierarchical"})]);
    let source = table(3).source();
    let with = |known: &[ValueMeaning]| {
        let verdict = release.audit_with(&Options { original: Some(&source), known, ..options() }).unwrap();
        (failures(&verdict), verdict.privacy[0].checked)
    };
    assert_eq!(release.audit().privacy[0].checked, Evidence::NeedsOriginal);
    assert_eq!(with(&[]), (vec![], Evidence::NeedsPolicy));
    let of = |ladder| [ValueMeaning { name: "diagnosis".to_owned(), ladder, ..ValueMeaning::default() }];
    assert_eq!(with(&of(None)), (vec!["t-closeness"], Evidence::Original), "the policy has none");
    // 1 and 2 are alike, and 3 is not; or all are.
    let listed = |three: &str| {
        let row = |value: &str, label: &str| (value.to_owned(), vec![label.to_owned(), "all".to_owned()]);
        Some(Ladder::Listed(vec![row("1", "x"), row("2", "x"), row("3", three)]))
    };
    assert_eq!(with(&of(listed("x"))).0, ["t-closeness"]);
    assert_eq!(with(&of(listed("y"))).0, ["t-closeness"]);
    let intervals = |widths: &[&str]| Some(Ladder::Intervals(widths.iter().map(ToString::to_string).collect()));
    // Twenty levels at which all are alike, and one at which they are not.
    let same: Vec<String> = (1..21).map(|width| (10 * width).to_string()).collect();
    let same: Vec<&str> = same.iter().map(String::as_str).collect();
    assert_eq!(with(&of(intervals(&same))), (vec![], Evidence::Original));
    assert_eq!(with(&of(intervals(&["2", "3"]))).0, ["t-closeness"], "bands that part again are no ladder");
}

#[test]
fn an_order_comes_from_the_policy_or_from_numbers() {
    let claim = |checked: &str| [json!({"model": "t-closeness", "t": 0.2, "distance": "ordered", "checked": checked})];
    let source = table(3).source();
    let with = |known: &[ValueMeaning]| {
        let release = table(3).release(&claim("original"));
        let verdict = release.audit_with(&Options { original: Some(&source), known, ..options() }).unwrap();
        (failures(&verdict), verdict.privacy[0].checked)
    };
    assert_eq!(failures(&table(3).release(&claim("release")).audit()), [""; 0]);
    assert_eq!(with(&[]), (vec![], Evidence::NeedsPolicy));
    let of = |order| [ValueMeaning { name: "diagnosis".to_owned(), order, ..ValueMeaning::default() }];
    let words = |words: &[&str]| of(Some(words.iter().map(ToString::to_string).collect()));
    assert_eq!(with(&words(&["1", "2", "3"])), (vec![], Evidence::Original));
    assert_eq!(with(&words(&["2", "1", "3"])).0, ["t-closeness"]);
    assert_eq!(with(&words(&["1", "2"])).0, ["t-closeness"], "an order that lacks a value");
    assert_eq!(with(&of(None)).0, ["t-closeness"], "the release shows the order of numbers");
}

#[test]
fn the_release_shows_no_order_of_words() {
    let mut release = Release::honest();
    release.claim("/records", json!({"original": 16, "released": 16, "suppressed": 0}));
    let claim = json!({"model": "t-closeness", "variable": "diagnosis", "t": 1, "distance": "ordered"});
    release.claim("/privacy", json!([claim]));
    assert_eq!(only_failure(&release), "its values have no order that is known; not all are numbers");
}

#[test]
fn models_of_one_kind_may_stand_beside_each_other() {
    let recursive = json!({"model": "l-diversity", "kind": "recursive", "l": 2, "c": 9});
    let release = table(3).release(&[
        json!({"model": "l-diversity", "l": 2}),
        recursive.clone(),
        models()[0].clone(),
        models()[1].clone(),
    ]);
    assert_eq!(release.failures(), [""; 0]);
    let release = table(3).release(&[recursive.clone(), recursive]);
    assert_eq!(release.failures(), ["claims"]);
}
