//! The way from a table to its release, as pages and forms go.

use std::sync::Arc;

use equanym_engine::policy::Policy;
use equanym_engine::progress::Silent;
use equanym_engine::run::release::{ReleaseRequest, release};
use equanym_studio::Settings;

use super::browser::ServedStudio;

#[test]
fn from_the_hospital_to_an_audited_release() {
    let mut studio = ServedStudio::hospital();
    let best = studio.until("/best", "number-released").body;
    assert!(best.contains("highest risk") && best.contains("class=\"ladder\""), "{best}");
    let zip = studio.column("zip");
    studio.change("/edit", "what=model&model=0&k=7&back=/best");
    let page = studio.until("/best", "number-smallest");
    let smallest: u64 =
        page.body.split("id=\"number-smallest\">").nth(1).unwrap().split('<').next().unwrap().parse().unwrap();
    assert!(smallest >= 7, "{smallest}");
    studio.change("/edit", &format!("what=hold&column={zip}&level=4&back=/best"));
    assert!(studio.get("/policy.toml").body.contains("levels = { min = 4, max = 4 }"));
    studio.post("/undo", "back=/best");
    assert!(!studio.get("/policy.toml").body.contains("min = 4"));
    studio.post("/redo", "back=/best");
    assert!(studio.get("/policy.toml").body.contains("min = 4"));

    studio.change("/write", "out=release");
    let page = studio.until("/release", "Released and audited");
    assert!(!page.body.contains("not-passed") && page.body.contains("class=\"passed\""), "{}", page.body);
    for report in ["private", "public"] {
        let answer = studio.get(&format!("/report/{report}"));
        let rules = answer.header("content-security-policy").unwrap();
        assert!(answer.status == 200 && rules.contains("'sha256-") && rules.contains("sandbox"), "{rules}");
    }
    assert_eq!(studio.get("/report/../../policy").status, 404);

    // The policy that was kept gives the same bytes on the command line.
    let folder = studio.folder.path();
    let command = page
        .body
        .split("id=\"released-command\"")
        .nth(1)
        .unwrap()
        .split('>')
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap()
        .to_owned();
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!((words[1], words[3], words[5]), ("release", "--policy", "--out"), "{command}");
    // Pasted after the studio has ended.
    let folder = folder.to_owned();
    studio.end();
    let policy = Policy::load(&folder.join(words[4])).unwrap();
    let again = folder.join("again");
    assert_eq!(words[2], "hospital.csv");
    release(&ReleaseRequest {
        data: &folder.join(words[2]),
        policy: &policy,
        out: &again,
        folder: None,
        against: &[],
        cluster: None,
        resources: equanym_engine::machine::Resources::default(),
        show_values: false,
        progress: Arc::new(Silent),
    })
    .unwrap();
    for file in ["public/data.csv", "public/report.html", "private/mask.json"] {
        let [one, other] =
            [folder.join("release"), again.clone()].map(|release| std::fs::read(release.join(file)).unwrap());
        assert!(one == other, "{file} differs");
    }
}

#[test]
fn what_lies_by_the_name_of_the_hospital_is_not_overwritten() {
    let studio = ServedStudio::with(&[("hospital.csv", "mine\n1\n")], Settings::default());
    studio.change("/open", "hospital=yes");
    studio.until("/table", "What the columns hold");
    let page = studio.change("/keep", "back=/safety").body;
    assert!(page.contains("equanym release hospital-2.csv --policy policy.toml"), "{page}");
    assert!(page.contains("kept in policy.toml, the table in hospital-2.csv beside it"), "{page}");
    assert_eq!(std::fs::read_to_string(studio.folder.path().join("hospital.csv")).unwrap(), "mine\n1\n");
    let rows = std::fs::read_to_string(studio.folder.path().join("hospital-2.csv")).unwrap();
    assert!(rows.lines().count() > 100);
    // Opened again it is the same table by the same name.
    studio.change("/open", "hospital=yes");
    studio.until("/table", "equanym release hospital-2.csv");
}

#[test]
fn what_was_handed_over_is_told_by_its_name_alone() {
    let studio = ServedStudio::start();
    let rows: Vec<String> = (0..100).map(|row| format!("{},{}\n", row % 5, row % 2)).collect();
    studio.change("/upload?name=mine.csv", &format!("age,sex\n{}", rows.concat()));
    studio.until("/table", "What the columns hold");
    let page = studio.get("/safety").body;
    assert!(page.contains("equanym release mine.csv") && page.contains("write the path of your own file"), "{page}");
    studio.change("/write", "out=release");
    let page = studio.until("/release", "Released and audited").body;
    assert!(!page.contains("equanym-studio-"), "{page}");
    assert!(!studio.folder.path().join("mine.csv").exists());
}

#[test]
fn a_release_is_never_overwritten_and_nothing_unsafe_is_written() {
    let studio = ServedStudio::hospital();
    std::fs::create_dir(studio.folder.path().join("there")).unwrap();
    std::fs::write(studio.folder.path().join("there/x"), "mine").unwrap();
    studio.change("/write", "out=there");
    let page = studio.until("/release", "class=\"failed\"").body;
    assert!(!page.contains("Released and audited"), "{page}");
    assert_eq!(std::fs::read_to_string(studio.folder.path().join("there/x")).unwrap(), "mine");
    studio.change("/edit", "what=model&model=0&k=5000&back=/safety");
    studio.until("/best", "class=\"failed\"");
    studio.change("/write", "out=release");
    studio.until("/release", "class=\"failed\"");
    assert!(!studio.folder.path().join("release").exists());
}

#[test]
fn a_table_is_handed_over_and_its_ladder_too() {
    let studio = ServedStudio::start();
    let rows: Vec<String> =
        (0..200).map(|row| format!("{},{}\n", 20 + row % 50, ["red", "green", "blue"][row % 3])).collect();
    let rows = rows.concat();
    studio.change("/upload?name=..%2F..%2Fmy%20table.csv", &format!("age,colour\n{rows}"));
    let page = studio.until("/table", "What the columns hold").body;
    assert!(page.contains("mytable.csv") && page.contains("200 records"), "{page}");
    let colour = studio.column("colour");
    studio.change("/edit", &format!("what=role&column={colour}&role=quasi-identifying&back=/columns"));
    let page =
        studio.change(&format!("/ladder?column={colour}&name=colours.csv"), "red;warm;*\ngreen;cold;*\nblue;cold;*\n");
    assert!(page.body.contains("The ladder is used") && page.body.contains("<bdi>warm</bdi>"), "{}", page.body);
    assert!(studio.get("/policy.toml").body.contains("file = \"hierarchies/colours.csv\""));
    let page = studio.change("/keep", "back=/columns");
    assert!(page.body.contains("is kept in policy.toml"), "{}", page.body);
    assert!(studio.folder.path().join("hierarchies/colours.csv").exists());
    // Groups by hand: one value joins, and leaves again.
    studio.change(
        "/edit",
        &format!("what=new-group&column={colour}&value=0&label=Cool+%22ones%22&back=/columns/{colour}"),
    );
    studio.change("/edit", &format!("what=group&column={colour}&value=1&label=Cool+%22ones%22&back=/columns/{colour}"));
    let text = studio.get("/policy.toml").body;
    assert!(
        Policy::parse(&text, &|_| Err(equanym_engine::error::Error::input(""))).is_ok() && text.contains("groups ="),
        "{text}"
    );
}

#[test]
fn a_policy_that_others_changed_meanwhile_is_not_overwritten() {
    let studio = ServedStudio::hospital();
    studio.change("/keep", "back=/best");
    let path = studio.folder.path().join("policy.toml");
    std::fs::write(&path, "# mine\n").unwrap();
    studio.change("/edit", "what=limit&limit=0.1&back=/best");
    let page = studio.change("/keep", "back=/best");
    assert!(page.body.contains("changed by somebody else"), "{}", page.body);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "# mine\n");
}

#[test]
fn a_table_that_goes_away_is_told() {
    let rows: Vec<String> = (0..100).map(|row| format!("{},{}\n", row % 5, row % 2)).collect();
    let rows = rows.concat();
    let studio = ServedStudio::with(&[("table.csv", &format!("age,sex\n{rows}"))], Settings::default());
    studio.change("/open", "path=table.csv");
    studio.until("/table", "What the columns hold");
    studio.until("/best", "number-released");
    std::fs::remove_file(studio.folder.path().join("table.csv")).unwrap();
    studio.change("/write", "out=release");
    studio.until("/release", "class=\"failed\"");
    assert!(!studio.folder.path().join("release").exists());
    assert_eq!(studio.get("/table").status, 200);
    let page = studio.change("/open", "path=table.csv");
    assert!(page.body.contains("cannot be opened"), "{}", page.body);
}

#[test]
fn two_tabs_see_the_same_and_a_second_studio_takes_another_port() {
    let (one, other) = (ServedStudio::hospital(), ServedStudio::hospital());
    assert_ne!(one.port, other.port);
    one.change("/edit", "what=limit&limit=0.02&back=/safety");
    assert!(one.get("/safety").body.contains("value=\"0.02\"") && one.get("/best").body.contains("value=\"0.02\""));
    assert!(!other.get("/safety").body.contains("value=\"0.02\""));
}

#[test]
fn every_offered_model_makes_a_form() {
    let studio = ServedStudio::hospital();
    for member in equanym_core::privacy::ALL {
        let name = member.card.name;
        let page = studio.change("/edit", &format!("what=add-model&model={name}&back=/safety")).body;
        let is_there = page.contains(&format!("aria-label=\"remove {name}\""));
        assert!(is_there || page.contains("class=\"failed\""), "{name}");
    }
}

#[test]
fn points_keep_their_sum_and_balance() {
    let studio = ServedStudio::hospital();
    let zip = studio.column("zip");
    studio.change("/edit", &format!("what=points&column={zip}&kind=user&points=60&back=/balance"));
    let policy = Policy::parse(&studio.get("/policy.toml").body, &|_| Ok("a;b;*\n".to_owned())).unwrap();
    let user: f64 = policy.variables.iter().filter_map(|one| one.points).map(|points| points.user).sum();
    assert!((user - 100.0).abs() < 1e-9, "{user}");
    let page = studio.until("/balance", "number-satisfaction").body;
    assert!(page.contains("On the scales"), "{page}");
}

#[test]
fn the_map_is_drawn_and_a_point_taken() {
    let studio = ServedStudio::hospital();
    let page = studio.until("/map", "The front").body;
    let point = page.split("id=\"point-").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let before = studio.get("/policy.toml").body;
    let page = studio.change("/edit", &format!("what=point&point={point}&back=/best"));
    assert!(page.status == 200 && studio.get("/policy.toml").body != before, "{}", page.body);
}
