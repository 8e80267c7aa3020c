//! `frontier`: every point is a release, the map can go on where it was stopped, and what cannot be is refused.

use std::fs;

use serde_json::Value;

use super::stage::{POLICY, SECRET, Stage, assert_keys};

const ASK: [&str; 4] = ["frontier", "people.csv", "--policy", "policy.toml"];
const GRID: [&str; 4] = ["--k", "2,3,5", "--limits", "0,0.1,0.3"];

fn map(stage: &Stage, flags: &[&str]) -> Value {
    stage.run(ASK.iter().chain(flags).chain(&["--json"])).done().json()
}

/// A point tells what a release told.
#[track_caller]
fn assert_same(point: &Value, released: &Value) {
    for key in ["node", "suppressed", "released", "classes", "risk", "method"] {
        assert_eq!(point[key], released[key], "{key} of {point}");
    }
    assert_eq!(point.get("loss"), released.get("loss"), "{point}");
}

fn release(stage: &Stage, policy: &str, out: &str) -> Value {
    stage.run(["release", "people.csv", "--policy", policy, "--out", out, "--json"]).done().json()
}

#[test]
fn every_point_is_a_release_with_its_parameters() {
    let stage = Stage::set();
    let document = map(&stage, &[&GRID[..], &["--methods", "global-recoding,mondrian"]].concat());
    assert_keys(&document, &["records", "axes", "points", "front"]);
    let points = document["points"].as_array().unwrap();
    assert_eq!(points.len(), 18);
    for (place, point) in points.iter().enumerate() {
        assert_keys(point, &["method", "k", "suppression_limit", "safe", "node", "suppressed", "risk", "dominated"]);
        let (k, limit) = (&point["k"], &point["suppression_limit"]);
        let policy = POLICY.replace("k = 3", &format!("k = {k}")).replace("limit = 0.1", &format!("limit = {limit}"));
        stage.write("point.toml", &format!("{policy}name = {}\n", point["method"]));
        assert_same(point, &release(&stage, "point.toml", &format!("out{place}")));
    }
}

#[test]
fn the_front_is_what_no_point_dominates() {
    let stage = Stage::set();
    for axes in [&[][..], &["--risk", "highest", "--loss", "withheld"], &["--risk", "at-risk", "--loss", "detail"]] {
        let document = map(&stage, &[&GRID[..], axes].concat());
        let points = document["points"].as_array().unwrap();
        let costs: Vec<Option<(f64, f64)>> = points
            .iter()
            .map(|point| Some((point["drawn"]["risk"].as_f64()?, point["drawn"]["loss"].as_f64()?)))
            .collect();
        let beats = |one: (f64, f64), other: (f64, f64)| one.0 <= other.0 && one.1 <= other.1 && one != other;
        let free = |costs_of: &(f64, f64)| !costs.iter().flatten().any(|other| beats(*other, *costs_of));
        let expected: Vec<u64> =
            (0..).zip(&costs).filter(|(_, costs)| costs.as_ref().is_some_and(free)).map(|(place, _)| place).collect();
        let mut front: Vec<u64> =
            document["front"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
        front.sort_unstable();
        assert_eq!(front, expected);
        for (place, point) in points.iter().enumerate() {
            assert_eq!(point["dominated"], !front.contains(&(place as u64)), "{point}");
        }
    }
}

#[test]
fn the_policies_of_the_front_make_its_points() {
    let stage = Stage::set();
    fs::create_dir(stage.path("ladders")).unwrap();
    let ages = (20..60).map(|age| format!("{age};{}", if age < 40 { "young" } else { "old" }));
    stage.write("ladders/age.csv", &ages.collect::<Vec<_>>().join("\n"));
    let policy = POLICY.replace("{ intervals = [5, 10, 20] }", "{ file = \"ladders/age.csv\" } # by hand");
    stage.write("policy.toml", &format!("{policy}\n[frontier]\nk = [2, 4]\nlimits = [0.0, 0.2]\n"));
    let document = map(&stage, &["--out", "map"]);
    let points = document["points"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    let mut expected = vec!["frontier.csv".to_owned(), "frontier.html".to_owned(), "frontier.svg".to_owned()];
    for place in document["front"].as_array().unwrap() {
        let name = format!("policy-{place}.toml");
        let text = stage.read(format!("map/{name}"));
        assert!(
            text.contains("# by hand") && text.contains("../ladders/age.csv") && !text.contains("[frontier]"),
            "{text}"
        );
        let released = release(&stage, &format!("map/{name}"), &format!("out{place}"));
        assert_same(&points[usize::try_from(place.as_u64().unwrap()).unwrap()], &released);
        expected.push(name);
    }
    let mut files: Vec<String> = fs::read_dir(stage.path("map"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    expected.sort();
    assert_eq!(files, expected);
    assert_eq!(stage.read("map/frontier.csv").lines().count(), 5);
}

#[test]
fn a_map_goes_on_where_it_was_stopped() {
    let stage = Stage::set();
    let whole = stage.run(ASK.iter().chain(&GRID).chain(&["--json"])).done().stdout;
    let resume = [&GRID[..], &["--resume", "points", "--json"]].concat();
    assert_eq!(stage.run(ASK.iter().chain(&resume)).done().stdout, whole);
    let kept = stage.read("points");
    assert_eq!(kept.lines().count(), 10);
    assert!(!kept.contains(SECRET) && !kept.contains("gout"));
    // Killed in the middle of a line.
    for cut in [kept.len() - 1, kept.len() / 2, 10, 0] {
        stage.write("points", &kept[..cut]);
        assert_eq!(stage.run(ASK.iter().chain(&resume)).done().stdout, whole, "{cut}");
        assert_eq!(stage.read("points").lines().count(), 10, "{cut}");
    }
    // What is known is not computed again: a number that was changed by hand is believed.
    stage.write("points", &kept.replacen("\"released\":", "\"released\":1", 1));
    assert_ne!(stage.run(ASK.iter().chain(&resume)).done().stdout, whole);
    // Others are added.
    stage.write("points", &kept);
    stage.run(ASK.iter().chain(&["--k", "2,7", "--limits", "0", "--resume", "points"])).done();
    assert_eq!(stage.read("points").lines().count(), 11);
    stage.write("people.csv", &stage.read("people.csv").replacen("gout", "flu", 1));
    let other = stage.run(ASK.iter().chain(&resume)).ended(2);
    assert!(other.error()["message"].as_str().unwrap().contains("another table"), "{other:?}");
}

#[test]
fn the_same_map_at_any_number_of_threads_and_order_of_records() {
    let stage = Stage::set();
    let flags = [&GRID[..], &["--methods", "mondrian,global-recoding", "--loss", "frequencies", "--json"]].concat();
    let one = stage.run(ASK.iter().chain(&flags).chain(&["--threads", "1"])).done().stdout;
    assert_eq!(stage.run(ASK.iter().chain(&flags).chain(&["--threads", "4"])).done().stdout, one);
    let text = stage.read("people.csv");
    let (header, rows) = text.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().rev().collect();
    stage.write("people.csv", &format!("{header}\n{}\n", rows.join("\n")));
    assert_eq!(stage.run(ASK.iter().chain(&flags)).done().stdout, one);
}

#[test]
fn points_without_a_safe_release_say_so() {
    let stage = Stage::set();
    let document = map(&stage, &["--k", "3,1000", "--limits", "0"]);
    let points = document["points"].as_array().unwrap();
    assert_eq!((&points[0]["safe"], &points[1]["safe"]), (&Value::Bool(true), &Value::Bool(false)));
    assert!(points[1]["why_not"].as_str().unwrap().contains("fail"), "{}", points[1]);
    assert_eq!((&points[1]["drawn"], document["front"].as_array().unwrap().len()), (&Value::Null, 1));
    let nothing = stage.run(ASK.iter().chain(&["--k", "1000", "--out", "map"])).ended(1);
    assert!(nothing.stdout.contains("0 of 1 point on the front; 1 without a safe release"), "{nothing:?}");
    assert!(stage.read("map/frontier.html").contains("No safe release"));
}

#[test]
fn parameters_preferences_and_metrics_are_swept() {
    let stage = Stage::set();
    let document = map(&stage, &["--sweep", "l-diversity.l=2,3", "--loss", "frequencies"]);
    let points = document["points"].as_array().unwrap();
    assert_eq!((points.len(), &points[1]["l-diversity.l"]), (2, &Value::from(3)));
    for point in points {
        let loss = point["drawn"]["loss"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&loss));
    }
    stage.write("policy.toml", &format!("{POLICY}search = \"balance\"\n[preferences]\nalpha = 0.9\nbeta = 0.1\n"));
    let document = map(&stage, &["--alpha", "0.1,0.5,0.9"]);
    for (place, point) in document["points"].as_array().unwrap().iter().enumerate() {
        let alpha = point["alpha"].as_f64().unwrap();
        let beta = ["0.9", "0.5", "0.1"][place];
        let policy = format!("{POLICY}search = \"balance\"\n[preferences]\nalpha = {alpha}\nbeta = {beta}\n");
        stage.write("point.toml", &policy);
        assert_same(point, &release(&stage, "point.toml", &format!("out{place}")));
    }
}

/// A table with numbers to walk.
fn walked(stage: &Stage) {
    let rows = |person: usize| {
        format!("{},{},{}\n", 20 + (person * 7) % 40, 1000 + (person * 13) % 5, 10 + (person * 37) % 101)
    };
    stage.write("people.csv", &("age,zip,income\n".to_owned() + &(0..200).map(rows).collect::<String>()));
    let policy = r#"
        [variables.age]
        role = "quasi-identifying"
        hierarchy = { intervals = [5, 10, 20] }
        [variables.zip]
        role = "quasi-identifying"
        [variables.income]
        role = "quasi-identifying"
        walk = true
        domain = [0, 200]
        [[privacy]]
        model = "k-anonymity"
        k = 3
        [method]
        name = "random-walk"
        segment = 50
        domain = "column"
    "#;
    stage.write("policy.toml", policy);
}

#[test]
fn methods_that_make_new_values_stand_on_the_same_map() {
    let stage = Stage::empty();
    walked(&stage);
    let methods = ["--methods", "random-walk,perturbation,mondrian,global-recoding", "--limits", "0,0.2"];
    let flags = [&methods[..], &["--seed", "7", "--out", "map", "--resume", "points"]].concat();
    let document = map(&stage, &flags);
    let points = document["points"].as_array().unwrap();
    assert_eq!((points.len(), &document["axes"]["loss"]["name"]), (8, &Value::from("frequencies")));
    assert!(points.iter().all(|point| point["safe"] == true), "{points:?}");
    for place in document["front"].as_array().unwrap() {
        let released = release(&stage, &format!("map/policy-{place}.toml"), &format!("out{place}"));
        assert_same(&points[usize::try_from(place.as_u64().unwrap()).unwrap()], &released);
    }
    fs::remove_dir_all(stage.path("map")).unwrap();
    assert_eq!(map(&stage, &flags), document);
}

#[test]
fn the_worst_linkage_stands_beside_what_has_no_guarantee() {
    let stage = Stage::empty();
    walked(&stage);
    let methods = ["--methods", "random-walk,mondrian", "--limits", "0.2", "--seed", "7"];
    let document = map(&stage, &methods);
    let of = |method: &str| {
        let points = document["points"].as_array().unwrap();
        points.iter().find(|point| point["method"] == method).unwrap().clone()
    };
    let (walk, mondrian) = (of("random-walk"), of("mondrian"));
    assert_eq!((&walk["guaranteed"], &mondrian["guaranteed"]), (&Value::from(false), &Value::from(true)));
    assert_eq!((&walk["linkage"]["by"], &mondrian["linkage"]["by"]), (&"segment-rank".into(), &"class".into()));
    assert_eq!((&walk["linkage"]["of"], &walk["drawn"]["risk"]), (&"income".into(), &walk["linkage"]["share"]));
    assert!(walk["drawn"]["risk"].as_f64() > mondrian["drawn"]["risk"].as_f64(), "{walk} {mondrian}");
    let alone = ["--methods", "random-walk", "--limits", "0.2", "--seed", "7"];
    let told = stage.run([&ASK[..], &alone].concat()).done().stdout;
    assert!(told.contains("found again by") && told.contains("rank in its segment of income, no guarantee"), "{told}");
}

#[test]
fn a_loss_that_a_release_does_not_have_is_said_with_the_reason() {
    let stage = Stage::empty();
    walked(&stage);
    let methods = ["--methods", "random-walk,mondrian", "--limits", "0.2", "--seed", "7"];
    for (loss, told) in [
        ("likeness", ["2 safe releases have no likeness", "compares record by record"]),
        ("detail", ["1 safe release has no detail", "new values cover no part of their column"]),
        ("loss", ["1 safe release has no loss", "its method minimises no loss"]),
    ] {
        let text = stage.run([&ASK[..], &methods, &["--loss", loss]].concat()).done().stdout;
        assert!(told.iter().all(|words| text.contains(words)), "{text}");
    }
}

#[test]
fn a_column_of_distinct_values_fails_no_map() {
    let stage = Stage::empty();
    walked(&stage);
    let table = stage.read("people.csv");
    let distinct: Vec<String> = table
        .lines()
        .enumerate()
        .map(|(place, line)| if place == 0 { format!("{line},till") } else { format!("{line},{}", 7000 + place * 3) })
        .collect();
    stage.write("people.csv", &(distinct.join("\n") + "\n"));
    let more = "[variables.till]\nrole = \"quasi-identifying\"\nwalk = true\n[[privacy]]";
    stage.write("policy.toml", &stage.read("policy.toml").replace("[[privacy]]", more));
    let document =
        map(&stage, &["--methods", "random-walk,global-recoding", "--limits", "0.2", "--seed", "7", "--out", "map"]);
    let points = document["points"].as_array().unwrap();
    assert!(points.iter().all(|point| point["safe"] == true), "{points:?}");
    for place in document["front"].as_array().unwrap() {
        let released = release(&stage, &format!("map/policy-{place}.toml"), &format!("out{place}"));
        assert_same(&points[usize::try_from(place.as_u64().unwrap()).unwrap()], &released);
    }
}

#[test]
fn names_are_text_wherever_they_are_shown() {
    let stage = Stage::set();
    let hostile = "</title><script>alert(1)</script>";
    let table = stage.read("people.csv").replacen("zip", hostile, 1);
    stage.write("people.csv", &table);
    stage.write("policy.toml", &POLICY.replace("[variables.zip]", &format!("[variables.\"{hostile}\"]")));
    stage.run(ASK.iter().chain(&GRID).chain(&["--out", "map"])).done();
    for file in ["frontier.html", "frontier.svg"] {
        let text = stage.read(format!("map/{file}"));
        assert!(!text.contains("<script") && !text.contains(SECRET), "{file}");
    }
    assert!(stage.read("map/frontier.html").contains("&lt;script&gt;"));
}
