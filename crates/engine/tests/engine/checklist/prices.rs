//! What detail costs, compared with a search through every node that this file makes by itself.

use std::collections::BTreeMap;
use std::fs;

use equanym_core::report::{NamedLevels, OtherRelease, Surroundings, Worth};
use tempfile::tempdir;

use crate::releasing::{policy, run};

const COLUMNS: usize = 3;

/// Levels of a value: as collected, two characters, one, none.
const TOP: u8 = 3;

type Record = [String; COLUMNS];
type Node = [u8; COLUMNS];

fn label(value: &str, level: u8) -> String {
    if level == TOP { "*".to_owned() } else { value[..3 - usize::from(level)].to_owned() }
}

fn classes(records: &[Record], node: Node) -> BTreeMap<Vec<String>, u64> {
    let mut classes: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    for record in records {
        let key = record.iter().zip(node).map(|(value, level)| label(value, level)).collect();
        *classes.entry(key).or_default() += 1;
    }
    classes
}

/// The records in classes below `k`.
fn suppressed(records: &[Record], node: Node, k: u64) -> u64 {
    classes(records, node).values().filter(|size| **size < k).sum()
}

fn nodes() -> impl Iterator<Item = Node> {
    (0..=TOP).flat_map(|one| (0..=TOP).flat_map(move |two| (0..=TOP).map(move |three| [one, two, three])))
}

/// The safe node of the least height; of several the one that withholds least, then the first.
fn best(records: &[Record], k: u64, allowance: u64, fits: impl Fn(&Node) -> bool) -> Option<(Node, u64)> {
    let counted = nodes().filter(fits).map(|node| (node, suppressed(records, node, k)));
    let safe = counted.filter(|(_, count)| *count <= allowance && *count < records.len() as u64);
    safe.min_by_key(|(node, count)| (node.iter().map(|level| u32::from(*level)).sum::<u32>(), *count, *node))
}

/// The levels of a node that are others than now.
fn changed(node: Node, now: Node) -> NamedLevels {
    let places = (0..COLUMNS).filter(|place| node[*place] != now[*place]);
    NamedLevels(
        places
            .map(|place| (["a", "b", "c"][place], node[place]))
            .map(|(name, level)| (name.to_owned(), level))
            .collect(),
    )
}

fn more(then: u64, now: u64) -> i64 {
    then.cast_signed() - now.cast_signed()
}

fn bought(found: Option<(Node, u64)>, (released, now): (Node, u64)) -> Option<OtherRelease> {
    found.map(|(node, suppressed)| OtherRelease {
        node: changed(node, released),
        suppressed,
        more: more(suppressed, now),
    })
}

fn worth(records: &[Record], k: u64, percent: u64) -> Worth {
    let lines: Vec<String> = records.iter().map(|record| record.join(",")).collect();
    let variable =
        |name: &str| format!("[variables.{name}]\nrole = \"quasi-identifying\"\nhierarchy = {{ prefix = [2, 1] }}\n");
    let text = ["a", "b", "c"].map(variable).concat()
        + &format!("[[privacy]]\nmodel = \"k-anonymity\"\nk = {k}\n")
        + &format!("[method]\nloss = \"height\"\nsuppression_limit = 0.{percent:02}\n");
    released(&format!("a,b,c\n{}\n", lines.join("\n")), &text, 2)
}

fn released(data: &str, text: &str, threads: usize) -> Worth {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("data.csv"), data).unwrap();
    let released = run(&folder.path().join("data.csv"), &policy(text), &folder.path().join("out"), threads).unwrap();
    released.report.worth.unwrap()
}

/// Each neighbour is the best safe node under its settings: with no column finer where less is permitted, otherwise with none
/// coarser and none more than a level finer.
fn check_surroundings(around: &Surroundings, records: &[Record], (node, now): (Node, u64)) {
    let levels = |node: Node| NamedLevels(["a", "b", "c"].iter().map(|&one| one.to_owned()).zip(node).collect());
    let whole = records.len() as f64;
    let [own, neighbours @ ..] = around.releases.as_slice() else { panic!("{around:?}") };
    assert_eq!((own.node.clone(), own.suppressed), (levels(node), now));
    assert_eq!(around.not_looked_at, None);
    assert!((2..=6).contains(&(neighbours.len() + around.unsafe_settings)), "{around:?}");
    for near in neighbours {
        // Limits are whole hundredths here.
        let hundredths = (0..=100_u64).find(|one| (near.suppression_limit * 100.0 - *one as f64).abs() < 1e-6).unwrap();
        let allowance = hundredths * records.len() as u64 / 100;
        let permits_less = near.k > own.k || near.suppression_limit < own.suppression_limit;
        let reaches = |other: &Node| {
            let fits =
                |(now, then): (&u8, &u8)| if permits_less { then >= now } else { then <= now && then + 1 >= *now };
            node.iter().zip(other).all(fits)
        };
        let (best, count) = best(records, near.k.unwrap(), allowance, reaches).unwrap();
        assert_eq!((near.node.clone(), near.suppressed), (levels(best), count), "{near:?}");
        let classes = classes(records, best).into_values().filter(|size| *size >= near.k.unwrap());
        assert!((near.risk - classes.count() as f64 / (whole - count as f64)).abs() < 1e-12, "{near:?}");
        let height = f64::from(best.iter().map(|level| u32::from(*level)).sum::<u32>());
        assert!((near.loss - height / f64::from(u32::from(TOP) * 3)).abs() < 1e-12, "{near:?}");
    }
}

/// Numbers that look like chance and are the same every time.
fn tables() -> impl Iterator<Item = Vec<Record>> {
    let mut state = 7_u64;
    let mut draw = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % below).unwrap()
    };
    (0..25).map(move |table| {
        let digits = 2 + table % 3;
        let mut cell = || (0..3).map(|_| ["a", "b", "c", "d"][draw(digits)]).collect::<String>();
        (0..40 + table).map(|_| [cell(), cell(), cell()]).collect()
    })
}

#[test]
fn prices_are_those_of_an_exhaustive_search() {
    let (mut prices, mut without) = (0, 0);
    for (number, records) in tables().enumerate() {
        let (k, percent) = (2 + number as u64 % 4, [0, 5, 10, 25][number % 4]);
        let whole = records.len() as u64;
        let allowance = whole * percent / 100;
        let (node, now) = best(&records, k, allowance, |_| true).unwrap();
        let worth = worth(&records, k, percent);
        assert_eq!(worth.not_looked_at, None);
        check_surroundings(worth.surroundings.as_ref().unwrap(), &records, (node, now));
        assert_eq!(worth.top, node.into_iter().filter(|level| *level == TOP).count());
        let is_finer = |other: &Node| node.iter().zip(other).all(|(now, then)| then <= now && then + 1 >= *now);
        let has_more = node.iter().any(|level| *level > 0);
        let bought_more = best(&records, k, whole * (percent + 1) / 100, is_finer).filter(|_| has_more);
        assert_eq!(worth.one_more_percent, bought(bought_more, (node, now)), "table {number}");
        let bought_less = if k > 2 { best(&records, k - 1, allowance, is_finer).filter(|_| has_more) } else { None };
        assert_eq!(worth.one_less_k, bought(bought_less, (node, now)), "table {number}");
        assert_eq!(worth.regain.len(), node.iter().filter(|level| **level > 0).count());
        for regain in &worth.regain {
            let place = ["a", "b", "c"].iter().position(|name| *name == regain.column).unwrap();
            let finer = node[place] - 1;
            let mut alone = node;
            alone[place] = finer;
            let count = suppressed(&records, alone, k);
            let is_safe =
                |k: &u64| suppressed(&records, alone, *k) <= allowance && suppressed(&records, alone, *k) < whole;
            let greatest = (2..=k).rev().find(is_safe);
            assert_eq!((regain.level, regain.alone.suppressed, regain.alone.k), (node[place], count, greatest));
            assert_eq!(regain.alone.more, more(count, now));
            let within = best(&records, k, allowance, |other| {
                (0..COLUMNS).all(|one| if one == place { other[one] == finer } else { other[one] >= node[one] })
            });
            without += usize::from(within.is_none());
            assert_eq!(regain.within, bought(within, (node, now)), "table {number}, {}", regain.column);
            assert!(regain.looked_at);
            prices += 1;
        }
    }
    assert!(prices > 30 && without > 0 && without < prices, "{prices} {without}");
}

/// Words and numbers tell the same.
#[test]
fn sentences_name_the_price() {
    let records: Vec<Record> =
        (0..40).map(|number| ["abc".to_owned(), format!("{:03}", number % 8 * 11), "xyz".to_owned()]).collect();
    let worth = worth(&records, 6, 0);
    assert_eq!(worth.sentence, "0 of 3 columns became `*`, 1 keeps part of the detail, 2 are as collected");
    let sentence = &worth.regain[0].sentence;
    assert!(
        sentence.starts_with("`b` at level 1: 40 more records withheld with all else as it is, or k = 5"),
        "{sentence}"
    );
    assert!(sentence.ends_with("; within the limit the others cannot make up for it"), "{sentence}");
}

/// One column tells all apart; four others, as collected, have ladders of bands that do not nest, so that every node would have
/// to be counted.
#[test]
fn what_takes_too_long_is_not_looked_at() {
    let names = ["b", "c", "d", "e"];
    let bands = "intervals = [2, 3, 5, 7, 11, 13]";
    let ladder = |name: &str, ladder: &str| {
        format!("[variables.{name}]\nrole = \"quasi-identifying\"\ntype = \"number\"\nhierarchy = {{ {ladder} }}\n")
    };
    let text = ladder("a", "intervals = [10, 2000]")
        + &names.map(|name| ladder(name, bands)).concat()
        + "[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";
    let record = |number: u32| format!("{},{},{},{},{}\n", number * 17, number % 2, number / 2 % 2, number / 4 % 2, 1);
    let data = "a,b,c,d,e\n".to_owned() + &(0..80).map(record).collect::<String>();
    let worth = released(&data, &text, 2);
    assert_eq!(worth, released(&data, &text, 1));
    let [regain] = worth.regain.as_slice() else { panic!("{worth:?}") };
    assert_eq!((regain.column.as_str(), regain.level, regain.looked_at, &regain.within), ("a", 2, false, &None));
    assert!(regain.sentence.ends_with("; what the others would have to give up was not looked at"), "{regain:?}");
    assert!(worth.not_looked_at.unwrap().contains("too large"), "{worth:?}");
    let around = worth.surroundings.unwrap();
    // What permits more begins with few nodes; what permits less may climb anywhere.
    assert!(around.releases.len() == 4 && around.not_looked_at.unwrap().contains("too large"), "{around:?}");
    // What needs no search is known all the same.
    assert!(regain.alone.suppressed > 0 && regain.alone.k.is_none(), "{regain:?}");
}

/// What a search cannot answer for is not searched, and the reason is told once.
#[test]
fn levels_that_were_not_searched_for_have_few_prices() {
    let ladder = "role = \"quasi-identifying\"\nhierarchy = { prefix = [1] }\n";
    let text = format!("[variables.a]\n{ladder}[variables.b]\n{ladder}[[privacy]]\nmodel = \"k-anonymity\"\nk = 4\n");
    let lines: Vec<String> = (0..40).map(|one| format!("x{},y{}\n", one % 9, one % 7)).collect();
    let data = format!("a,b\n{}", lines.concat());
    for (method, why) in [("balance", "balanced"), ("datafly", "did not prove")] {
        let points = "points = { user = 50, intruder = 50 }\n";
        let asked =
            if method == "balance" { text.replace(ladder, &(ladder.to_owned() + points)) } else { text.clone() };
        let worth = released(&data, &format!("{asked}[method]\nsearch = \"{method}\"\n"), 2);
        assert!(worth.not_looked_at.is_some_and(|told| told.contains(why)), "{worth:?}");
        assert!(!worth.regain.is_empty() && worth.regain.iter().all(|regain| !regain.looked_at), "{worth:?}");
        assert!(worth.regain.iter().all(|regain| !regain.sentence.contains("looked at")), "{worth:?}");
        assert_eq!((worth.one_more_percent, worth.one_less_k), (None, None));
        let around = worth.surroundings.unwrap();
        assert!(around.releases.is_empty() && around.not_looked_at.unwrap().contains(why), "{around:?}");
    }
}
