//! `balance`: the fields that scripts rely on, the plots, and every way to ask for the impossible.

use serde_json::Value;

use super::stage::{POLICY, RunResult, SECRET, Stage, assert_keys};

/// The variables of the stage's policy: a balance needs no privacy model and no method.
fn variables() -> &'static str {
    POLICY.split("[[privacy]]").next().unwrap()
}

fn balance(stage: &Stage, policy: &str, flags: &[&str]) -> RunResult {
    stage.write("balance.toml", policy);
    stage.run(["balance", "people.csv", "--policy", "balance.toml"].iter().chain(flags))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_document_has_what_scripts_rely_on() {
    let stage = Stage::set();
    let document = balance(&stage, variables(), &["--json", "--sweep", "alpha"]).done().json();
    assert_keys(
        &document,
        &["node", "target", "income", "variables", "satisfaction", "alpha", "beta", "unit", "sweep"],
    );
    assert_eq!((document["target"].as_str(), document["unit"].as_str()), (Some("coupled"), Some("bits")));
    let mut income = 0.0;
    for variable in document["variables"].as_array().unwrap() {
        assert_keys(variable, &["name", "entropy", "levels", "price", "optimum", "level", "points", "satisfaction"]);
        assert_keys(&variable["optimum"], &["x", "y"]);
        let (entropy, q, r) = (
            number(&variable["entropy"]),
            number(&variable["points"]["user"]),
            number(&variable["points"]["intruder"]),
        );
        income += entropy;
        assert!((number(&variable["price"]["utility"]) - 1.0 / q).abs() < 1e-12);
        // Every level, and the optimum, spend the entropy of the variable.
        for level in variable["levels"].as_array().unwrap() {
            let spent = number(&level["utility"]) / q + number(&level["protection"]) / r;
            assert!((spent - entropy).abs() < 1e-9, "{level}");
        }
        let optimum = &variable["optimum"];
        assert!((number(&optimum["x"]) / q + number(&optimum["y"]) / r - entropy).abs() < 1e-9);
        assert_eq!(variable["level"], document["node"][variable["name"].as_str().unwrap()]);
    }
    assert!((number(&document["income"]) - income).abs() < 1e-9);
    let pieces = document["sweep"].as_array().unwrap();
    assert_eq!((number(&pieces[0]["from"]), number(&pieces.last().unwrap()["to"])), (0.0, 1.0));
    assert_eq!((&pieces[0]["node"]["age"], &pieces.last().unwrap()["node"]["age"]), (&Value::from(4), &Value::from(0)));
    assert!(pieces.windows(2).all(|pair| pair[0]["to"] == pair[1]["from"] && pair[0]["node"] != pair[1]["node"]));
}

#[test]
fn people_get_the_table_the_budget_and_the_sweep() {
    let stage = Stage::set();
    let text = balance(&stage, variables(), &["--sweep", "alpha"]).done().stdout;
    for words in [
        "120 records, 2 quasi-identifiers",
        "x(age)/60 + y(age)/40 + x(zip)/40 + y(zip)/60 = ",
        "satisfaction",
        "alpha from",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    assert!(!text.contains(SECRET));
}

#[test]
fn plots_appear_together_and_are_never_overwritten() {
    let stage = Stage::set();
    balance(&stage, variables(), &["--plot", "plots"]).done();
    let mut drawn = Vec::new();
    for name in ["levels.svg", "points.svg", "preferences.svg", "ratios.svg", "heat.svg"] {
        let text = stage.read(format!("plots/{name}"));
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n") && text.contains("age</text>"), "{name}");
        drawn.push(text);
    }
    assert_eq!(std::fs::read_dir(stage.path("plots")).unwrap().count(), 5);
    balance(&stage, variables(), &["--plot", "plots2"]).done();
    assert_eq!(stage.read("plots2/points.svg"), drawn[1], "the same bytes every time");
    assert_eq!(stage.files(), ["balance.toml", "people.csv", "plots", "plots2", "policy.toml"]);
}

#[test]
fn names_cannot_become_markup() {
    let stage = Stage::empty();
    stage.write("odd.csv", "\"<script>&\u{202e}\",b\n1,1\n2,2\n3,2\n");
    stage.write("odd.toml", "[variables.\"<script>&\u{202e}\"]\nrole = \"quasi-identifying\"\npoints = { user = 50, intruder = 50 }\n[variables.b]\nrole = \"quasi-identifying\"\npoints = { user = 50, intruder = 50 }\n");
    let ran = stage.run(["balance", "odd.csv", "--policy", "odd.toml", "--plot", "plots"]).done();
    assert!(!ran.stdout.contains('\u{202e}'));
    for name in ["levels.svg", "points.svg", "preferences.svg"] {
        let text = stage.read(format!("plots/{name}"));
        assert!(!text.contains("<script>") && text.contains("&lt;script&gt;&amp;\u{fffd}"), "{name}");
    }
}

#[test]
fn a_table_of_one_value_has_nothing_to_spend() {
    let stage = Stage::empty();
    stage
        .write("none.toml", "[variables.age]\nrole = \"quasi-identifying\"\npoints = { user = 100, intruder = 100 }\n");
    stage.write("one.csv", "age\n30\n30\n");
    let document = stage.run(["balance", "one.csv", "--policy", "none.toml", "--json"]).done().json();
    assert_eq!((number(&document["income"]), &document["node"]["age"]), (0.0, &Value::from(0)));
}

#[test]
fn a_release_says_what_the_guarantee_cost() {
    let stage = Stage::set();
    let policy = format!(
        "{}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\nsearch = \"balance\"\nsuppression_limit = 0.1\n",
        variables()
    );
    stage.write("guarded.toml", &policy);
    let document =
        stage.run(["release", "people.csv", "--policy", "guarded.toml", "--out", "out", "--json"]).done().json();
    let cost = &document["balance"];
    let keys = ["target", "distance", "suppression", "satisfaction", "off_optimum", "total", "optimum", "variables"];
    assert_keys(cost, &[keys.as_slice(), &["unconstrained"]].concat());
    assert_keys(&cost["variables"][0], &["name", "utility", "protection", "optimum", "levels"]);
    assert!(number(&cost["off_optimum"]) >= number(&cost["unconstrained"]["off_optimum"]));
    let free = balance(&stage, variables(), &["--json"]).done().json();
    assert_eq!(cost["unconstrained"]["node"], free["node"]);
    assert_eq!(
        (&document["optimal"], &document["gap"], &document["search"]),
        (&true.into(), &0.0.into(), &"balance".into())
    );
    let text = stage.run(["release", "people.csv", "--policy", "guarded.toml", "--out", "again"]).done().stdout;
    assert!(text.contains("suits the preferences better") && text.contains("the guarantees "), "{text}");
    let owner = stage.read("out/private/report.html");
    assert!(owner.contains("What each level gives where nothing is suppressed."));
    assert!(
        owner.contains("The balance of utility and privacy") && owner.contains("Without guarantees the preferences")
    );
    let public = stage.read("out/public/report.html") + &stage.read("out/public/report.json");
    assert!(
        !public.contains("unconstrained") && !public.contains("The balance of utility and privacy"),
        "the cost stays with the owner"
    );
}

#[test]
fn a_time_limit_gives_the_best_balance_so_far() {
    let stage = Stage::set();
    let policy =
        format!("{}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\nsearch = \"balance\"\n", variables());
    stage.write("guarded.toml", &policy);
    let call = ["release", "people.csv", "--policy", "guarded.toml", "--out", "out", "--time-limit", "1h", "--json"];
    let document = stage.run(call).done().json();
    assert_eq!((&document["optimal"], &document["gap"]), (&true.into(), &0.0.into()));
}

fn unguarded() -> String {
    format!("{}\n[method]\nsearch = \"balance\"\nguarantee = \"none\"\n", variables())
}

#[test]
fn a_release_without_a_guarantee_says_so_everywhere() {
    let stage = Stage::set();
    stage.write("trust.toml", &unguarded());
    let document =
        stage.run(["release", "people.csv", "--policy", "trust.toml", "--out", "out", "--json"]).done().json();
    assert_eq!(document["guarantee"], "none");
    let free = balance(&stage, variables(), &["--json"]).done().json();
    assert_eq!(document["node"], free["node"], "the choice of the preferences alone");
    let text = stage.run(["release", "people.csv", "--policy", "trust.toml", "--out", "again"]).done().stdout;
    assert!(text.contains("no guarantee") && text.contains("utility") && !text.contains("the guarantees"), "{text}");
    let manifest: Value = serde_json::from_str(&stage.read("out/public/manifest.json")).unwrap();
    assert_eq!((&manifest["guarantee"], &manifest["privacy"]), (&Value::from("none"), &Value::Array(Vec::new())));
    for report in ["out/public/report.html", "out/private/report.html"] {
        let page = stage.read(report);
        assert!(
            page.contains("No formal guarantee") && page.contains("It comes without a privacy guarantee."),
            "{report}"
        );
        assert!(!page.contains("No safe combination"), "{report}");
    }
    let public: Value = serde_json::from_str(&stage.read("out/public/report.json")).unwrap();
    assert_eq!((&public["guarantee"], &public["balance"]), (&Value::from("none"), &Value::Null));
    assert!(stage.read("out/private/report.html").contains("Nothing is guaranteed: the levels were balanced"));
    let verdict = stage.run(["audit", "out/public", "--json"]).done().json();
    assert_eq!((&verdict["passed"], &verdict["guarantee"]), (&Value::from(true), &Value::from("none")));
    assert!(
        verdict["claimed"].as_str().unwrap().starts_with("Claimed is no privacy model, so nothing is guaranteed; ")
    );
    let words = stage.run(["audit", "out/public"]).done().stdout;
    assert!(words.contains("Nothing is guaranteed: no privacy model is claimed."), "{words}");
    let sql =
        stage.run(["sql", "people.csv", "--policy", "trust.toml", "--dialect", "duckdb", "--table", "people"]).done();
    assert!(sql.stdout.contains("-- Nothing is guaranteed"), "{}", sql.stdout);
    let ran = stage.run(["apply", "people.csv", "--mask", "out/private/mask.json", "--out", "next", "--json"]).done();
    assert_eq!(ran.json()["guarantee"], "none");
}

#[test]
fn rare_groups_are_left_out_where_that_suits_the_preferences_better() {
    let stage = Stage::empty();
    stage.write("towns.csv", "town\nNordby\nOstby\nOstby\nOstby\nSydby\nSydby\nSydby\nSydby\n");
    let policy = "[variables.town]\nrole = \"quasi-identifying\"\n\
                  hierarchy = { groups = [{ north = [\"Nordby\", \"Ostby\"], south = [\"Sydby\"] }] }\n\
                  points = { user = 100, intruder = 100 }\n\
                  [method]\nsearch = \"balance\"\nguarantee = \"none\"\nsuppression_limit = 0.125\n\
                  [preferences]\nalpha = 0.75\nbeta = 0.25\nsuppression = \"chosen\"\n";
    stage.write("towns.toml", policy);
    let document =
        stage.run(["release", "towns.csv", "--policy", "towns.toml", "--out", "out", "--json"]).done().json();
    assert_eq!((&document["node"]["town"], &document["suppressed"]), (&Value::from(0), &Value::from(1)));
    assert_eq!(document["balance"]["left_out"], 1);
    // log₂ 8/3 for three records and 1 for four, of eight, at 100 points.
    let shown = (3.0 * (8.0_f64 / 3.0).log2() + 4.0) / 8.0;
    assert!((number(&document["balance"]["total"]["utility"]) - 100.0 * shown).abs() < 1e-9);
    assert_eq!(stage.read("out/public/data.csv"), "town\nOstby\nOstby\nOstby\nSydby\nSydby\nSydby\nSydby\n");
}

#[test]
fn sweeps_have_the_optimum_and_levels() {
    let stage = Stage::set();
    let call = ["--json", "--sweep", "alpha", "--sweep", "ratio", "--sweep", "points"];
    let document = balance(&stage, variables(), &call).done().json();
    assert_keys(&document["sweep"][0], &["from", "to", "node", "optimum_from", "optimum_to"]);
    let ratios = document["ratios"].as_array().unwrap();
    assert_eq!((ratios.len(), number(&ratios[0]["alpha"]), number(&ratios[0]["beta"])), (9, 0.1, 0.9));
    // The policy's own weights are even, and so are those of the fifth ratio.
    let even = &ratios[4]["variables"][0];
    let own = &document["variables"][0];
    assert_eq!((&even["optimum"]["utility"], &even["level"]), (&own["optimum"]["x"], &own["level"]));
    let points = document["points"].as_array().unwrap();
    assert_eq!((points.len(), points[0]["cells"].as_array().unwrap().len()), (2, 121));
    assert_keys(&points[0]["cells"][0], &["user", "intruder", "optimum", "level", "shown"]);
    let total = &document["total"];
    let summed: f64 = document["variables"].as_array().unwrap().iter().map(|one| number(&one["utility"])).sum();
    assert!((number(&total["chosen"]["utility"]) - summed).abs() < 1e-9);
    let text = balance(&stage, variables(), &["--levels", "--sweep", "ratio", "--sweep", "points"]).done().stdout;
    for words in ["What each level gives", "alpha : beta", "over its points", "in all with these levels"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
