//! Privacy models as users meet them: in JSON, in summaries, and beside searches that cannot serve them.

use serde_json::json;

use super::stage::{POLICY, RunResult, Stage};

const RELEASE: [&str; 6] = ["release", "people.csv", "--policy", "policy.toml", "--out", "out"];
const DIVERSITY: &str = "model = \"l-diversity\"\nvariable = \"illness\"\nl = 2";

/// Releases with another model and another method, and `more` arguments.
fn release(stage: &Stage, model: &str, method: &str, more: &[&str]) -> RunResult {
    let policy = POLICY.replace(DIVERSITY, model).replace("suppression_limit = 0.1", method);
    stage.write("policy.toml", &policy);
    stage.run(RELEASE.iter().chain(more))
}

/// A model of the illness.
fn model(name: &str, keys: &str) -> String {
    format!("model = \"{name}\"\nvariable = \"illness\"\n{keys}")
}

#[test]
fn json_and_summary_list_each_model_with_its_parameters() {
    let (closeness, stage) = (model("t-closeness", "t = 0.3"), Stage::set());
    let document = release(&stage, &closeness, "suppression_limit = 0.0", &["--json"]).done().json();
    let expected = json!({
        "model": "t-closeness", "variable": "illness", "t": 0.3, "distance": "equal", "holds": true, "checked": "release"
    });
    assert_eq!(document["privacy"][1], expected);
    let manifest: serde_json::Value = serde_json::from_str(&stage.read("out/public/manifest.json")).unwrap();
    assert_eq!((&manifest["privacy"][1]["t"], &manifest["privacy"][1]["checked"]), (&json!(0.3), &json!("release")));
    let text = release(&Stage::set(), &closeness, "suppression_limit = 0.0", &[]).done().stdout;
    assert!(text.contains("t-closeness (distance = equal, t = 0.3, variable = illness) holds"), "{text}");
}

#[test]
fn a_balance_is_sought_among_what_every_model_permits() {
    for keys in [
        model("t-closeness", "t = 0.3"),
        model("l-diversity", "l = 2.5\nkind = \"entropy\""),
        model("beta-likeness", "beta = 1"),
        model("delta-disclosure", "delta = 2\nabsent = \"ignored\""),
    ] {
        let found = |search: &str| {
            let method = format!("search = \"{search}\"\nsuppression_limit = 0.1");
            release(&Stage::set(), &keys, &method, &["--json"]).done().json()
        };
        let document = found("balance");
        assert_eq!((&document["optimal"], &document["privacy"][1]["holds"]), (&json!(true), &json!(true)), "{keys}");
        assert!(document["suppressed"].as_u64().unwrap() <= 12);
    }
}

#[test]
fn a_search_that_is_stopped_tells_its_gap_under_every_model() {
    for keys in [model("t-closeness", "t = 0.3"), model("l-diversity", "l = 2\nkind = \"recursive\"\nc = 3")] {
        let whole = release(&Stage::set(), &keys, "suppression_limit = 0.1", &["--json"]).done().json();
        let stopped = release(&Stage::set(), &keys, "suppression_limit = 0.1", &["--json", "--time-limit", "1ms"]);
        let stopped = stopped.done().json();
        let value = |document: &serde_json::Value| document["loss"]["value"].as_f64().unwrap();
        let least = value(&stopped) * (1.0 - stopped["gap"].as_f64().unwrap());
        assert!(least <= value(&whole) + 1e-6 && value(&whole) <= value(&stopped) + 1e-6, "{keys}");
        // Whether a millisecond is enough depends on the machine.
        let is_over = stopped["worth"]["not_looked_at"] == "the time limit was over";
        assert_eq!(is_over, stopped["optimal"] == json!(false), "{keys}");
    }
}

#[test]
fn what_the_release_does_not_show_is_checked_with_the_original() {
    let stage = Stage::empty();
    stage.write("people.csv", "town,illness\nN,flu\nN,flu\nN,gout\nN,gout\nS,flu\nS,flu\nS,gout\nS,mumps\n");
    let policy = |beta: &str| {
        format!(
            "[variables.town]\nrole = \"quasi-identifying\"\nlevels = {{ max = 0 }}\n\
             [variables.illness]\nrole = \"sensitive\"\n\
             [[privacy]]\nmodel = \"beta-likeness\"\nvariable = \"illness\"\nbeta = {beta}\n\
             [method]\nsuppression_limit = 0.5\n"
        )
    };
    stage.write("policy.toml", &policy("0.5"));
    let document = stage.run(RELEASE.iter().chain(&["--json"])).done().json();
    assert_eq!((&document["suppressed"], &document["privacy"][0]["checked"]), (&json!(4), &json!("original")));
    stage.run(["audit", "out/public"]).done();
    stage.run(["audit", "out/public", "--original", "people.csv", "--policy", "policy.toml"]).done();
    // Another table, in which gout is rarer: the classes are the same, and what they are compared with is not.
    stage.write("other.csv", "town,illness\nN,flu\nN,flu\nN,gout\nN,gout\nS,flu\nS,flu\nS,flu\nS,flu\n");
    stage.run(["audit", "out/public", "--original", "other.csv", "--policy", "policy.toml"]).ended(1);
}

#[test]
fn sql_checks_shares() {
    let sql = ["sql", "people.csv", "--policy", "policy.toml", "--dialect", "duckdb", "--table", "people"];
    let stage = Stage::set();
    stage.write("policy.toml", &POLICY.replace(DIVERSITY, &model("alpha-k", "alpha = 0.6\nk = 3")));
    let text = stage.run(sql).done().stdout;
    assert!(text.contains("HAVING MAX(n) > CAST(SUM(n) AS BIGINT) * ") && text.contains("0.6"), "{text}");
}

#[test]
fn an_audit_says_what_it_did_not_check() {
    let stage = Stage::set();
    stage.write("policy.toml", &format!("[data]\nperson = \"name\"\n{POLICY}"));
    stage.run(RELEASE).done();
    let text = stage.run(["audit", "out/public"]).done().stdout;
    assert!(text.contains("Not checked: k-anonymity with k = 3 in people"), "{text}");
    assert!(text.contains("checks passed. 1 promise was not checked."), "{text}");
    let document = stage.run(["audit", "out/public", "--json"]).done().json();
    let judged =
        |model: &str, promise: &str, checked: &str| json!({"model": model, "promise": promise, "checked": checked});
    let diversity = "l-diversity of \"illness\" with l = 2 in people";
    let open = judged("k-anonymity", "k-anonymity with k = 3 in people", "needs --original");
    assert_eq!(document["privacy"], json!([open, judged("l-diversity", diversity, "release")]));
    for more in [["--mask", "out/private/mask.json"], ["--policy", "policy.toml"]] {
        let asked = ["audit", "out/public", "--original", "people.csv", "--json"];
        let document = stage.run(asked.iter().chain(&more)).done().json();
        assert_eq!(document["privacy"][0]["checked"], "original");
        assert_eq!(document["privacy"][1], judged("l-diversity", diversity, "original"));
    }
    // The same table, in which all records belong to one person.
    let table = stage.read("people.csv");
    let same = table.lines().enumerate().map(|(place, line)| {
        let (name, rest) = line.split_once(',').unwrap();
        format!("{},{rest}\n", if place == 0 { name } else { "somebody" })
    });
    stage.write("same.csv", &same.collect::<Vec<_>>().concat());
    let failed = stage.run(["audit", "out/public", "--original", "same.csv", "--mask", "out/private/mask.json"]);
    assert!(failed.ended(1).stdout.contains("classes hold fewer, down to 1 people"));
}
