//! Local recoding and new values from end to end: what is written, what is claimed, what is refused, what is compared.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::releasing;
use crate::releasing::{contents, policy, reversed};
use crate::requests;
use crate::stage::Stage;
use equanym_core::card::Value;
use equanym_engine::error::Kind;
use equanym_engine::policy::Policy;
use equanym_engine::run::compare::{self, ComparisonReport};
use equanym_engine::run::demo;

/// People with an age, an income in cents, a town and a hobby; one income in fifty is missing.
fn people(count: u64) -> String {
    let mut text = "name,age,income,town,hobby\n".to_owned();
    for person in 0..count {
        let mixed = person.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 33;
        let (age, income) = (18 + mixed % 60, 90_000 + mixed * 31 % 400_000);
        let income = if person % 50 == 7 { String::new() } else { format!("{}.{:02}", income / 100, income % 100) };
        let (town, hobby) = (
            ["Nordby", "Sydby", "Ostby"][usize::try_from(person % 3).unwrap()],
            ["chess", "golf", "darts"][usize::try_from(mixed % 3).unwrap()],
        );
        writeln!(text, "Person {person},{age},{income},{town},{hobby}").unwrap();
    }
    text
}

const REST: &str = "[variables.name]\nrole = \"identifying\"\n[variables.hobby]\nrole = \"sensitive\"\n";
const QUASI: &str = "role = \"quasi-identifying\"\n";
const K: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";

/// Ages and incomes are divided, towns have no ladder.
fn mondrian(method: &str) -> Policy {
    let l = "[[privacy]]\nmodel = \"l-diversity\"\nvariable = \"hobby\"\nl = 2\n";
    policy(&format!(
        "{REST}[variables.age]\n{QUASI}type = \"number\"\n[variables.income]\n{QUASI}type = \"number\"\n\
         [variables.town]\n{QUASI}{K}{l}[method]\nname = \"mondrian\"\n{method}"
    ))
}

/// Ages and incomes get new values, towns are recoded.
fn renewed(method: &str, mark: &str, more: &str) -> Policy {
    policy(&format!(
        "{REST}[variables.age]\n{QUASI}{mark} = true\ndomain = [0, 120]\n[variables.income]\n{QUASI}{mark} = true\n\
         [variables.town]\n{QUASI}{K}[method]\nname = \"{method}\"\n{more}"
    ))
}

fn compare(stage: &Stage, out: &str, policy: &Policy) -> ComparisonReport {
    let (data, out, policy, target) = (stage.data(), stage.path(out), Some(policy), Some("hobby"));
    let common = requests::compare(&data, out.as_path());
    compare::compare(&compare::CompareRequest { policy, target, ..common }).unwrap()
}

#[test]
fn mondrian_passes_its_audit_and_depends_on_no_order() {
    let (stage, other) = (Stage::with(people(600)), Stage::with(reversed(&people(600))));
    let released = stage.release_on(1, &mondrian(""), "one").unwrap();
    stage.audit("one");
    assert_eq!((released.report.released, released.report.suppressed), (600, 0));
    assert!(released.report.classes.min >= 5 && released.report.classes.count > 40);
    assert!(released.report.checklist.warnings().iter().any(|warning| warning.contains("as after global recoding")));
    other.release(&mondrian(""), "two").unwrap();
    assert_eq!(contents(&stage.path("one")), contents(&other.path("two")));
}

#[test]
fn relaxed_cuts_make_other_classes_and_no_unsafe_one() {
    let stage = Stage::with(people(600));
    let strict = stage.release(&mondrian(""), "strict").unwrap().report.classes;
    let relaxed = stage.release(&mondrian("cuts = \"relaxed\"\n"), "relaxed").unwrap().report;
    stage.audit("relaxed");
    assert!(relaxed.classes != strict && relaxed.classes.min >= 5 && relaxed.released == 600, "{:?}", relaxed.classes);
}

#[test]
fn level_bounds_leave_records_to_withhold() {
    let stage = Stage::with(format!("{}Eva,40,1000.00,Lonely,chess\n", people(300)));
    let policy = |limit: &str| {
        let text = format!(
            "{REST}[variables.age]\n{QUASI}type = \"number\"\n[variables.income]\n{QUASI}type = \"number\"\n\
             [variables.town]\n{QUASI}levels = {{ max = 0 }}\n{K}[method]\nname = \"mondrian\"\nsuppression_limit = {limit}\n"
        );
        releasing::policy(&text)
    };
    let refused = stage.refusal(&policy("0.0"));
    assert_eq!(refused.kind, Kind::Unsafe);
    let released = stage.release(&policy("0.01"), "bounded").unwrap().report;
    stage.audit("bounded");
    assert_eq!((released.released, released.suppressed), (300, 1));
    let csv = stage.released("bounded");
    assert!(!csv.contains("Lonely") && csv.lines().count() == 301);
}

#[test]
fn the_walk_is_the_same_at_any_number_of_threads_and_secret_without_a_seed() {
    let stage = Stage::with(people(500));
    let seeded = renewed("random-walk", "walk", "seed = 918273\n");
    for (out, threads) in [("one", 1), ("two", 2)] {
        stage.release_on(threads, &seeded, out).unwrap();
        stage.audit(out);
    }
    assert_eq!(contents(&stage.path("one")), contents(&stage.path("two")));
    for (path, bytes) in contents(&stage.path("one")) {
        assert!(!String::from_utf8_lossy(&bytes).contains("918273"), "{} holds the seed", path.display());
    }
    let secret = renewed("random-walk", "walk", "");
    let texts = ["three", "four"].map(|out| {
        stage.release(&secret, out).unwrap();
        stage.released(out)
    });
    assert_ne!(texts[0], texts[1]);
}

#[test]
fn new_values_go_back_to_their_records() {
    let csv = people(400);
    let stage = Stage::with(&csv);
    let policy = renewed("random-walk", "walk", "seed = 1\nsegment = 50\n[output]\norder = \"input\"\n");
    let released = stage.release(&policy, "walked").unwrap();
    stage.audit("walked");
    let text = stage.released("walked");
    let cells = |line: &str, place: usize| line.split(',').nth(place).unwrap().to_owned();
    let pairs: Vec<(String, String)> =
        csv.lines().skip(1).zip(text.lines().skip(1)).map(|(old, new)| (old.to_owned(), new.to_owned())).collect();
    assert_eq!(pairs.len(), 400);
    for (old, new) in &pairs {
        assert_eq!((cells(old, 3), cells(old, 4)), (cells(new, 2), cells(new, 3)), "a record was mixed up");
        assert_eq!(cells(old, 2).is_empty(), cells(new, 1).is_empty(), "a missing value did not stay missing");
        let income = cells(new, 1);
        assert!(income.is_empty() || income.split_once('.').is_some_and(|(_, cents)| cents.len() == 2), "{income}");
        assert!((0..=120).contains(&cells(new, 0).parse::<i32>().unwrap()));
    }
    // Order within a segment, equal ages included.
    for segment in pairs.chunks(50) {
        let mut ages: Vec<(i32, i32)> =
            segment.iter().map(|(old, new)| (cells(old, 1).parse().unwrap(), cells(new, 0).parse().unwrap())).collect();
        ages.sort_unstable();
        assert!(
            ages.windows(2).all(|pair| pair[0].1 <= pair[1].1 && (pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1))
        );
    }
    let found = released.report.new_values.unwrap();
    assert!(found.linkage.columns[0].unchanged < 0.5 && found.guarantee.contains("without a formal guarantee"));
    assert!(found.linkage.columns[1].rank_within_segments.unwrap() > 0.99, "the order is kept, so ranks are published");
    assert!((released.report.risk.prosecutor_max - 1.0).abs() < 1e-12);
}

#[test]
fn records_that_are_withheld_get_no_new_values() {
    let stage = Stage::with(format!("{}Eva,40,1000.00,Lonely,chess\n", people(300)));
    let policy = renewed("perturbation", "perturb", "seed = 1\nsuppression_limit = 0.01\n");
    let released = stage.release(&policy, "noisy").unwrap().report;
    stage.audit("noisy");
    assert_eq!((released.released, released.suppressed), (300, 1));
    let distortion = &released.new_values.unwrap().utility[0].figures[0];
    assert!(distortion.value <= 0.1 && distortion.value > 0.09, "{distortion:?}");
}

#[test]
fn public_files_hold_no_original_number() {
    let canary = "98765.43";
    let csv = people(300);
    let line = csv.lines().nth(6).unwrap().to_owned();
    let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
    cells[2] = canary.to_owned();
    let stage = Stage::with(csv.replace(&line, &cells.join(",")));
    stage.release(&renewed("random-walk", "walk", "seed = 1\n"), "walked").unwrap();
    for (path, bytes) in contents(&stage.path("walked/public")) {
        assert!(!String::from_utf8_lossy(&bytes).contains(canary), "{}", path.display());
    }
}

#[test]
fn a_frozen_walk_is_no_release() {
    let stage = Stage::with(people(300));
    stage.refusal(&renewed("random-walk", "walk", "walk = \"paper\"\nsweeps = 50\nseed = 1\n"));
}

#[test]
fn what_belongs_to_its_records_is_not_applied_again() {
    let stage = Stage::with(people(300));
    for (policy, out) in [(mondrian(""), "m"), (renewed("random-walk", "walk", ""), "w")] {
        stage.release(&policy, out).unwrap();
        stage.refused(stage.apply(out, "data.csv", "again"));
    }
}

#[test]
fn without_recoded_columns_nothing_is_guaranteed_and_the_audit_knows() {
    let stage = Stage::with(people(200));
    let text = format!(
        "{REST}[variables.age]\n{QUASI}walk = true\n[variables.income]\n{QUASI}walk = true\n\
         [variables.town]\nrole = \"insensitive\"\n[method]\nname = \"random-walk\"\nseed = 4\n"
    );
    let released = stage.release(&policy(&text), "walked").unwrap().report;
    stage.audit("walked");
    assert!(released.privacy.is_empty() && released.choice.is_none());
    let page = stage.read("walked/public/report.html");
    assert!(page.contains("No formal guarantee") && !page.contains("Linked by rank"));
    let owners = stage.read("walked/private/report.html");
    assert!(owners.contains("No formal guarantee") && owners.contains("Linked by rank"));
    stage.refusal(&policy(&format!("{text}{K}")));
}

#[test]
fn bad_input_is_refused_without_showing_it() {
    let walked = |more: &str| renewed("random-walk", "walk", &format!("seed = 1\n{more}"));
    let stage = |cell: &str| {
        Stage::with(people(100).replacen(",18,", &format!(",{cell},"), 1).replacen(",44,", &format!(",{cell},"), 1))
    };
    for cell in ["unknown", "NaN", "inf", "-inf", "1e999"] {
        let refused = stage(cell).refusal(&walked(""));
        assert!(!refused.to_string().contains(cell), "{refused}");
    }
    stage("150").refusal(&walked(""));
    let few = Stage::with("name,age,income,town,hobby\nA,1,1,X,a\nB,2,2,X,a\nC,1,3,X,a\nD,2,4,X,a\nE,1,5,X,a\n");
    few.refusal(&walked(""));
    let property = "[[method.property]]\nsum = [{ variable = \"age\", records = [1] }, { variable = \"age\", records = [2], factor = -1 }]\nequal = 1000\n";
    Stage::with(people(100)).refusal(&walked(property));
}

#[test]
fn properties_of_the_policy_are_kept() {
    let stage = Stage::with(
        "name,age,income,town,hobby\nA,20,5,X,a\nB,30,1,X,a\nC,45,9,X,a\nD,61,4,X,a\nE,33,7,X,a\nF,52,2,X,a\n",
    );
    let property = "order = false\ntheta = 0.0\nseed = 2\n[[method.property]]\nsum = [{ variable = \"age\", records = [1, 2] }]\nequal = \"data\"\n\
                    [output]\norder = \"input\"\n";
    stage.release(&renewed("random-walk", "walk", property), "kept").unwrap();
    let text = stage.released("kept");
    let ages: Vec<i64> = text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(ages[0] + ages[1], 50, "{ages:?}");
    assert_ne!(ages, [20, 30, 45, 61, 33, 52]);
}

#[test]
fn totals_of_groups_are_kept_to_the_last_digit() {
    let table = people(300);
    let stage = Stage::with(&table);
    let property = "seed = 2\n[[method.property]]\ntotal = \"age\"\nby = \"hobby\"\nequal = \"data\"\n\
                    [[method.property]]\nmean = \"income\"\nwhere = { town = \"TOWN\" }\nequal = \"data\"\n\
                    [output]\norder = \"input\"\n";
    let cells = |text: &str, column: usize| -> Vec<String> {
        text.lines().skip(1).map(|line| line.split(',').nth(column).unwrap().to_owned()).collect()
    };
    let town = cells(&table, 3)[0].clone();
    stage.release(&renewed("random-walk", "walk", &property.replace("TOWN", &town)), "totals").unwrap();
    let text = stage.released("totals");
    let sums = |values: &[String], groups: &[String]| {
        let mut sums = std::collections::BTreeMap::new();
        for (value, group) in values.iter().zip(groups) {
            // In cents; a missing value adds nothing.
            *sums.entry(group.clone()).or_insert(0) += value.replace('.', "").parse::<i64>().unwrap_or(0);
        }
        sums
    };
    let (ages, hobbies) = (cells(&table, 1), cells(&table, 4));
    let new = cells(&text, 0);
    assert_eq!(sums(&new, &hobbies), sums(&ages, &hobbies));
    assert!(sums(&ages, &hobbies).len() > 1 && new != ages);
    let of_town = |incomes: &[String]| sums(incomes, &cells(&table, 3))[&town];
    assert_eq!(of_town(&cells(&text, 1)), of_town(&cells(&table, 2)));
}

#[test]
fn groups_that_cannot_be_kept_are_told_by_their_number() {
    let stage = Stage::with(people(100));
    for property in [
        "total = \"age\"\nby = \"name\"\nequal = \"data\"\n",
        "total = \"age\"\nby = \"street\"\nequal = \"data\"\n",
        "total = \"age\"\nwhere = { town = \"Atlantis\" }\nequal = \"data\"\n",
        "total = \"age\"\nequal = 1\n",
    ] {
        let refused = stage.refusal(&renewed("random-walk", "walk", &format!("[[method.property]]\n{property}")));
        assert!(!refused.to_string().contains("Atlantis"), "{refused}");
    }
}

#[test]
fn a_comparison_needs_aligned_records_for_some_metrics_only() {
    let stage = Stage::with(people(300));
    let canonical = renewed("random-walk", "walk", "seed = 1\n");
    stage.release(&canonical, "canonical").unwrap();
    let found = compare(&stage, "canonical", &canonical);
    assert!(!found.aligned && found.linkage.is_none() && found.category.as_deref() == Some("hobby"));
    assert_eq!(found.columns, ["age", "income"]);
    for metric in &found.metrics {
        assert_eq!(metric.measured, !metric.needs_aligned_records, "{}", metric.metric);
        assert_eq!(metric.figures.is_empty(), metric.needs_aligned_records, "{}", metric.metric);
    }
    let ordered = renewed("random-walk", "walk", "seed = 1\n[output]\norder = \"input\"\n");
    let released = stage.release(&ordered, "ordered").unwrap();
    let found = compare(&stage, "ordered", &ordered);
    assert!(found.aligned && found.metrics.iter().all(|metric| metric.measured && !metric.figures.is_empty()));
    let reported = released.report.new_values.unwrap();
    assert_eq!(found.metrics[0].figures, reported.utility[0].figures, "the report and the comparison agree");
    assert_eq!(found.linkage.unwrap().distance, reported.linkage.distance);
}

#[test]
fn localities_are_counted_alike_by_report_and_comparison() {
    let stage = Stage::with(people(300));
    let mut found_reversed = false;
    for (order, theta, segment) in [(true, 1.0, 30), (true, 0.3, 100), (false, 1.0, 20), (false, 0.2, 70)] {
        let out = format!("{order}{theta}");
        let more = format!(
            "seed = 5\norder = {order}\ntheta = {theta}\nsegment = {segment}\nsweeps = 3\n[output]\norder = \"input\"\n"
        );
        let policy = renewed("random-walk", "walk", &more);
        let released = stage.release(&policy, &out).unwrap();
        let facts = released.report.new_values.unwrap().facts;
        let fact = |name: &str, column: &str| {
            facts.iter().find(|one| one.name == name && one.of.as_deref() == Some(column)).unwrap().value
        };
        let found = compare(&stage, &out, &policy);
        let figures = &found.metrics.iter().find(|metric| metric.metric == "localities").unwrap().figures;
        for figure in figures {
            let column = figure.of.as_deref().unwrap();
            let [all, reversed] =
                ["localities in the data", "localities that came out the other way"].map(|name| fact(name, column));
            let kept = figure.released.unwrap();
            assert_eq!((figure.original.unwrap(), figure.original.unwrap() - kept), (all, reversed), "{out} {column}");
            found_reversed |= !order && reversed > 0.0;
        }
        assert_eq!(figures.len(), 2);
        let listed = facts.iter().any(|fact| fact.name == "relations listed");
        assert_eq!(listed, !order);
    }
    assert!(found_reversed);
}

#[test]
fn metrics_take_parameters() {
    let stage = Stage::with(people(300));
    let policy = renewed("random-walk", "walk", "seed = 1\nsegment = 50\n[output]\norder = \"input\"\n");
    stage.release(&policy, "out").unwrap();
    let (data, out) = (stage.data(), stage.path("out"));
    let compared = |given: &[(&str, i64)]| {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), Value::Integer(*value)));
        let common = requests::compare(&data, out.as_path());
        compare::compare(&compare::CompareRequest { policy: Some(&policy), parameters: given.collect(), ..common })
    };
    let figures = |found: &ComparisonReport, name: &str| {
        found.metrics.iter().find(|metric| metric.metric == name).unwrap().figures.clone()
    };
    let usual = compared(&[]).unwrap();
    for (metric, given) in
        [("clustering", ("clusters", 3)), ("queries", ("queries", 20)), ("localities", ("segment", 10))]
    {
        let other = compared(&[given]).unwrap();
        assert_ne!(figures(&usual, metric), figures(&other, metric), "{metric}");
    }
    // Made in segments of 50: looked at in segments of 50.
    assert_eq!(figures(&usual, "localities"), figures(&compared(&[("segment", 50)]).unwrap(), "localities"));
    let [rank, of_all] = [50, 300].map(|segment| compared(&[("segment", segment)]).unwrap().linkage.unwrap());
    assert!(rank.columns.iter().all(|column| column.rank_within_segments >= Some(column.rank)));
    assert!(of_all.columns.iter().all(|column| column.rank_within_segments == Some(column.rank)));
    for refused in [("clusters", 1), ("colour", 3)] {
        let error = compared(&[refused]).unwrap_err();
        assert_eq!(error.kind, Kind::Input, "{error}");
    }
}

#[test]
fn the_mean_risk_is_the_worst_linkage() {
    let stage = Stage::with(people(300));
    let report = stage.release(&renewed("random-walk", "walk", "seed = 1\nsegment = 60\n"), "out").unwrap().report;
    let linkage = report.new_values.unwrap().linkage;
    let shares = linkage.columns.iter().flat_map(|one| [one.rank, one.rank_within_segments.unwrap()]);
    let worst = shares.fold(linkage.distance.share, f64::max);
    assert!((report.risk.prosecutor_mean - worst).abs() < 1e-12 && worst > 0.5, "{:?}", report.risk);
}

#[test]
fn one_variable_may_have_a_ladder_and_a_walk() {
    let stage = Stage::with(people(300));
    let both = |method: &str| {
        policy(&format!(
            "{REST}[variables.age]\n{QUASI}hierarchy = {{ intervals = [10, 20] }}\nlevels = {{ min = 1 }}\nwalk = true\n\
             [variables.income]\n{QUASI}walk = true\n[variables.town]\n{QUASI}{K}[method]\nname = \"{method}\"\nseed = 1\n"
        ))
    };
    let released = stage.release(&both("random-walk"), "out").unwrap();
    assert_eq!(released.report.new_values.unwrap().columns, ["age", "income"]);
    assert_eq!(released.report.node.0, [("town".to_owned(), 0)]);
    stage.audit("out");
}

#[test]
fn ranges_are_compared_as_ranges() {
    let stage = Stage::with(people(600));
    let policy = mondrian("[output]\norder = \"input\"\n");
    stage.release(&policy, "ranges").unwrap();
    let found = compare(&stage, "ranges", &policy);
    assert!(found.aligned && found.columns == ["age", "income"]);
    let distortion = found.metrics.iter().find(|metric| metric.metric == "distortion").unwrap().figures[0].value;
    let wanted = by_class_means(&stage, "ranges");
    assert!((distortion - wanted).abs() < 1e-9 && distortion > 0.0, "{distortion} {wanted}");
    assert_eq!(found.by_middle, ["age", "income"]);
}

/// The distortion of ages and incomes where the mean of its class stands for a range, from the files.
fn by_class_means(stage: &Stage, out: &str) -> f64 {
    let rows = |path: &Path| -> Vec<Vec<String>> {
        let records = csv::Reader::from_path(path).unwrap().into_records();
        records.map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    // The release has no names: its columns stand one place further to the left.
    let (old, new) = (rows(&stage.data()), rows(&stage.path(out).join("public/data.csv")));
    let (mut sum, mut cells) = (0.0, 0.0);
    for place in [1, 2] {
        let value = |record: usize| old[record][place].parse::<f64>().ok();
        let known = || (0..old.len()).filter_map(value);
        let range = known().fold(0.0, f64::max) - known().fold(f64::INFINITY, f64::min);
        for record in (0..old.len()).filter(|record| new[*record][place - 1].starts_with('[')) {
            let Some(before) = value(record) else { continue };
            let class = (0..old.len()).filter(|other| new[*other][..3] == new[record][..3]).filter_map(value);
            let class: Vec<f64> = class.collect();
            let mean = class.iter().sum::<f64>() / class.len() as f64;
            (sum, cells) = (sum + (mean - before).abs() / before.max(range / 100.0), cells + 1.0);
        }
    }
    sum / cells
}

#[test]
fn the_example_of_a_walk_is_released() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hospital");
    let stage = Stage::with(fs::read_to_string(folder.join("admissions.csv")).unwrap());
    let released = stage.release(&Policy::load(&folder.join("walk.toml")).unwrap(), "walked").unwrap().report;
    stage.audit("walked");
    assert!(released.suppressed <= 100 && released.classes.min >= 5 && released.privacy.len() == 2);
    assert!(released.new_values.unwrap().linkage.columns[0].unchanged < 0.5);
}

#[test]
fn the_hospital_is_divided_and_passes_its_audit() {
    let stage = Stage::with(demo::write_csv(demo::RECORDS, demo::SEED));
    let file = |name: &str| Ok(demo::HIERARCHIES.iter().find(|(path, _)| *path == name).unwrap().1.to_owned());
    let text = demo::POLICY.replace("\"global-recoding\"", "\"mondrian\"");
    let released = stage.release(&Policy::parse(&text, &file).unwrap(), "hospital").unwrap().report;
    stage.audit("hospital");
    assert!(released.suppressed <= 100 && released.classes.min >= 5 && released.classes.count > 100);
}
