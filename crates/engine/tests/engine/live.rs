//! A table at hand: whatever is kept of earlier questions, an answer is that of a run which knows nothing.

use std::fmt::Write as _;
use std::fs;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use equanym_engine::error::Result;
use equanym_engine::machine::Resources;
use equanym_engine::policy::Policy;
use equanym_engine::progress::{Progress, Silent, Step, stop, until_stopped};
use equanym_engine::run::alternatives::alternatives;
use equanym_engine::run::frontier::{Frontier, frontier};
use equanym_engine::run::live::Live;

use crate::releasing::policy;
use crate::requests;
use crate::stage::Stage;

/// A table of people: ages, places, sexes, wards and who they are.
fn table() -> String {
    let mut text = String::from("age,zip,sex,ward,person\n");
    for row in 0..900_u32 {
        let mixed = row.wrapping_mul(2_654_435_761) >> 7;
        let (age, zip) = (18 + mixed % 61, 10_000 + (mixed / 61) % 40 * 25);
        let (sex, ward) = (["f", "m"][row as usize % 2], ["a", "b", "c", "d"][(mixed / 977) as usize % 4]);
        writeln!(text, "{age},{zip},{sex},{ward},{}", row / 2).unwrap();
    }
    text
}

/// That table, of which nothing was asked.
fn opened(stage: &Stage) -> Live {
    Live::new(&stage.data(), Resources::default()).unwrap()
}

fn at_hand() -> (Stage, Live) {
    let stage = Stage::with(table());
    let live = opened(&stage);
    (stage, live)
}

/// What of a policy changes.
#[derive(Clone, Copy)]
struct Choice<'a> {
    models: &'a str,
    method: &'a str,
    age: &'a str,
    zip: &'a str,
    sex: &'a str,
    ward: &'a str,
    more: &'a str,
}

const FIRST: Choice<'static> = Choice {
    models: "[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n",
    method: "suppression_limit = 0.05",
    age: "hierarchy = { intervals = [5, 10, 20] }\ntype = \"number\"",
    zip: "hierarchy = { prefix = [4, 3, 2] }",
    sex: "role = \"quasi-identifying\"",
    ward: "role = \"sensitive\"",
    more: "",
};

impl Choice<'_> {
    fn text(&self) -> String {
        let Self { models, method, age, zip, sex, ward, more } = self;
        format!(
            "{more}[variables.age]\nrole = \"quasi-identifying\"\n{age}\n[variables.zip]\nrole = \"quasi-identifying\"\n{zip}\n\
             [variables.sex]\n{sex}\n[variables.ward]\n{ward}\n[variables.person]\nrole = \"identifying\"\n{models}[method]\n{method}\n"
        )
    }
}

/// One change after the other, and back again.
fn changes() -> Vec<String> {
    let diverse = "[[privacy]]\nmodel = \"l-diversity\"\nvariable = \"ward\"\nl = 2\n";
    let twenty = Choice { models: "[[privacy]]\nmodel = \"k-anonymity\"\nk = 20\n", ..FIRST };
    let ladder = Choice { age: "hierarchy = { intervals = [10, 30] }\ntype = \"number\"", ..twenty };
    let guarded = Choice { models: diverse, ..FIRST };
    let all = [
        FIRST,
        twenty,
        Choice { method: "suppression_limit = 0.2", ..twenty },
        Choice { method: "suppression_limit = 0.2\nloss = \"precision\"", ..twenty },
        Choice { zip: "hierarchy = { prefix = [4, 3, 2] }\nlevels = { min = 2, max = 3 }", ..twenty },
        Choice { zip: "hierarchy = { prefix = [4, 3, 2] }\npoints = { user = 90, intruder = 10 }", ..twenty },
        ladder,
        Choice { zip: "hierarchy = { prefix = [3] }", ..ladder },
        Choice { age: "hierarchy = { intervals = [10, 30] }", ..ladder },
        Choice { sex: "role = \"insensitive\"", ..FIRST },
        guarded,
        Choice { ward: "role = \"quasi-identifying\"", ..FIRST },
        Choice { more: "[data]\nperson = \"person\"\n", ..FIRST },
        Choice { method: "name = \"mondrian\"\nsuppression_limit = 0.05", ..FIRST },
        twenty,
        FIRST,
    ];
    all.iter().map(Choice::text).collect()
}

fn told<T: std::fmt::Debug>(answer: &Result<T>) -> String {
    format!("{answer:?}")
}

#[test]
fn what_is_kept_changes_no_answer() {
    let (stage, live) = at_hand();
    let mut safe = 0;
    for text in &changes() {
        let policy =
            Policy::parse(text, &|_| unreachable!("no hierarchy files")).unwrap_or_else(|it| panic!("{it:?}\n{text}"));
        let fresh = || opened(&stage);
        let best = live.best(&policy, &Silent);
        assert_eq!(told(&best), told(&fresh().best(&policy, &Silent)), "{text}");
        assert_eq!(
            told(&live.alternatives(&policy, 5, &Silent)),
            told(&fresh().alternatives(&policy, 5, &Silent)),
            "{text}"
        );
        assert_eq!(told(&live.ladders(&policy, &Silent)), told(&fresh().ladders(&policy, &Silent)), "{text}");
        safe += usize::from(best.is_ok());
    }
    assert!(safe >= 12, "{safe}");
}

#[test]
fn the_order_and_the_map_are_those_of_their_commands() {
    let (stage, live) = at_hand();
    let data = stage.data();
    for text in &changes()[..2] {
        let policy = policy(text);
        live.best(&policy, &Silent).unwrap();
        let one = live.alternatives(&policy, 5, &Silent).unwrap();
        let request = requests::alternatives(data.as_path(), &policy, 5);
        assert_eq!(one, alternatives(&request).unwrap());
        let request = requests::frontier(data.as_path(), text, stage.folder(), &|_| unreachable!("no hierarchy files"));
        let map: Frontier = live.map(&request).unwrap();
        assert_eq!(map, frontier(&request).unwrap());
        assert!(map.points.len() > 3, "{map:?}");
        // It was counted already: the map is there without the table.
        fs::rename(&data, stage.path("away")).unwrap();
        assert_eq!(live.map(&request).unwrap(), map);
        assert!(frontier(&request).is_err());
        fs::rename(stage.path("away"), &data).unwrap();
    }
}

#[test]
fn a_level_that_is_not_permitted_has_the_price_of_a_policy_that_permits_it() {
    let (_stage, live) = at_hand();
    let bounded = |bounds: &str| {
        policy(&Choice { zip: &format!("hierarchy = {{ prefix = [4, 3, 2] }}\n{bounds}"), ..FIRST }.text())
    };
    let found = live.alternatives(&bounded("levels = { min = 2, max = 3 }"), 1, &Silent).unwrap();
    let zip = found.variables.iter().find(|variable| variable.name == "zip").unwrap();
    assert_eq!(zip.levels.iter().map(|price| price.level).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    let mut lower = 0;
    for price in &zip.levels {
        let there = bounded(&format!("levels = {{ min = {0}, max = {0} }}", price.level));
        let best = live.best(&there, &Silent).unwrap();
        let told = price.best.as_ref().unwrap();
        assert_eq!((&told.node, told.suppressed), (&best.node, best.suppressed));
        lower += usize::from(told.of_best.is_some_and(|share| share < 1.0));
    }
    assert!(lower > 0, "a bound that costs nothing shows nothing: {zip:?}");
}

/// Whoever asked is gone as soon as the count begins; before that, whoever waits for this is let on.
struct GoneCaller<'a> {
    begun: Option<&'a Barrier>,
    is_told: AtomicBool,
}

impl Progress for GoneCaller<'_> {
    fn at(&self, step: Step, _: u64) {
        if let Some(begun) = self.begun.filter(|_| step == Step::Count && !self.is_told.swap(true, Ordering::SeqCst)) {
            begun.wait();
            begun.wait();
        }
        stop();
    }
}

#[test]
fn whoever_is_stopped_while_counting_leaves_the_count_to_others() {
    let (stage, live) = at_hand();
    let policy = policy(&FIRST.text());
    let gone = GoneCaller { begun: None, is_told: AtomicBool::new(false) };
    assert!(until_stopped(|| live.best(&policy, &gone)).is_none(), "it had no answer");
    assert!(live.is_counted(&policy));
    // Nobody reads the table again.
    fs::remove_file(stage.data()).unwrap();
    live.best(&policy, &Silent).unwrap();
}

#[test]
fn a_count_that_nobody_wants_makes_room_for_another() {
    let (_stage, live) = at_hand();
    let (one, other) = (policy(&FIRST.text()), policy(&Choice { sex: "role = \"insensitive\"", ..FIRST }.text()));
    let (begun, (told, waits)) = (Barrier::new(2), sync_channel(1));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let gone = GoneCaller { begun: Some(&begun), is_told: AtomicBool::new(false) };
            assert!(until_stopped(|| live.best(&one, &gone)).is_none());
        });
        begun.wait();
        let answer = scope.spawn(|| live.best(&other, &Teller(told)));
        waits.recv().unwrap();
        begun.wait();
        answer.join().unwrap().unwrap();
    });
    assert!(!live.is_counted(&one) && live.is_counted(&other));
}

/// Says that it was told something.
struct Teller(SyncSender<()>);

impl Progress for Teller {
    fn at(&self, _: Step, _: u64) {
        // Once is enough.
        let _ = self.0.try_send(());
    }
}

#[test]
fn a_table_that_is_let_go_is_not_counted_to_its_end() {
    let (_stage, live) = at_hand();
    let policy = policy(&FIRST.text());
    live.let_go();
    assert!(until_stopped(|| live.best(&policy, &Silent)).is_none() && !live.is_counted(&policy));
}

#[test]
fn many_questions_at_once_have_the_answer_of_one() {
    let (stage, live) = at_hand();
    let texts: Vec<String> = changes();
    let policies: Vec<Policy> = texts.iter().map(|text| policy(text)).collect();
    std::thread::scope(|scope| {
        for policy in policies.iter().chain(&policies) {
            scope.spawn(|| {
                let fresh = opened(&stage);
                assert_eq!(told(&live.best(policy, &Silent)), told(&fresh.best(policy, &Silent)));
            });
        }
    });
}
