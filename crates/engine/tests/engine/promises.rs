//! What a release promises under every privacy model, of records and of people, is found again by the audit with the
//! original: by code that shares nothing with what decided. No promise is left open, and none is judged that is not kept.

use std::collections::BTreeSet;
use std::fmt::Write;

use equanym_audit::{Evidence, Verdict};
use equanym_engine::policy::Policy;
use equanym_engine::run::audit::{AuditRequest, audit, known_by_policy};

use crate::releasing::policy;
use crate::requests;
use crate::stage::Stage;

/// Admissions of a hundred and twenty people. Some come twice or more, and to another town. Illnesses have several
/// spellings, and some are missing. Four people are much older than the others.
fn admissions(same: bool) -> String {
    let mut text = "id,town,age,illness,stage,pay\n".to_owned();
    for person in 0..120_usize {
        for visit in 0..[1, 1, 2, 3, 1, 4][person % 6] {
            let number = person * 7 + visit * 13;
            let town = ["Aby", "Bby", "Cby"][(person + visit / 2) % 3];
            let illness = ["flu", "Flu ", "gout", "mumps", "gout", ""][(number * number / 7 + person % 5) % 6];
            let stage = ["mild", "severe", "moderate"][(number / 3) % 3];
            let pay = if number % 17 == 0 { String::new() } else { (1000 + 50 * (number % 9)).to_string() };
            let (id, age) = (if same { 0 } else { person }, if person < 4 { 90 } else { 20 + person * 11 % 40 });
            writeln!(text, "p{id},{town},{age},{illness},{stage},{pay}").unwrap();
        }
    }
    text
}

const ORDER: &str = "values = [\"mild\", \"moderate\", \"severe\"]";
const LADDER: &str = "hierarchy = { groups = [{ infection = [\"flu\", \"Flu \", \"mumps\"] }] }";

/// Every model and kind: what it takes, and what its illness and its stage need for it.
fn models() -> Vec<(String, [&'static str; 2])> {
    let of = |variable: &str, name: &str, keys: &str| {
        format!("[[privacy]]\nmodel = \"{name}\"\nvariable = \"{variable}\"\n{keys}\n")
    };
    let plain = |name: &str, keys: &str| (of("illness", name, keys), ["", ""]);
    let bare = |name: &str, keys: &str| (format!("[[privacy]]\nmodel = \"{name}\"\n{keys}\n"), ["", ""]);
    vec![
        bare("k-anonymity", "k = 6"),
        plain("l-diversity", "l = 3"),
        plain("l-diversity", "l = 2.5\nkind = \"entropy\""),
        plain("l-diversity", "l = 2.5\nkind = \"entropy\"\nestimator = \"grassberger\""),
        plain("l-diversity", "l = 3\nkind = \"recursive\"\nc = 2.5"),
        plain("t-closeness", "t = 0.2"),
        plain("delta-disclosure", "delta = 1.5"),
        plain("delta-disclosure", "delta = 1.2\nabsent = \"ignored\""),
        plain("beta-likeness", "beta = 0.9"),
        plain("beta-likeness", "beta = 1\nkind = \"enhanced\""),
        plain("alpha-k", "alpha = 0.6\nk = 4"),
        plain("lkc", "l = 1\nk = 6\nc = 0.6"),
        plain("lkc", "l = 2\nk = 5\nc = 0.7"),
        (of("pay", "t-closeness", "t = 0.1\ndistance = \"ordered\""), ["", ""]),
        (of("stage", "t-closeness", "t = 0.1\ndistance = \"ordered\""), ["", ORDER]),
        (of("illness", "t-closeness", "t = 0.15\ndistance = \"hierarchical\""), [LADDER, ""]),
        bare("average-risk", "max = 0.1"),
        bare("records-at-risk", "highest = 0.2\nshare = 0.1"),
        bare("sample-uniques", "max = 0.02"),
        bare("population-uniques", "max = 0.01\nfraction = 0.3\nestimator = \"zayatz\""),
        bare("population-uniques", "max = 0.01\nfraction = 0.3\nestimator = \"pitman\""),
        bare("population-uniques", "max = 0.01\nknown = \"population\"\npopulation_size = 900\nestimator = \"snb\""),
        bare("population-uniques", "max = 0.01\nfraction = 0.05"),
        bare("cost-benefit", "benefit = 3\nloss = 20\ngain = 20\ncost = 0.5"),
        bare("cost-benefit", "attack = \"none\"\ngain = 20\ncost = 5"),
    ]
}

fn asked(model: &str, [illness, stage]: [&str; 2], has_person: bool, method: &str) -> Policy {
    let who = if has_person { "[data]\nperson = \"id\"\n" } else { "[variables.id]\nrole = \"identifying\"\n" };
    policy(&format!(
        "{who}[variables.town]\nrole = \"quasi-identifying\"\n\
         [variables.age]\nrole = \"quasi-identifying\"\nhierarchy = {{ intervals = [5, 10, 20] }}\n\
         [variables.illness]\nrole = \"sensitive\"\n{illness}\n[variables.stage]\nrole = \"sensitive\"\n{stage}\n\
         [variables.pay]\nrole = \"sensitive\"\n{model}[method]\n{method}"
    ))
}

/// A folder with the table, as it is and with all records of one person.
fn stage() -> Stage {
    let stage = Stage::with(admissions(false));
    stage.write("same.csv", admissions(true));
    stage
}

/// The audit with the original, which the mask or the policy explains.
fn compared(stage: &Stage, original: &str, policy: &Policy, by_mask: bool) -> Verdict {
    let (known, mask) = (known_by_policy(policy), stage.path("out/private/mask.json"));
    let (original, reading, known) = (stage.path(original), &policy.data, if by_mask { &[][..] } else { &known });
    let (original, mask) = (Some(original.as_path()), by_mask.then_some(mask.as_path()));
    audit(&AuditRequest { original, reading, mask, known, ..requests::audit(&stage.path("out/public")) }).unwrap()
}

fn failed(verdict: &Verdict) -> Vec<String> {
    verdict.failures().map(|check| format!("{check:?}")).collect()
}

/// Releases under these models, one after the other; what showed their promises, and how many records they withhold.
fn found_again(
    models: Vec<(String, [&'static str; 2])>,
    has_person: bool,
    method: &str,
) -> (BTreeSet<&'static str>, u64) {
    let (mut shown, mut withheld) = (BTreeSet::new(), 0);
    for (model, more) in models {
        let stage = stage();
        let policy = asked(&model, more, has_person, method);
        let released = stage.release(&policy, "out").unwrap_or_else(|error| panic!("{model}: {error:?}"));
        assert!(released.report.privacy.iter().all(|one| one.holds) && released.report.released > 0, "{model}");
        withheld += released.report.suppressed;
        let alone = audit(&requests::audit(&stage.path("out/public"))).unwrap();
        assert_eq!(failed(&alone), [""; 0], "{model}");
        for by_mask in [true, false] {
            let verdict = compared(&stage, "data.csv", &policy, by_mask);
            assert_eq!(failed(&verdict), [""; 0], "{model}");
            assert_eq!(verdict.unchecked().count(), 0, "{model}: {}", verdict.claimed);
            let judged = verdict.privacy[0].checked.as_str();
            assert_eq!(stage.json("out/public/manifest.json")["privacy"][0]["checked"], judged, "{model}");
            shown.insert(judged);
        }
    }
    (shown, withheld)
}

const OF_RECORDS: [Evidence; 2] = [Evidence::Release, Evidence::Original];
const OF_PEOPLE: [Evidence; 1] = [Evidence::Original];

/// Without a limit, and with one that is used; the table is written in both formats.
#[track_caller]
fn every_model(has_person: bool, limit: &str, format: &str, evidence: &[Evidence]) {
    let method = format!("suppression_limit = {limit}\n[output]\nformat = \"{format}\"\n");
    let (shown, withheld) = found_again(models(), has_person, &method);
    assert_eq!(shown, evidence.iter().map(|one| one.as_str()).collect());
    assert_eq!(withheld > 0, limit != "0");
}

#[test]
fn every_promise_of_records_is_found_again() {
    every_model(false, "0", "csv", &OF_RECORDS);
}

#[test]
fn every_promise_of_records_that_remain_is_found_again() {
    every_model(false, "0.3", "parquet", &OF_RECORDS);
}

#[test]
fn every_promise_of_people_is_found_again() {
    every_model(true, "0", "parquet", &OF_PEOPLE);
}

#[test]
fn every_promise_of_people_that_remain_is_found_again() {
    every_model(true, "0.3", "csv", &OF_PEOPLE);
}

#[test]
fn every_promise_of_local_recoding_is_found_again() {
    // Parts of keys and the whole table are not for local recoding.
    let by_class = |model: &str| model.contains("variable =") && !model.contains("\"lkc\"");
    let models = models().into_iter().filter(|(model, _)| by_class(model)).collect();
    found_again(models, false, "name = \"mondrian\"\n");
}

#[test]
fn records_of_one_person_keep_no_promise_of_many() {
    let stage = stage();
    let policy = asked(&models()[0].0, ["", ""], true, "suppression_limit = 0.1\n");
    stage.release(&policy, "out").unwrap();
    assert_eq!(failed(&compared(&stage, "data.csv", &policy, true)), [""; 0]);
    let verdict = compared(&stage, "same.csv", &policy, true);
    assert_eq!(verdict.failures().map(|check| check.name).collect::<Vec<_>>(), ["k-anonymity"]);
}

#[test]
fn a_limit_in_people_is_found_again() {
    let stage = stage();
    let policy = asked(&models()[0].0, ["", ""], true, "suppression_limit = 0.2\nlimit_unit = \"persons\"\n");
    let released = stage.release(&policy, "out").unwrap();
    assert!(released.report.suppressed > 0);
    let verdict = compared(&stage, "data.csv", &policy, true);
    assert_eq!((failed(&verdict), verdict.unchecked().count()), (vec![], 0));
    assert!(verdict.checks.iter().any(|check| check.claim.starts_with("the suppressed people stay within")));
}

#[test]
fn a_ladder_may_put_the_missing_value_beside_others() {
    let lines = ["A,", "B,n/a", "A,flu", "B,flu"].map(|line| format!("{line}\n").repeat(20));
    let stage = Stage::with(format!("town,illness\n{}", lines.concat()));
    // Half of each town are ill, and half unknown: in one town nobody says so, in the other it is written.
    let policy = policy(
        "[variables.town]\nrole = \"quasi-identifying\"\nlevels = { max = 0 }\n[variables.illness]\nrole = \"sensitive\"\n\
         hierarchy = { groups = [{ Unknown = [\"\", \"n/a\"] }] }\n\
         [[privacy]]\nmodel = \"t-closeness\"\nvariable = \"illness\"\ndistance = \"hierarchical\"\nt = 0.125\n",
    );
    stage.release(&policy, "out").unwrap();
    for by_mask in [true, false] {
        let verdict = compared(&stage, "data.csv", &policy, by_mask);
        assert_eq!((failed(&verdict), verdict.unchecked().count()), (vec![], 0), "{by_mask}");
    }
}
