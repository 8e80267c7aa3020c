//! What `compare` finds, against numbers that are computed here in another way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use equanym_engine::policy::Policy;
use equanym_engine::run::compare::{CompareRequest, ComparisonReport, LabelReading, compare};
use tempfile::tempdir;

use crate::releasing::{ADULT, benchmark_policy, policy, reversed, run, shared_data};
use crate::requests;
use crate::stage::Stage;

fn compared(original: &Path, release: &Path, policy: Option<&Policy>, target: Option<&str>) -> ComparisonReport {
    let common = requests::compare(original, release);
    compare(&CompareRequest { policy, target, show_values: true, ..common }).unwrap()
}

/// A table as columns of texts.
type Columns = BTreeMap<String, Vec<String>>;

/// Reads plain delimited text without quotes.
fn columns(path: &Path, delimiter: char) -> Columns {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(delimiter).collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(delimiter).collect()).collect();
    let column = |place: usize| rows.iter().map(|row| row[place].to_owned()).collect();
    names.iter().enumerate().map(|(place, name)| ((*name).to_owned(), column(place))).collect()
}

/// The values that each label of a column may stand for: what shares a line of the ladder with it.
type Members = BTreeMap<String, BTreeSet<String>>;

fn shares<'a>(cells: impl Iterator<Item = &'a String>, whole: usize) -> BTreeMap<&'a str, f64> {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    for cell in cells {
        *counts.entry(cell).or_default() += 1.0;
    }
    counts.into_iter().map(|(cell, count)| (cell, count / whole as f64)).collect()
}

/// The total variation distance: what the original has in excess of the release, summed up.
fn distance(before: &[String], after: &[String], members: &Members) -> f64 {
    let (old, labels) = (shares(before.iter(), before.len()), shares(after.iter(), before.len()));
    let mut new: BTreeMap<&str, f64> = BTreeMap::new();
    for (label, share) in labels.iter().filter(|(label, _)| **label != "*") {
        let values: Vec<&String> = members[*label].iter().filter(|value| old.contains_key(value.as_str())).collect();
        for value in &values {
            *new.entry(value).or_default() += share / values.len() as f64;
        }
    }
    old.iter().map(|(value, share)| (share - new.get(value).unwrap_or(&0.0)).max(0.0)).sum()
}

/// Cramér's V by expected counts.
fn cramer(left: &[String], right: &[String]) -> Option<f64> {
    let known: Vec<(&String, &String)> =
        left.iter().zip(right).filter(|(left, right)| *left != "*" && *right != "*").collect();
    let count = |names: Vec<String>| -> BTreeMap<String, f64> {
        let mut counts = BTreeMap::new();
        for name in names {
            *counts.entry(name).or_default() += 1.0;
        }
        counts
    };
    let rows = count(known.iter().map(|(left, _)| (*left).clone()).collect());
    let sides = count(known.iter().map(|(_, right)| (*right).clone()).collect());
    let cells = count(known.iter().map(|(left, right)| format!("{left}\n{right}")).collect());
    let (all, smaller) = (known.len() as f64, rows.len().min(sides.len()));
    let mut chi = 0.0;
    for (row, of_row) in &rows {
        for (side, of_side) in &sides {
            let expected = of_row * of_side / all;
            let found = cells.get(&format!("{row}\n{side}")).unwrap_or(&0.0);
            chi += (found - expected).powi(2) / expected;
        }
    }
    (smaller > 1).then(|| (chi / all / (smaller as f64 - 1.0)).sqrt())
}

#[test]
fn every_column_of_adult_is_told_truly() {
    let Some(folder) = shared_data().map(|folder| folder.join("adult")).filter(|folder| folder.is_dir()) else {
        return;
    };
    let ladder = |name: &str| fs::read_to_string(folder.join("hierarchies").join(format!("{name}.csv"))).unwrap();
    let method = "[method]\nsuppression_limit = 0.04\n[variables.salary-class]\nrole = \"sensitive\"\n";
    let policy = benchmark_policy(&folder, &ADULT[..8], method);
    let scratch = tempdir().unwrap();
    let (data, out) = (folder.join("adult.csv"), scratch.path().join("out"));
    let released = run(&data, &policy, &out, 2).unwrap();
    let (before, after) = (columns(&data, ';'), columns(&out.join("public/data.csv"), ';'));
    let found = compared(&data, &out, None, Some("salary-class"));
    let by_policy = compared(&data, &out.join("public/data.csv"), Some(&policy), None);
    assert_eq!(found.records.original, 30_162);
    assert_eq!(found.frequencies.len(), ADULT.len());
    let mut distances = Vec::new();
    for (column, by_policy) in found.frequencies.iter().zip(&by_policy.frequencies) {
        let frequencies = &column.frequencies;
        let name = frequencies.column.as_str();
        let mut members = Members::new();
        for line in ladder(name).lines() {
            let cells: Vec<&str> = line.split(';').collect();
            for cell in &cells {
                members.entry((*cell).to_owned()).or_default().insert(cells[0].to_owned());
            }
        }
        let expected = distance(&before[name], &after[name], &members);
        assert!((frequencies.total_variation - expected).abs() < 1e-9, "{name}: {expected} {frequencies:?}");
        // The ladder says the same as the mask.
        assert!((by_policy.frequencies.total_variation - expected).abs() < 1e-9, "{name}");
        let recoded = name != "salary-class";
        assert_eq!(column.read_by, if recoded { LabelReading::Mask } else { LabelReading::Form }, "{name}");
        let stars = after[name].iter().filter(|cell| *cell == "*").count() as f64 / 30_162.0;
        let withheld = released.report.suppressed as f64 / 30_162.0;
        assert!((frequencies.unknown - stars).abs() < 1e-12 && (frequencies.withheld - withheld).abs() < 1e-12);
        let told = frequencies.exact + frequencies.grouped + frequencies.unknown + frequencies.unmatched;
        assert!((told + frequencies.withheld - 1.0).abs() < 1e-9 && frequencies.unmatched.abs() < 1e-12, "{name}");
        let distinct: BTreeSet<&String> = before[name].iter().collect();
        assert_eq!(frequencies.values, distinct.len(), "{name}");
        let drawn: f64 = frequencies.bars.iter().map(|bar| bar.original).sum();
        assert!((drawn - 1.0).abs() < 1e-9, "{name}");
        distances.push(expected);
    }
    assert!(distances.iter().any(|distance| *distance > 0.01) && distances.iter().any(|distance| *distance < 0.9));

    let pairs = &found.metrics.iter().find(|metric| metric.metric == "association").unwrap().figures;
    assert_eq!(pairs.len(), 36);
    for figure in pairs {
        let (one, other) = figure.of.as_deref().unwrap().split_once(" × ").unwrap();
        for (table, value) in [(&before, figure.original), (&after, figure.released)] {
            match (cramer(&table[one], &table[other]), value) {
                (Some(expected), Some(value)) => assert!((expected - value).abs() < 1e-9, "{one} {other}"),
                (expected, value) => assert_eq!(expected, value, "{one} {other}"),
            }
        }
    }

    let prediction = found.prediction.unwrap();
    let expected = naive_bayes(&before, "salary-class");
    assert_eq!((prediction.tested, prediction.features.len()), (15_081, 8));
    assert!((prediction.original - expected).abs() < 1e-9, "{expected} {prediction:?}");
    // What the release keeps is better than no model, and no better than everything by more than chance.
    assert!(prediction.released > prediction.commonest && prediction.released < prediction.original + 0.01);
    assert!((prediction.commonest - 0.751).abs() < 0.01, "{prediction:?}");
}

/// The share of right answers about every other record, learnt from all of them by plain counting.
fn naive_bayes(table: &Columns, target: &str) -> f64 {
    let records = table[target].len();
    // Sorted as the program sorts: by all columns in the order of the file.
    let order: Vec<&str> = ADULT.to_vec();
    let row = |record: usize| -> Vec<&str> { order.iter().map(|name| table[*name][record].as_str()).collect() };
    let mut sorted: Vec<Vec<&str>> = (0..records).map(row).collect();
    sorted.sort_unstable();
    let place = order.iter().position(|name| *name == target).unwrap();
    let classes: BTreeSet<&str> = sorted.iter().map(|row| row[place]).collect();
    let values: Vec<BTreeSet<&str>> =
        (0..order.len()).map(|column| sorted.iter().map(|row| row[column]).collect()).collect();
    // Ages are cut into ten parts with about as many records each.
    let part = |column: usize, value: &str| match order[column] {
        "age" => {
            let age = |text: &str| text.parse::<u32>().unwrap();
            let below = sorted.iter().filter(|row| age(row[column]) < age(value)).count();
            let here = sorted.iter().filter(|row| row[column] == value).count();
            ((2 * below + here) * 10 / (2 * records)).to_string()
        }
        _ => value.to_owned(),
    };
    let mut parts: Vec<BTreeMap<&str, String>> = Vec::new();
    for (column, values) in values.iter().enumerate() {
        parts.push(values.iter().map(|value| (*value, part(column, value))).collect());
    }
    let mut counts: BTreeMap<(&str, usize, &str), f64> = BTreeMap::new();
    let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
    for row in &sorted {
        *sizes.entry(row[place]).or_default() += 1.0;
        for (column, value) in row.iter().enumerate() {
            *counts.entry((row[place], column, parts[column][value].as_str())).or_default() += 1.0;
        }
    }
    let many: Vec<f64> = parts.iter().map(|of| of.values().collect::<BTreeSet<_>>().len() as f64).collect();
    let score = |class: &str, row: &[&str]| -> f64 {
        let mut score = (sizes[class] + 1.0).ln();
        for column in (0..order.len()).filter(|column| *column != place) {
            let count = counts.get(&(class, column, parts[column][row[column]].as_str())).unwrap_or(&0.0);
            score += ((count + 1.0) / (sizes[class] + many[column])).ln();
        }
        score
    };
    let tested: Vec<&Vec<&str>> = sorted.iter().skip(1).step_by(2).collect();
    let is_right = |row: &&&Vec<&str>| {
        let best = classes.iter().max_by(|one, other| score(one, row).total_cmp(&score(other, row))).unwrap();
        *best == row[place]
    };
    tested.iter().filter(is_right).count() as f64 / tested.len() as f64
}

/// People of four towns in two countries; each row so many times.
fn towns() -> String {
    let rows = [("Bern,34,yes", 6), ("Basel,35,yes", 2), ("Rom,61,no", 5), ("Pisa,,no", 3)];
    let rows = rows.iter().flat_map(|(row, times)| vec![format!("{row}\n"); *times]);
    format!("town,age,vote\n{}", rows.collect::<String>())
}

#[test]
fn labels_are_read_by_mask_policy_or_form_and_say_so() {
    let rows = "CH,30-39,yes\n".repeat(8) + &"IT,*,no\n".repeat(6);
    let stage = Stage::with(towns());
    let (data, release) = (stage.data(), stage.write("other.csv", format!("town,age,vote\n{rows}")));
    let ladder = "[variables.town]\nrole = \"quasi-identifying\"\n\
                  hierarchy = { groups = [{ CH = [\"Bern\", \"Basel\"], IT = [\"Rom\", \"Pisa\"] }] }\n\
                  [variables.age]\nrole = \"quasi-identifying\"\ntype = \"number\"\n[variables.vote]\nrole = \"insensitive\"\n\
                  [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let policy = policy(ladder);
    let found = compared(&data, &release, Some(&policy), Some("vote"));
    let of = |found: &ComparisonReport, name: &str| {
        found.frequencies.iter().find(|one| one.frequencies.column == name).unwrap().clone()
    };
    let (town, age) = (of(&found, "town"), of(&found, "age"));
    assert_eq!((town.read_by, age.read_by), (LabelReading::Policy, LabelReading::Form));
    // Of 16: 8 in CH are 4 and 4 instead of 6 and 2; 6 in IT are 3 and 3 instead of 5 and 3; 2 are withheld.
    assert!((town.frequencies.total_variation - (2.0 + 2.0 + 2.0 + 0.0 + 2.0) / 32.0).abs() < 1e-12, "{town:?}");
    // 34 and 35 share 8 (6 and 2 before), 61 and the missing are `*` (5 and 3), 2 are withheld.
    assert!((age.frequencies.total_variation - (2.0 + 2.0 + 5.0 + 3.0 + 6.0 + 2.0) / 32.0).abs() < 1e-12, "{age:?}");
    assert!((age.frequencies.unknown - 0.375).abs() < 1e-12 && (age.frequencies.withheld - 0.125).abs() < 1e-12);
    let prediction = found.prediction.as_ref().unwrap();
    assert!((prediction.released - 1.0).abs() < 1e-12, "{prediction:?}");

    // Nobody explains `CH` and `IT` where there is no policy.
    let unread = compared(&data, &release, None, None);
    let town = of(&unread, "town");
    assert!((town.frequencies.unmatched - 0.875).abs() < 1e-12 && town.read_by == LabelReading::Form);

    // The order of the records does not matter.
    let turned = stage.write("turned.csv", reversed(&towns()));
    let again = compared(&turned, &release, Some(&policy), Some("vote"));
    assert_eq!(format!("{:?}", again.frequencies), format!("{:?}", found.frequencies));
    assert_eq!(again.prediction, found.prediction);
}

#[test]
fn a_star_is_never_a_number() {
    let stage = Stage::with("age\n10\n20\n90\n");
    let (data, release) = (stage.data(), stage.write("other.csv", "age\n10\n20\n*\n"));
    let found = compared(&data, &release, None, None);
    let moments = &found.metrics.iter().find(|metric| metric.metric == "moments").unwrap().figures;
    let mean = moments.iter().find(|figure| figure.name.contains("mean")).unwrap();
    assert!((mean.released.unwrap() - 15.0).abs() < 1e-12, "{mean:?}");
    fs::write(&release, "age\n*\n*\n*\n").unwrap();
    let found = compared(&data, &release, None, None);
    assert_eq!((found.columns.len(), found.left_out.as_slice()), (0, &["age".to_owned()][..]));
    assert!((found.frequencies[0].frequencies.total_variation - 1.0).abs() < 1e-12);
}

#[test]
fn many_different_values_are_compared_and_few_are_shown() {
    let (mut rows, mut bands) = (String::new(), String::new());
    for record in 0..30_000 {
        writeln!(rows, "id{record},{record}").unwrap();
        writeln!(bands, "id{record},{}-{}", record / 10 * 10, record / 10 * 10 + 9).unwrap();
    }
    let stage = Stage::with(format!("name,number\n{rows}"));
    let release = stage.write("other.csv", format!("name,number\n{bands}"));
    let found = compared(&stage.data(), &release, None, None);
    for column in &found.frequencies {
        let frequencies = &column.frequencies;
        assert!(frequencies.total_variation < 1e-9, "{}", frequencies.column);
        assert!(frequencies.values == 30_000 && frequencies.bars.len() <= 50, "{}", frequencies.bars.len());
    }
    let pairs = &found.metrics.iter().find(|metric| metric.metric == "association").unwrap().figures;
    assert!(pairs.is_empty());
}
