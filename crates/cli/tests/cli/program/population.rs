//! Populations and presets as users meet them: flags, summaries and refusals.

use super::stage::{POLICY, Ran, Stage};

const RELEASE: [&str; 6] = ["release", "people.csv", "--policy", "policy.toml", "--out", "out"];

/// A folder with a table, its population (everybody thrice) and a policy that looks at it.
fn stage(model: &str) -> Stage {
    let stage = Stage::set();
    let people = stage.read("people.csv");
    let (header, rows) = people.split_once('\n').unwrap();
    stage.write("everybody.csv", &format!("{header}\n{rows}{rows}{rows}"));
    stage.write("policy.toml", &POLICY.replace("model = \"k-anonymity\"\nk = 3", model));
    stage
}

fn k_map() -> Stage {
    stage("model = \"k-map\"\nk = 9\npopulation = \"everybody.csv\"")
}

fn audit(stage: &Stage, more: &[&str]) -> Ran {
    stage.run(["audit", "out/public", "--json"].iter().chain(more))
}

#[test]
fn a_population_is_named_by_the_policy_and_given_to_audit_and_apply() {
    let stage = k_map();
    let document = stage.run(RELEASE.iter().chain(&["--json"])).done().json();
    assert_eq!(document["privacy"][0]["checked"], "population");
    assert_eq!(document["population"]["records"], 360);
    assert_eq!(audit(&stage, &[]).done().json()["privacy"][0]["checked"], "needs --population");
    let mask = ["--population", "everybody.csv", "--mask", "out/private/mask.json"];
    assert_eq!(audit(&stage, &mask).done().json()["privacy"][0]["checked"], "population");
    // Everybody once is a third of what is promised.
    let verdict = audit(&stage, &["--population", "people.csv", "--mask", "out/private/mask.json"]).ended(1).json();
    assert_eq!(verdict["passed"], false);
    assert!(audit(&stage, &["--mask", "out/private/mask.json"]).ended(2).stderr.contains("--population"));
    let apply = ["apply", "people.csv", "--mask", "out/private/mask.json", "--out", "again"];
    let refused = stage.run(apply).ended(2).stderr;
    assert!(refused.contains("--population"), "{refused}");
    stage.run(apply.iter().chain(&["--population", "everybody.csv"])).done();
    assert_eq!(stage.read("out/public/data.csv"), stage.read("again/public/data.csv"));
}

#[test]
fn a_population_that_is_not_there_or_lacks_somebody_ends_the_run() {
    let stage = k_map();
    stage.write("everybody.csv", "age,zip\n1,10000\n");
    let lacks = stage.run(RELEASE).ended(2).stderr;
    assert!(lacks.contains("the population lacks 120 records of the table"), "{lacks}");
    std::fs::remove_file(stage.path("everybody.csv")).unwrap();
    let absent = stage.run(RELEASE);
    assert!([2, 3].contains(&absent.code), "{absent:?}");
    assert!(!stage.path("out").exists());
}

#[test]
fn a_population_without_a_column_and_a_fraction_that_is_none_are_refused() {
    let lacking = k_map();
    lacking.write("everybody.csv", "age\n1\n");
    let refused = lacking.run(RELEASE).ended(2).stderr;
    assert!(refused.contains("the population has no column `zip`"), "{refused}");
    assert!(!lacking.path("out").exists());
    for model in ["model = \"k-map\"\nk = 5", "model = \"population-uniques\"\nmax = 0.1"] {
        for fraction in ["0", "-0.1", "1.5", "nan", "\"half\""] {
            let stage = stage(&format!("{model}\nfraction = {fraction}"));
            let refused = stage.run(RELEASE).ended(2).stderr;
            assert!(refused.contains("`fraction` of"), "{refused}");
            assert!(!stage.path("out").exists());
        }
    }
}

const SAFE: &str = r#"
preset = "hipaa-safe-harbor"

[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [10, 30], top = 90 }
levels = { min = 1 }

[variables.remark]
role = "insensitive"

[[privacy]]
model = "k-anonymity"
k = 2
"#;

/// People of some ages, each with a remark.
fn remarks(remark: &str) -> String {
    let rows: Vec<String> = (0..40).map(|one| format!("{},{remark}\n", 30 + one % 20)).collect();
    format!("age,remark\n{}", rows.concat())
}

#[test]
fn a_mask_keeps_its_preset_on_other_data() {
    let stage = Stage::empty();
    stage.write("march.csv", &remarks("well"));
    stage.write("april.csv", &remarks("ask anna@example.org"));
    stage.write("safe.toml", SAFE);
    stage.run(["release", "march.csv", "--policy", "safe.toml", "--out", "march"]).done();
    let apply = |data, out| stage.run(["apply", data, "--mask", "march/private/mask.json", "--out", out]);
    apply("march.csv", "again").done();
    let refused = apply("april.csv", "april").ended(2).stderr;
    for words in ["the mask: 1 column breaks `hipaa-safe-harbor`", "column `remark`", "nothing was written"] {
        assert!(refused.contains(words), "{refused}");
    }
    assert!(!refused.contains("anna") && !stage.path("april").exists());
}

#[test]
fn presets_are_explained_in_full() {
    let stage = Stage::empty();
    for (name, words) in [
        ("ema-0.09", "[[privacy]] model = \"k-anonymity\", k = 12"),
        ("cms-11", "[[privacy]] model = \"k-anonymity\", k = 11"),
        ("hipaa-safe-harbor", "dates: the year, or coarser (C)"),
    ] {
        let text = stage.run(["explain", name]).done().stdout;
        assert!(text.contains(words) && text.contains("Source"), "{text}");
        assert!(stage.run(["list", "preset"]).done().stdout.contains(name));
        assert!(stage.run(["explain", name, "--json"]).done().json()["asks"][0].is_string());
    }
}

#[test]
fn a_preset_names_the_columns_that_break_it() {
    let stage = Stage::set();
    stage.write("policy.toml", &format!("preset = \"hipaa-safe-harbor\"\n{POLICY}"));
    let refused = stage.run(RELEASE).ended(2).stderr;
    for words in ["2 columns break `hipaa-safe-harbor`", "column `age`: it tells ages over 89", "column `zip`:"] {
        assert!(refused.contains(words), "{refused}");
    }
    assert_eq!(stage.files(), ["people.csv", "policy.toml"]);
    let preset = POLICY.replace("model = \"k-anonymity\"\nk = 3", "preset = \"cms-11\"");
    stage.write("policy.toml", &preset);
    let document = stage.run(RELEASE.iter().chain(&["--json"])).done().json();
    assert_eq!((&document["privacy"][0]["model"], &document["privacy"][0]["k"]), (&"k-anonymity".into(), &11.into()));
    stage.write("policy.toml", &POLICY.replace("model = \"k-anonymity\"\nk = 3", "preset = \"cms-12\""));
    assert!(stage.run(RELEASE).ended(2).stderr.contains("cms-11"));
}

#[test]
fn a_preset_that_speaks_of_no_column_is_refused() {
    let stage = Stage::empty();
    stage.write("letters.csv", &format!("a,b\n{}", "x,y\n".repeat(20)));
    let columns = "[variables.a]\nrole = \"quasi-identifying\"\n[variables.b]\nrole = \"insensitive\"\n";
    stage.write("policy.toml", &format!("preset = \"hipaa-safe-harbor\"\n{columns}"));
    let refused = stage.run(["release", "letters.csv", "--policy", "policy.toml", "--out", "out"]).ended(2).stderr;
    assert!(refused.contains("speaks of no column of this table"), "{refused}");
    assert!(!stage.path("out").exists());
}
