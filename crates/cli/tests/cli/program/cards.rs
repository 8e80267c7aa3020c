//! `list` and `explain` know every member of every family from its card.

use equanym_core::balance::{distance, target};
use equanym_core::card::Card;
use equanym_core::{loss, method, privacy, search, treatment, utility, walk};

use super::stage::Stage;

fn families() -> Vec<(&'static str, Vec<Card>)> {
    vec![
        ("privacy", privacy::ALL.iter().map(|member| member.card).collect()),
        ("preset", privacy::preset::ALL.iter().map(|preset| preset.card).collect()),
        ("loss", loss::ALL.iter().map(|member| member.card).collect()),
        ("search", search::ALL.iter().map(|member| member.card).collect()),
        ("method", method::ALL.iter().map(|member| member.card).collect()),
        ("treatment", treatment::ALL.iter().map(|card| **card).collect()),
        ("walk", walk::ALL.iter().map(|member| member.card).collect()),
        ("utility", utility::ALL.iter().map(|member| member.card).collect()),
        ("target", target::ALL.iter().map(|member| member.card).collect()),
        ("distance", distance::ALL.iter().map(|member| member.card).collect()),
    ]
}

/// Text without its line breaks, to look for sentences in.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_member_is_listed() {
    let stage = Stage::empty();
    let all = stage.run(["list"]).done().stdout;
    let document = stage.run(["list", "--json"]).done().json();
    for (place, (family, cards)) in families().into_iter().enumerate() {
        let one = stage.run(["list", family]).done().stdout;
        assert_eq!(document["families"][place]["family"], family);
        for (member, card) in cards.iter().enumerate() {
            assert!(all.contains(card.name) && one.contains(card.name) && one.contains(card.summary), "{}", card.name);
            assert_eq!(document["families"][place]["members"][member]["name"], card.name);
        }
        assert_eq!(stage.run(["list", family, "--json"]).done().json()["families"][0], document["families"][place]);
    }
}

#[test]
fn every_card_is_explained_in_full() {
    let stage = Stage::empty();
    for (family, card) in
        families().into_iter().flat_map(|(family, cards)| cards.into_iter().map(move |card| (family, card)))
    {
        let name = format!("{family}/{}", card.name);
        let text = flowing(&stage.run(["explain", &name]).done().stdout);
        let parameters = card.parameters.iter().flat_map(|parameter| [parameter.name, parameter.summary]);
        let parts = [card.summary, card.about, card.source]
            .into_iter()
            .chain(card.promises.iter().map(|promise| promise.text()))
            .chain(parameters);
        for part in parts {
            assert!(text.contains(&flowing(part)), "{}: no {part:?} in {text}", card.name);
        }
        let document = stage.run(["explain", &name, "--json"]).done().json();
        assert_eq!((document["family"].as_str(), document["name"].as_str()), (Some(family), Some(card.name)));
        assert_eq!(document["about"], card.about);
    }
}

#[test]
fn a_name_that_two_families_use_asks_which_is_meant() {
    let stage = Stage::empty();
    let mut names: Vec<&str> = families().iter().flat_map(|(_, cards)| cards.iter().map(|card| card.name)).collect();
    names.sort_unstable();
    for name in names.chunk_by(|one, other| one == other) {
        let ran = stage.run(["explain", name[0]]);
        assert_eq!(ran.code, if name.len() == 1 { 0 } else { 2 }, "{}", name[0]);
        assert_eq!(ran.stderr.contains("say which: `"), name.len() > 1, "{}", ran.stderr);
    }
}

#[test]
fn losses_say_whether_they_charge_suppression() {
    let stage = Stage::empty();
    for member in loss::ALL {
        let document = stage.run(["explain", member.card.name, "--json"]).done().json();
        assert_eq!(document["charges_suppression"], member.charges_suppression());
        let text = stage.run(["explain", member.card.name]).done().stdout;
        let words =
            if member.charges_suppression() { "  charges suppression" } else { "  does not charge suppression" };
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn defaults_and_compulsory_parameters_are_told() {
    let stage = Stage::empty();
    for (family, card) in
        families().into_iter().flat_map(|(family, cards)| cards.into_iter().map(move |card| (family, card)))
    {
        let text = flowing(&stage.run(["explain", &format!("{family}/{}", card.name)]).done().stdout);
        for parameter in card.parameters {
            let words = parameter.default.map_or("compulsory".to_owned(), |default| format!("default: {default}"));
            assert!(text.contains(&words), "{}: {words}", card.name);
        }
    }
}

#[test]
fn unknown_names_end_in_two_with_the_nearest_one() {
    let stage = Stage::empty();
    for card in families().into_iter().flat_map(|(_, cards)| cards) {
        let misspelt = format!("{}x", card.name);
        let error = stage.run(["explain", &misspelt, "--json"]).ended(2).error();
        assert_eq!(
            (error["kind"].as_str(), error["hint"].as_str()),
            (Some("input"), Some(&*format!("did you mean `{}`?", card.name)))
        );
    }
    for (family, _) in families() {
        let error = stage.run(["list", &format!("{family}x"), "--json"]).ended(2).error();
        assert_eq!(error["hint"], format!("did you mean `{family}`?"));
        let told = stage.run(["explain", family]).ended(0).stdout;
        assert!(told.ends_with(&format!("Members\n  equanym list {family}\n")), "{told}");
    }
    assert!(stage.run(["list", "\u{1b}[2J"]).ended(2).stderr.contains(r"`\u{1b}[2J`"));
}
