//! Differential privacy as users meet it: what a release says, and that a seed is no small thing.

use std::fmt::Write;

use serde_json::json;

use super::stage::Stage;

const RELEASE: [&str; 6] = ["release", "readers.csv", "--policy", "drawn.toml", "--out", "out"];

const POLICY: &str = r#"
[variables.district]
role = "quasi-identifying"
levels = { min = 0, max = 0 }

[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [10, 20] }
levels = { min = 2, max = 2 }

[[privacy]]
model = "differential-privacy"
epsilon = 1
delta = 0.001
"#;

fn stage(more: &str) -> Stage {
    let stage = Stage::set();
    let mut table = "district,age\n".to_owned();
    (0..400).for_each(|reader| writeln!(table, "{},{}", ["North", "South"][reader % 2], 20 + reader % 20).unwrap());
    stage.write("readers.csv", &table);
    stage.write("drawn.toml", &format!("{POLICY}{more}"));
    stage
}

#[test]
fn json_manifest_and_summary_say_what_is_promised() {
    let drawn = stage("");
    let document = drawn.run(RELEASE.iter().chain(&["--json"])).done().json();
    let claim = &document["privacy"][0];
    assert_eq!(
        (&claim["epsilon"], &claim["delta"], &claim["k"], &claim["holds"]),
        (&json!(1.0), &json!(0.001), &json!(34), &json!(true))
    );
    assert!(claim["beta"].as_f64().is_some_and(|beta| (beta - 0.632_120_558).abs() < 1e-8), "{claim}");
    assert_eq!(document["records"], json!(400));
    let manifest: serde_json::Value = serde_json::from_str(&drawn.read("out/public/manifest.json")).unwrap();
    assert_eq!(manifest["privacy"][0]["k"], json!(34));
    assert_eq!(manifest["records"], json!({"released": document["released"]}));
    let audited = drawn.run(["audit", "out/public"]).done().stdout;
    assert!(audited.contains("differential privacy with epsilon = 1 and delta = 0.001"), "{audited}");
    drawn.run(["audit", "out/public", "--original", "readers.csv"]).done();
    let told = drawn.read("out/public/report.html");
    assert!(told.contains("at most 2.72 in 1,000") && told.contains("add up"), "{told}");
}

#[test]
fn a_seed_that_is_acknowledged_voids_the_promise() {
    let drawn = stage("acknowledge_seed = true\n");
    let summary = drawn.run(RELEASE.iter().chain(&["--seed", "3"])).done().stdout;
    assert!(summary.contains("is void: a seed was given"), "{summary}");
    assert!(drawn.read("out/public/report.html").contains("The promise is void"));
    assert!(drawn.read("out/public/report.json").contains("\"holds\": false"));
}
