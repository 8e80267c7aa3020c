//! What the pictures of the reports show, and to whom.

use equanym_core::hierarchy::{LabelRule, NumberEnds};
use equanym_core::report::{NamedLevels, NearRelease, Report, Surroundings, Worth};
use equanym_engine::mask::{StoredLadder, StoredLevel};

use super::{HOSTILE, frequencies, mask, owned, parsed, private, public, report, stored};

#[test]
fn the_private_report_draws_what_became_of_the_values() {
    let [json, html] = private(&report(), &mask());
    let found = &parsed(&json)["frequencies"][0];
    assert_eq!((found["column"].clone(), found["bars"].as_array().unwrap().len()), ("sex".into(), 4));
    assert_eq!(parsed(&json)["pairs"][0]["of"], "age × sex");
    for words in [
        "canary-shown",
        "17 – 90",
        "missing",
        "12 other values",
        "74 values, 8 labels",
        "33.3%",
        "class=\"untold\"",
        "age × sex",
    ] {
        assert!(html.contains(words), "{words}");
    }
    // In each of two columns `*` and withheld records, and the legend.
    assert_eq!(html.matches("class=\"untold\"").count(), 5);
    let hostile = Report { frequencies: vec![frequencies(HOSTILE, HOSTILE)], ..report() };
    let [_, page] = private(&hostile, &mask());
    assert!(page.contains("&lt;img src=x") && !page.contains("<img"));
    // A release without counted columns has nothing to draw.
    let none = Report { frequencies: Vec::new(), pairs: Vec::new(), ..report() };
    let [json, html] = private(&none, &mask());
    assert!(!parsed(&json).contains_key("frequencies") && !html.contains("class=\"untold\""));
}

#[test]
fn pictures_tell_anybody_only_what_the_release_tells() {
    let [json, page] = public(&report(), &mask());
    let sizes = &parsed(&json)["sizes"];
    assert_eq!(sizes[0], serde_json::json!({"from": 5, "to": 9, "released": 210}));
    assert_eq!(parsed(&json)["spread"][0]["most_frequent"], serde_json::json!([700, 400, 310]));
    for secret in ["919191", "919,191", "45.6%", "54.3%", "class=\"before\"", "original</text>"] {
        assert!(!page.contains(secret) && !json.contains(secret), "{secret}");
    }
    assert!(page.contains("<title>Shares of the records in classes of each size</title>") && page.contains(">k = 5<"));
    let [_, owners] = private(&report(), &mask());
    assert!(owners.contains("size 1: &gt;99.9% before, 0% in the release"));
    assert!(owners.contains("age: 45.7%; sex: 0%"));
}

#[test]
fn ladders_show_examples_that_nobody_has() {
    let [_, page] = public(&report(), &mask());
    for example in ["37 → [35, 40[", "12345 → 123*", "2024-05-17 → 2024-05"] {
        assert!(page.contains(example), "{example}");
    }
    // With the ladders of a stored mask the owner sees every rung.
    let mut stored = stored(&mask(), "");
    let band = |width: &str| LabelRule::Interval { width: width.into(), ends: NumberEnds::default() };
    let levels = [LabelRule::AsCollected, band("5"), LabelRule::Top].map(StoredLevel::by_rule).into();
    stored.ladders = vec![StoredLadder { variable: "age".into(), min: 0, max: 2, levels }];
    let ([json, page], _) = owned(&report(), &stored);
    assert_eq!(
        parsed(&json)["ladders"][0]["rungs"][1],
        serde_json::json!({"words": "bands of width 5", "example": "[35, 40["})
    );
    assert!(page.contains("1  bands of width 5 · released"));
}

/// The release and a neighbour.
fn surroundings() -> Surroundings {
    let near = |k, loss, risk| NearRelease {
        k: Some(k),
        suppression_limit: 0.05,
        node: NamedLevels(vec![("age".into(), 1)]),
        suppressed: 1452,
        loss,
        risk,
    };
    Surroundings {
        releases: vec![near(5, 0.4123, 0.0283), near(10, 0.5, 0.01)],
        unsafe_settings: 2,
        not_looked_at: None,
    }
}

fn with(surroundings: Surroundings) -> Report {
    let worth = Worth { surroundings: Some(surroundings), ..Worth::of_levels([(1, 5)].into_iter()) };
    Report { worth: Some(worth), ..report() }
}

#[test]
fn the_owner_sees_the_release_among_its_neighbours() {
    let [json, page] = private(&with(surroundings()), &mask());
    assert!(page.contains("Where it stands among other releases"));
    assert!(page.contains("1, the release: risk 2.8%, loss 41.2%, beaten by none"), "{page}");
    assert!(page.contains("k 5, limit 5% (this release)") && page.contains("k 10, limit 5%<"));
    assert!(page.contains("For 2 more settings there is no safe release."));
    let told = &parsed(&json)["worth"]["surroundings"];
    assert_eq!((&told["releases"][1]["k"], &told["unsafe_settings"]), (&10.into(), &2.into()));
    for text in public(&with(surroundings()), &mask()) {
        assert!(!text.contains("Where it stands") && !text.contains("surroundings"));
    }
}

#[test]
fn a_map_that_was_not_drawn_says_why() {
    let why = Some("the levels were balanced, not searched for");
    let [_, page] = private(&with(Surroundings { not_looked_at: why, ..Surroundings::default() }), &mask());
    assert!(page.contains("No other release was looked at: the levels were balanced, not searched for."));
    assert!(!page.contains("Risk and utility"));
    let [_, page] = private(&report(), &mask());
    assert!(!page.contains("Where it stands"));
}
