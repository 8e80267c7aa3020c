//! The minimality attack end to end: the published example, what its checklist and the attack say, and a search that prevents it.

use std::collections::BTreeMap;
use std::fs;

use equanym_core::checklist::{Advice, Check, ChecklistLine, ChecklistNumber};
use equanym_engine::policy::Policy;
use equanym_engine::progress::Silent;
use equanym_engine::read::Reading;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::attack::{AttackReport, AttackRequest, attack};

use crate::releasing::policy;
use crate::requests;
use crate::stage::Stage;

const ILLNESSES: [&str; 10] = ["HIV", "HIV", "asthma", "cough", "eczema", "fever", "flu", "gout", "measles", "mumps"];

/// Two people of Nordby, then eight of Sydby, with these illnesses.
fn survey(illnesses: &[&str]) -> String {
    let town = |place: usize| if place < 2 { "Nordby" } else { "Sydby" };
    let lines = illnesses.iter().enumerate().map(|(place, illness)| format!("{},{illness}\n", town(place)));
    format!("town,illness\n{}", lines.collect::<String>())
}

fn guarded(method: &str) -> Policy {
    policy(&format!(
        "[variables.town]\nrole = \"quasi-identifying\"\n[variables.illness]\nrole = \"sensitive\"\n\
         [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n\
         [[privacy]]\nmodel = \"l-diversity\"\nvariable = \"illness\"\nl = 2\n[method]\n{method}"
    ))
}

fn line(released: &FinishedRelease) -> ChecklistLine {
    let mut lines = released.report.checklist.lines().iter().filter(|line| line.check == Check::Minimality);
    let line = lines.next().unwrap().clone();
    assert!(lines.next().is_none());
    line
}

fn numbers(line: &ChecklistLine) -> Vec<(&'static str, u64)> {
    let count = |number: &ChecklistNumber| if let ChecklistNumber::Count(count) = number { *count } else { panic!() };
    line.numbers.iter().map(|(name, number)| (*name, count(number))).collect()
}

fn attacked(stage: &Stage, policy: Option<&Policy>) -> AttackReport {
    attack(&AttackRequest {
        release: stage.path("out/public").as_path().into(),
        original: (&stage.data()).into(),
        control: None,
        policy,
        reading: &Reading::default(),
        resources: requests::threads(2),
        progress: &Silent,
    })
    .unwrap()
}

/// The share of people whom the attack singles out.
fn share(attacked: &AttackReport) -> Option<f64> {
    attacked.attacks.iter().find(|one| one.attack == "minimality").map(|one| one.original.rate)
}

#[test]
fn the_published_example_is_told_by_checklist_and_attack() {
    let (stage, policy) = (Stage::with(survey(&ILLNESSES)), guarded(""));
    let released = stage.release(&policy, "out").unwrap();
    assert_eq!(stage.released("out").lines().filter(|line| line.starts_with('*')).count(), 10);
    let told = line(&released);
    assert_eq!(told.advice, Advice::Look);
    assert_eq!(numbers(&told), [("nodes", 1), ("people", 10), ("singled_out", 2), ("withheld", 0)]);
    assert_eq!(
        told.message,
        "a better combination of levels keeps what the models ask of quasi-identifiers: whoever knows everybody's concludes that \
         sensitive values forbid it (minimality attack); that may tell of 10 records; 2 records are in a class that must be the \
         reason; `search = \"discreet\"` tells nothing, at a price"
    );
    assert_eq!(share(&attacked(&stage, Some(&policy))), Some(0.2));
    assert_eq!(share(&attacked(&stage, None)), None);
    // Nothing of it is public.
    for file in fs::read_dir(stage.path("out/public")).unwrap() {
        assert!(!fs::read_to_string(file.unwrap().path()).unwrap().contains("minimality"));
    }
}

#[test]
fn who_is_withheld_for_an_illness_is_counted() {
    let stage = Stage::with(survey(&ILLNESSES));
    let told = line(&stage.release(&guarded("suppression_limit = 0.2"), "out").unwrap());
    assert_eq!(numbers(&told), [("nodes", 0), ("people", 2), ("singled_out", 2), ("withheld", 2)]);
    assert!(told.message.starts_with("2 records are withheld for sensitive values alone, and that can be seen; "));
    // A mask decides on no levels. Who is withheld is found anew.
    let applied = line(&stage.apply("out", "data.csv", "again").unwrap());
    assert_eq!(numbers(&applied), numbers(&told));
}

#[test]
fn where_quasi_identifiers_decide_there_is_nothing_to_say() {
    let stage = Stage::with(survey(&ILLNESSES[1..]).replacen("Sydby", "Nordby", 1));
    let quiet = line(&stage.release(&guarded(""), "out").unwrap());
    assert_eq!((quiet.advice, numbers(&quiet)), (Advice::Ok, vec![("people", 0)]));
    assert_eq!(share(&attacked(&stage, Some(&guarded("")))), Some(0.0));
    let k = policy(
        "[variables.town]\nrole = \"quasi-identifying\"\n[variables.illness]\nrole = \"sensitive\"\n\
         [[privacy]]\nmodel = \"k-anonymity\"\nk = 3",
    );
    let unguarded = line(&stage.release(&k, "k").unwrap());
    assert_eq!((unguarded.advice, numbers(&unguarded)), (Advice::Ok, vec![("people", 0)]));
    assert_eq!(share(&attacked(&stage, Some(&k))), None);
    // Classes with labels of their own are not looked at one by one.
    let divided = line(&stage.release(&guarded("name = \"mondrian\""), "divided").unwrap());
    assert_eq!((divided.advice, numbers(&divided)[1]), (Advice::Look, ("people", 9)));
}

/// All public files, whoever of the ten has which illness.
#[test]
fn a_discreet_release_is_the_same_whoever_has_the_illnesses() {
    let mut files: BTreeMap<bool, Vec<BTreeMap<String, Vec<u8>>>> = BTreeMap::new();
    for (first, second) in [(0, 1), (0, 2), (5, 9), (3, 1)] {
        let mut illnesses = ILLNESSES;
        illnesses.swap(0, first);
        illnesses.swap(1, second);
        let stage = Stage::with(survey(&illnesses));
        for discreet in [true, false] {
            let method = if discreet { "search = \"discreet\"" } else { "" };
            let released = stage.release(&guarded(method), &format!("{discreet}")).unwrap();
            stage.audit(&format!("{discreet}"));
            let public = fs::read_dir(stage.path(format!("{discreet}/public"))).unwrap().map(Result::unwrap);
            let read = |file: fs::DirEntry| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap());
            files.entry(discreet).or_default().push(public.map(read).collect());
            if discreet {
                assert_eq!(numbers(&line(&released)), [("people", 0)]);
                // The price is for the owner.
                let choice = released.report.choice.unwrap();
                let best = choice.best.unwrap();
                let is_dear = illnesses[0] != illnesses[1];
                assert_eq!((best.loss > 0.0, choice.gap), (!is_dear, Some(f64::from(u8::from(is_dear)))));
                assert!(!choice.optimal && best.suppressed == 0);
            }
        }
    }
    let differ = |discreet: bool| files[&discreet].iter().any(|one| *one != files[&discreet][0]);
    assert!(!differ(true), "a discreet release tells who has which illness");
    assert!(differ(false), "the usual search tells it: otherwise this test proves nothing");
}

#[test]
fn what_a_discreet_search_cannot_do_is_refused() {
    let stage = Stage::with(survey(&ILLNESSES));
    let shown = policy(
        "[variables.town]\nrole = \"quasi-identifying\"\nlevels = { max = 0 }\n[variables.illness]\nrole = \"sensitive\"\n\
         [[privacy]]\nmodel = \"l-diversity\"\nvariable = \"illness\"\nl = 2\n\
         [method]\nsearch = \"discreet\"\nsuppression_limit = 0.5",
    );
    let refused = stage.refusal(&shown);
    assert_eq!(
        refused.message,
        "the search `discreet` withholds nobody, and 2 of 10 records fail at the top of the lattice, or could"
    );
    let choice = Policy::parse(
        "[variables.town]\nrole = \"quasi-identifying\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n\
         [method]\nsearch = \"discreet\"\nchoose = 2",
        &|_| unreachable!(),
    );
    assert_eq!(choice.unwrap_err().message, "the search `discreet` knows no order of safe nodes");
}
