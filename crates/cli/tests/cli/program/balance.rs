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

/// A ladder, and two columns with new values; points are shared over all three.
const WALKED: &str = r#"
[variables.region]
role = "quasi-identifying"
hierarchy = { prefix = [1] }
points = { user = 30, intruder = 40 }

[variables.age]
role = "quasi-identifying"
walk = true
points = { user = 40, intruder = 30 }

[variables.pay]
role = "quasi-identifying"
walk = true
points = { user = 30, intruder = 30 }

[[privacy]]
model = "k-anonymity"
k = 5

[method]
name = "random-walk"
search = "balance"
order = false
segment = 20
seed = 1

[preferences.new_values]
by = "theta"
levels = [1, 0.3, 0.1, 0]
"#;

fn walked_stage() -> Stage {
    let stage = Stage::empty();
    let record = |record: u64| {
        let draw = record * 7919 % 1009;
        format!("{}{},{},{}\n", record % 4, draw % 5, 18 + draw % 70, 900 + draw * draw % 7001)
    };
    stage.write("staff.csv", &("region,age,pay\n".to_owned() + &(0..600).map(record).collect::<String>()));
    stage
}

/// How far a level is from the optimum, by the distance that uses all symbols.
fn off(variable: &Value, level: &Value) -> f64 {
    let good = |points: &str, optimum: &str, found: &str| {
        let off = number(&variable["optimum"][optimum]) - number(&level[found]);
        0.5 * number(&variable["points"][points]) / 100.0 * off.abs()
    };
    good("user", "x", "utility") + good("intruder", "y", "protection")
}

#[test]
fn new_values_have_goods_and_the_best_of_all_settings_is_chosen() {
    let stage = walked_stage();
    for method in ["random-walk", "perturbation"] {
        let policy = match method {
            "random-walk" => WALKED.to_owned(),
            _ => WALKED
                .replace("walk = true", "perturb = true")
                .replace("random-walk", method)
                .replace("order = false\nsegment = 20\n", "")
                .replace("\"theta\"", "\"distortion\"")
                .replace("[1, 0.3, 0.1, 0]", "[0.05, 0.1, 0.2, 0.4]"),
        };
        stage.write("walked.toml", &policy);
        let document = stage.run(["balance", "staff.csv", "--policy", "walked.toml", "--json"]).done().json();
        let variables = document["variables"].as_array().unwrap();
        let [ladder, walked @ ..] = variables.as_slice() else { panic!("{document}") };
        assert_eq!((ladder["name"].as_str(), walked.len()), (Some("region"), 2));
        let mut sums = [0.0; 5];
        for variable in walked {
            assert_keys(variable, &["name", "entropy", "levels", "price", "optimum", "level", "points"]);
            let entropy = number(&variable["entropy"]);
            let [q, r] = ["user", "intruder"].map(|whose| number(&variable["points"][whose]));
            for (place, level) in variable["levels"].as_array().unwrap().iter().enumerate() {
                let spent = number(&level["utility"]) / q + number(&level["protection"]) / r;
                assert!(spent <= entropy + 1e-9, "{level}");
                assert_eq!(level["allowed"], place > 0, "a method leaves no column as collected");
                sums[place] += off(variable, level);
                let reading = &level["reading"];
                if place > 0 {
                    assert!((number(&level["utility"]) - q * number(&reading["grid"]["told"])).abs() < 1e-9);
                    let untold = number(&reading["grid"]["untold"]).min(number(&reading["ranks"]["untold"]));
                    assert!((number(&level["protection"]) - r * untold).abs() < 1e-9, "{level}");
                    assert!(number(&reading["grid"]["told_error"]) > 0.0);
                }
            }
        }
        // Brute force: the setting of least sum, and the rung of the ladder that is nearest.
        let chosen = usize::try_from(walked[0]["level"].as_u64().unwrap()).unwrap();
        assert_eq!(walked[0]["level"], walked[1]["level"]);
        assert!((1..5).all(|level| sums[chosen] <= sums[level] + 1e-6), "{method}: {chosen} of {sums:?}");
        let rungs: Vec<f64> = ladder["levels"].as_array().unwrap().iter().map(|level| off(ladder, level)).collect();
        let rung = usize::try_from(ladder["level"].as_u64().unwrap()).unwrap();
        assert!(rungs.iter().all(|other| rungs[rung] <= other + 1e-6), "{rungs:?}");
        assert_eq!(stage.run(["balance", "staff.csv", "--policy", "walked.toml", "--json"]).done().json(), document);
    }
}

#[test]
fn a_release_takes_the_setting_that_the_balance_chose() {
    let stage = walked_stage();
    stage.write("walked.toml", WALKED);
    let balanced = stage.run(["balance", "staff.csv", "--policy", "walked.toml", "--json"]).done().json();
    let level = usize::try_from(balanced["node"]["pay"].as_u64().unwrap()).unwrap();
    let theta = [1.0, 0.3, 0.1, 0.0][level - 1];
    let released =
        stage.run(["release", "staff.csv", "--policy", "walked.toml", "--out", "out", "--json"]).done().json();
    let names: Vec<&str> =
        released["balance"]["variables"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["region", "age", "pay"]);
    let manifest: Value = serde_json::from_str(&stage.read("out/public/manifest.json")).unwrap();
    let text = manifest.to_string();
    assert!(text.contains(&format!("\"theta\":{theta:?}")), "{text}");
    let owner = stage.read("out/private/report.json");
    assert!(owner.contains("theta that the balance chose") && owner.contains("bits that a user reads of it"));
    assert!(stage.run(["audit", "out/public", "--original", "staff.csv"]).done().stdout.contains("k-anonymity"));
    // The order gives all away to ranks: nothing is protected, whatever the setting.
    stage.write("ordered.toml", &WALKED.replace("order = false", "order = true"));
    let ordered = stage.run(["balance", "staff.csv", "--policy", "ordered.toml", "--json"]).done().json();
    for level in ordered["variables"][2]["levels"].as_array().unwrap() {
        assert!(number(&level["protection"]) < 1.0, "{level}");
    }
    // A bound on everything together is for looking, not for releasing.
    stage.write("total.toml", &(WALKED.to_owned() + "[preferences.total]\nmin_utility = 1\n"));
    stage.run(["balance", "staff.csv", "--policy", "total.toml"]).done();
    let refused = stage.run(["release", "staff.csv", "--policy", "total.toml", "--out", "never"]);
    assert_eq!(refused.code, 2);
    assert_eq!(
        refused.stderr,
        "error: [preferences.total] bounds recoded variables and those with new values together, which a release does not \
         keep\nhint: bound single variables by [preferences.ration], or look at it with `equanym balance`\n"
    );
}
