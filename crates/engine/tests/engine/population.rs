//! Releases under models that look at a population: what they promise, what shows it, what is public, and what is refused.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use crate::releasing::{contents, mask_of, reversed};
use crate::requests;
use crate::stage::Stage;
use equanym_audit::Verdict;
use equanym_core::report::CheckBasis;
use equanym_engine::error::{Error, Result};
use equanym_engine::policy::Policy;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::apply::{self, Adjustment, ApplyRequest};
use equanym_engine::run::audit::{AuditRequest, audit};

/// Three hundred people, of whom every third is in the table; some of them twice.
fn row(person: usize) -> String {
    let town = ["Aby", "Bby", "Cby", "Dby"][person * person / 7 % 4];
    format!("p{person},{town},{}", 20 + person * 11 % 40)
}

fn everybody() -> String {
    (0..300).fold("id,town,age\n".to_owned(), |text, person| text + &row(person) + "\n")
}

fn table() -> String {
    let mut text = "id,town,age,illness\n".to_owned();
    for person in (0..300).step_by(3) {
        writeln!(text, "{},{}", row(person), ["flu", "gout"][person % 2]).unwrap();
    }
    text
}

/// The columns; `id` is identifying.
const COLUMNS: &str = "[variables.id]\nrole = \"identifying\"\n\
    [variables.town]\nrole = \"quasi-identifying\"\nhierarchy = { groups = [{ North = [\"Aby\", \"Bby\"], South = [\"Cby\", \"Dby\"] }] }\n\
    [variables.age]\nrole = \"quasi-identifying\"\ntype = \"number\"\nhierarchy = { intervals = [5, 10, 20] }\n\
    [variables.illness]\nrole = \"sensitive\"\n";

fn asked(models: &str, limit: &str) -> String {
    format!("{COLUMNS}{models}[method]\nsuppression_limit = {limit}\n")
}

fn presence(min: &str, max: &str) -> String {
    format!("[[privacy]]\nmodel = \"delta-presence\"\nmin = {min}\nmax = {max}\npopulation = \"everybody.csv\"\n")
}

fn k_map(k: u32) -> String {
    format!("[[privacy]]\nmodel = \"k-map\"\nk = {k}\npopulation = \"everybody.csv\"\n")
}

fn stage() -> Stage {
    let stage = Stage::with(table());
    stage.write("everybody.csv", everybody());
    stage
}

fn loaded(stage: &Stage, text: &str) -> Result<Policy> {
    Policy::load(&stage.write("policy.toml", text))
}

fn release(stage: &Stage, text: &str, out: &str) -> Result<FinishedRelease> {
    stage.release(&loaded(stage, text)?, out)
}

/// The refusal of a release, after which nothing is there; it shows no value.
fn refusal(stage: &Stage, text: &str) -> Error {
    let error = stage.refused(release(stage, text, "refused"));
    assert!(!stage.path("refused").exists() && !error.to_string().contains("by,"), "{error:?}");
    error
}

/// An audit with some of what there is.
fn audited(stage: &Stage, out: &str, original: bool, population: Option<&str>, mask: bool) -> Verdict {
    let (public, mask_file) = (stage.path(out).join("public"), stage.path(out).join("private/mask.json"));
    let (table, population) = (stage.data(), population.map(|name| stage.path(name)));
    let (original, mask) = (original.then_some(table.as_path()), mask.then_some(mask_file.as_path()));
    let population = population.as_deref();
    audit(&AuditRequest { original, population, mask, ..requests::audit(&public) }).unwrap()
}

fn apply(stage: &Stage, mask: &str, population: Option<&str>, out: &str) -> Result<FinishedRelease> {
    let adjustment = Adjustment { population: population.map(|name| stage.path(name)), ..Adjustment::default() };
    let (table, stored, out) = (stage.data(), mask_of(&stage.path(mask)), stage.path(out));
    apply::apply(ApplyRequest { adjustment, ..requests::apply(&table, stored, &out) })
}

/// What showed a promise.
fn shown(verdict: &Verdict) -> Vec<&'static str> {
    verdict.privacy.iter().map(|one| one.checked.as_str()).collect()
}

/// The classes of the released file, and who of the population fits each, counted from the texts.
fn counted(
    stage: &Stage,
    out: &str,
    label_age: impl Fn(u32) -> String,
    label_town: impl Fn(&str) -> String,
) -> Vec<(u64, u64)> {
    let released = stage.released(out);
    let mut classes: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for line in released.lines().skip(1) {
        // Labels of ages have a comma, and so quotes.
        let (town, rest) = line.split_once(',').unwrap();
        let age = rest.rsplit_once(',').unwrap().0.trim_matches('"');
        classes.entry((town.to_owned(), age.to_owned())).or_default().0 += 1;
    }
    for person in 0..300 {
        let text = row(person);
        let cells: Vec<&str> = text.split(',').collect();
        let key = (label_town(cells[1]), label_age(cells[2].parse().unwrap()));
        if let Some(class) = classes.get_mut(&key) {
            class.1 += 1;
        }
    }
    classes.into_values().collect()
}

#[test]
fn a_promise_about_the_population_is_kept_and_checked_with_it() {
    let stage = stage();
    for (number, (models, limit)) in [
        (presence("0", "0.4"), "0.1"),
        (presence("0.1", "0.5"), "0.05"),
        (k_map(20), "0"),
        (k_map(9) + &presence("0", "0.6") + "[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n", "0.2"),
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("out{number}");
        let released = release(&stage, &asked(&models, limit), &out).unwrap();
        let population = released.report.population.as_ref().unwrap();
        assert_eq!((population.records, population.persons), (300, None));
        assert!(released.report.privacy[0].checked == CheckBasis::Population);
        // Alone, the release does not show it; with lists the mask is needed besides, and with all it is shown.
        let alone = audited(&stage, &out, false, None, false);
        assert!(alone.passed() && shown(&alone)[0] == "needs --population", "{alone:?}");
        assert!(alone.unchecked().next().is_some());
        for original in [false, true] {
            let verdict = audited(&stage, &out, original, Some("everybody.csv"), true);
            assert!(verdict.passed() && shown(&verdict)[0] == "population", "{verdict:?}");
        }
        let told = audited(&stage, &out, true, None, true);
        assert!(told.passed() && shown(&told)[0] == "needs --population", "{told:?}");
    }
}

#[test]
fn classes_of_a_release_have_the_shares_that_it_promises() {
    let stage = stage();
    let released = release(&stage, &asked(&presence("0.2", "0.5"), "0.3"), "out").unwrap();
    let levels: BTreeMap<_, _> = released.report.node.0.iter().cloned().collect();
    let age = |age: u32| {
        let width = [1, 5, 10, 20][usize::from(levels["age"].min(3))];
        match levels["age"] {
            0 => age.to_string(),
            4 => "*".to_owned(),
            _ => format!("[{}, {}[", age / width * width, age / width * width + width),
        }
    };
    let town = |town: &str| match levels["town"] {
        0 => town.to_owned(),
        1 if "AbyBby".contains(town) => "North".to_owned(),
        1 => "South".to_owned(),
        _ => "*".to_owned(),
    };
    let classes = counted(&stage, "out", age, town);
    assert!(!classes.is_empty());
    for (people, population) in classes {
        assert!(population * 2 <= people * 10 && people * 10 <= population * 5, "{people} of {population}");
    }
}

#[test]
fn another_population_fails_the_audit() {
    let stage = stage();
    release(&stage, &asked(&k_map(20), "0"), "out").unwrap();
    // A tenth of the people are left.
    let everybody = everybody();
    let few: Vec<&str> = everybody.lines().enumerate().filter(|(line, _)| line % 10 == 0).map(|(_, row)| row).collect();
    let few = few.join("\n") + "\n";
    stage.write("few.csv", &few);
    let verdict = audited(&stage, "out", false, Some("few.csv"), true);
    let failed: Vec<&str> = verdict.failures().map(|check| check.name).collect();
    assert_eq!(failed, ["k-map"]);
    stage.write("other.csv", "town\nAby\n");
    let verdict = audited(&stage, "out", false, Some("other.csv"), true);
    assert_eq!(verdict.failures().map(|check| check.name).collect::<Vec<_>>(), ["population-columns"]);
    // Somebody nobody else is like: known to be absent.
    release(&stage, &asked(&presence("0.1", "0.6"), "0"), "presence").unwrap();
    stage.write("more.csv", &(everybody + "p999,Aby,1\n"));
    let verdict = audited(&stage, "presence", false, Some("more.csv"), true);
    let found: Vec<&str> = verdict.failures().map(|check| check.found.as_str()).collect();
    let is_absent = verdict.passed() || found.iter().any(|found| found.contains("of the population are in no record"));
    assert!(is_absent, "{verdict:?}");
}

#[test]
fn nothing_public_says_where_the_population_lies_or_what_it_is() {
    let stage = stage();
    release(&stage, &asked(&k_map(9), "0.1"), "out").unwrap();
    let mask = stage.read("out/private/mask.json");
    let hash = mask.split("\"sha256\": \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(hash.len(), 64);
    assert!(stage.read("out/private/report.json").contains(&hash));
    for (path, bytes) in contents(&stage.path("out/public")) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("everybody.csv") && !text.contains(&hash), "{path:?}");
    }
    let manifest = stage.read("out/public/manifest.json");
    assert!(manifest.contains("\"checked\": \"population\""), "{manifest}");
}

#[test]
fn the_order_and_the_format_of_the_population_do_not_matter() {
    let stage = stage();
    let text = asked(&presence("0", "0.4"), "0.1");
    release(&stage, &text, "one").unwrap();
    stage.write("everybody.csv", reversed(&everybody()).replace(',', ";"));
    release(&stage, &text, "other").unwrap();
    assert_eq!(contents(&stage.path("one")), contents(&stage.path("other")));
}

#[test]
fn people_are_counted_on_both_sides() {
    let stage = stage();
    // Everybody of the table twice: records double, people do not.
    let twice: String = table().lines().skip(1).fold(String::new(), |text, row| text + row + "\n" + row + "\n");
    stage.write("data.csv", format!("id,town,age,illness\n{twice}"));
    let text = |models: &str| format!("[data]\nperson = \"id\"\n{}", asked(models, "0.1"));
    let released = release(&stage, &text(&presence("0.1", "0.5")), "out").unwrap();
    assert_eq!(released.report.population.as_ref().unwrap().persons, Some(300));
    let verdict = audited(&stage, "out", true, Some("everybody.csv"), true);
    assert!(verdict.passed() && shown(&verdict) == ["population"], "{verdict:?}");
    let verdict = audited(&stage, "out", false, Some("everybody.csv"), true);
    assert!(verdict.passed() && shown(&verdict) == ["needs --original"], "{verdict:?}");
    // By records half of the population would be there, and more than it has.
    refusal(&stage, &asked(&presence("0", "0.5"), "0.1"));
    // A population that does not tell people apart has one record of each.
    let nameless: String = everybody().lines().map(|row| row.split_once(',').unwrap().1.to_owned() + "\n").collect();
    stage.write("everybody.csv", &nameless);
    let nameless = release(&stage, &text(&presence("0.1", "0.5")), "nameless").unwrap();
    assert_eq!(nameless.report.node, released.report.node);
    // Somebody of the table is not in the population, although as many share every key.
    stage.write("everybody.csv", everybody().replace("p3,", "q3,"));
    refusal(&stage, &text(&k_map(2)));
}

#[test]
fn a_mask_needs_the_population_again() {
    let stage = stage();
    release(&stage, &asked(&presence("0", "0.5"), "0.2"), "out").unwrap();
    stage.refused(apply(&stage, "out", None, "again"));
    let again = apply(&stage, "out", Some("everybody.csv"), "again").unwrap();
    assert_eq!(
        again.report.suppressed,
        release(&stage, &asked(&presence("0", "0.5"), "0.2"), "second").unwrap().report.suppressed
    );
    let files = |out: &str| fs::read(stage.path(out).join("public/data.csv")).unwrap();
    assert_eq!(files("out"), files("again"));
    // A population of the table alone: everybody is surely in it.
    let alone: String = table().lines().map(|row| row.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    stage.write("alone.csv", &alone);
    stage.refused(apply(&stage, "out", Some("alone.csv"), "unsafe"));
    assert!(!stage.path("unsafe").exists());
}

#[test]
fn an_estimate_is_a_size_that_the_bytes_show() {
    let stage = stage();
    for estimator in ["poisson", "zero-truncated-poisson"] {
        let model = format!(
            "[[privacy]]\nmodel = \"k-map\"\nk = 11\nfraction = 0.3\nestimator = \"{estimator}\"\nsignificance = 0.1\n"
        );
        let released = release(&stage, &asked(&model, "0.1"), estimator).unwrap();
        assert!(released.report.population.is_none());
        let verdict = audited(&stage, estimator, false, None, false);
        assert!(verdict.passed() && shown(&verdict) == ["release"], "{verdict:?}");
    }
}

#[test]
fn a_wrong_population_is_refused_and_nothing_is_written() {
    let stage = stage();
    let text = asked(&k_map(5), "0.1");
    for population in ["town,id\nAby,p1\n", "town,age\nAby,20\n", &(everybody() + "p999,Aby,old\n")] {
        stage.write("everybody.csv", population);
        refusal(&stage, &text);
    }
    fs::remove_file(stage.path("everybody.csv")).unwrap();
    refusal(&stage, &text);
}

#[test]
fn an_address_is_not_stored() {
    let stage = stage();
    let text = asked(&k_map(5).replace("everybody.csv", "postgres://me:secret@nowhere.invalid/x?table=y"), "0");
    let error = refusal(&stage, &text);
    assert!(!error.to_string().contains("secret"), "{error}");
}
