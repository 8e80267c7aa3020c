//! `compare`, and a seeded walk, through the program.

use std::fs;

use super::stage::Stage;

fn stage() -> Stage {
    let stage = Stage::empty();
    let rows: Vec<String> =
        (0..60).map(|record| format!("{},{}\n", 20 + record * 7 % 31, ["a", "b"][record % 2])).collect();
    fs::write(stage.path("data.csv"), format!("age,town\n{}", rows.concat())).unwrap();
    let policy = "[variables.age]\nrole = \"quasi-identifying\"\nwalk = true\n[variables.town]\nrole = \"insensitive\"\n\
                  [method]\nname = \"random-walk\"\n[output]\norder = \"input\"\n";
    fs::write(stage.path("policy.toml"), policy).unwrap();
    stage
}

#[test]
fn a_seed_repeats_a_release_and_a_comparison_measures_it() {
    let stage = stage();
    for out in ["one", "two"] {
        stage.run(["release", "data.csv", "--policy", "policy.toml", "--out", out, "--seed", "5"]).done();
    }
    let [one, two] = ["one", "two"].map(|out| fs::read(stage.path(out).join("public/data.csv")).unwrap());
    assert_eq!(one, two);
    let document = stage.run(["compare", "data.csv", "one", "--json"]).done().json();
    assert_eq!((document["aligned"].clone(), document["category"].clone()), (true.into(), "town".into()));
    assert_eq!(document["metrics"].as_array().unwrap().len(), equanym_core::utility::ALL.len());
    let text = stage.run(["compare", "data.csv", "one/public"]).done().stdout;
    for word in ["distortion", "clustering", "localities", "by rank", "nearest to their own original"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn what_cannot_be_measured_is_told() {
    let stage = stage();
    fs::write(stage.path("short.csv"), "age,town\n1,a\n2,b\n").unwrap();
    let text = stage.run(["compare", "data.csv", "short.csv"]).done().stdout;
    assert!(text.contains("Not measured: distortion"), "{text}");
}

#[test]
fn every_column_is_told_and_values_only_on_request() {
    let stage = Stage::released();
    let document = stage.run(["compare", "people.csv", "out", "--target", "illness", "--json"]).done().json();
    let columns: Vec<&str> =
        document["frequencies"].as_array().unwrap().iter().map(|one| one["column"].as_str().unwrap()).collect();
    assert_eq!((columns, document["dropped"][0].as_str()), (vec!["age", "zip", "illness", "ward"], Some("name")));
    assert!(document["frequencies"].as_array().unwrap().iter().all(|one| one.get("bars").is_none()));
    assert_eq!(document["frequencies"][0]["read_by"], "mask");
    assert_eq!(document["prediction"]["target"], "illness");
    let plain = stage.run(["compare", "people.csv", "out", "--target", "illness"]).done().stdout;
    for words in
        ["in groups", "total variation distance", "change of Cramér's V", "Predicting illness", "Not released: name."]
    {
        assert!(plain.contains(words), "{words}: {plain}");
    }
    let illness = stage.read("people.csv").lines().nth(1).unwrap().split(',').nth(3).unwrap().to_owned();
    assert!(!plain.contains(&illness), "{illness}: {plain}");
    let shown = stage.run(["compare", "people.csv", "out", "--show-values"]).done().stdout;
    assert!(shown.contains(&illness) && shown.contains("original  released"), "{shown}");
}

#[test]
fn the_owners_report_draws_values_and_the_public_one_does_not() {
    let stage = Stage::released();
    let [private, public] = ["private", "public"].map(|part| stage.read(format!("out/{part}/report.html")));
    assert!(private.contains("What became of the values") && private.contains("class=\"before\""));
    let illness = stage.read("people.csv").lines().nth(1).unwrap().split(',').nth(3).unwrap().to_owned();
    assert!(private.contains(&illness) && !public.contains(&illness));
}
