//! `--against`: two releases by different levels, for every kind of ladder. Whoever stands alone at the finer level is withheld there; the
//! coarser release shows everybody, and what is left by subtracting is that person.

use super::stage::Stage;

/// A column that is released at two levels.
struct Climb {
    name: &'static str,
    /// The value of a crowd, of the one beside them, and of others.
    values: [&'static str; 3],
    /// The ladders of the earlier and of the newer release.
    ladders: [&'static str; 2],
    levels: [u8; 2],
    /// Whether the public folder of the earlier release says enough without its mask.
    is_public: bool,
}

const CLIMBS: [Climb; 11] = [
    Climb::new("groups", ["Aby", "Bby", "Cby"], [GROUPS, GROUPS], [1, 2], false),
    Climb::new("file", ["Aby", "Bby", "Cby"], [FILE, FILE], [1, 2], false),
    Climb::new("library", ["62.01", "62.09", "01.11"], ["library = \"nace-2\""; 2], [1, 2], true),
    Climb::new("collected to prefix", ["621", "622", "45"], ["prefix = [2]"; 2], [0, 1], true),
    Climb::new("collected to interval", ["21", "23", "45"], ["intervals = [10]"; 2], [0, 1], true),
    Climb::new("interval to another", ["21", "26", "45"], ["intervals = [5]", "intervals = [20]"], [1, 1], true),
    Climb::new("year", ["2021-05-01", "2022-05-01", "2031-05-01"], [YEARS, YEARS], [1, 2], true),
    Climb::new("top", ["35", "45", "12"], ["intervals = [10], top = 40", "intervals = [10], top = 30"], [1, 1], true),
    Climb::new("file to prefix", ["621", "622", "45"], [CODES, "prefix = [2]"], [1, 1], false),
    Climb::new("order", ["a", "c", "e"], [ORDER, ORDER], [1, 2], false),
    Climb::new("rare", ["Aby", "Bby", "Cby"], ["rare = [4]", "rare = [7]"], [1, 1], false),
];

const GROUPS: &str = r#"groups = [{ n = ["Aby"], m = ["Bby"], s = ["Cby"] }, { nm = ["n", "m"], south = ["s"] }]"#;
const FILE: &str = r#"file = "towns.csv""#;
const CODES: &str = r#"file = "codes.csv""#;
const YEARS: &str = r#"date = ["year", "5 years"]"#;
const ORDER: &str = r#"order = ["a", "b", "c", "d", "e", "f"], sizes = [2, 4]"#;

impl Climb {
    const fn new(
        name: &'static str,
        values: [&'static str; 3],
        ladders: [&'static str; 2],
        levels: [u8; 2],
        is_public: bool,
    ) -> Self {
        Self { name, values, ladders, levels, is_public }
    }

    fn policy(&self, release: usize) -> String {
        let (ladder, level) = (self.ladders[release], self.levels[release]);
        format!(
            "[variables.place]\nrole = \"quasi-identifying\"\nhierarchy = {{ {ladder} }}\nlevels = {{ min = {level}, max = {level} }}\n\
             [variables.illness]\nrole = \"sensitive\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\nsuppression_limit = 0.1\n"
        )
    }

    /// So many people, of whom one stands alone or nobody does.
    fn stage(&self, has_lone: bool) -> Stage {
        let stage = Stage::empty();
        let ill = ["flu", "gout", "mumps"];
        let rows = |value: &str, count: usize| -> String {
            (0..count).map(|number| format!("{value},{}\n", ill[number % 3])).collect::<Vec<_>>().concat()
        };
        let [crowd, lone, others] = self.values;
        let lone = rows(lone, usize::from(has_lone));
        stage.write("people.csv", &format!("place,illness\n{}{lone}{}", rows(crowd, 6), rows(others, 8)));
        stage.write("towns.csv", "Aby;n;nm\nBby;m;nm\nCby;s;south\n");
        stage.write("codes.csv", "621;x\n622;y\n45;z\n");
        stage.write("earlier.toml", &self.policy(0));
        stage.write("newer.toml", &self.policy(1));
        stage.run(["release", "people.csv", "--policy", "earlier.toml", "--out", "earlier"]).done();
        std::fs::create_dir(stage.path("bare")).unwrap();
        for file in std::fs::read_dir(stage.path("earlier/public")).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), stage.path("bare").join(file.file_name())).unwrap();
        }
        stage
    }
}

#[test]
fn nobody_is_left_by_subtracting_a_finer_release() {
    for climb in CLIMBS {
        let stage = climb.stage(true);
        let newer = ["release", "people.csv", "--policy", "newer.toml", "--out", "newer"];
        let ran = stage.run(newer.into_iter().chain(["--against", "earlier/public"]));
        assert_eq!(ran.code, 1, "{}: {ran:?}", climb.name);
        assert!(
            ran.stderr.contains("1 classes differ by too few or too similar people, down to 1"),
            "{}: {ran:?}",
            climb.name
        );
        assert!(!stage.path("newer").exists(), "{}", climb.name);
        assert_eq!(stage.run(newer.into_iter().chain(["--against", "bare"])).code, 1, "{}", climb.name);
        stage.run(newer).done();
        let audit = ["audit", "newer/public", "--mask", "newer/private/mask.json", "--against", "earlier/public"];
        stage.run(audit).ended(1);
    }
}

#[test]
fn unions_of_classes_pass_where_nobody_is_withheld() {
    for climb in CLIMBS {
        let stage = climb.stage(false);
        let newer = ["release", "people.csv", "--policy", "newer.toml", "--out"];
        let ran = stage.run(newer.into_iter().chain(["newer", "--against", "earlier/public"]));
        assert_eq!(ran.code, 0, "{}: {ran:?}", climb.name);
        let ran = stage.run(newer.into_iter().chain(["bare-newer", "--against", "bare"]));
        assert_eq!(ran.code == 0, climb.is_public, "{}: {ran:?}", climb.name);
        assert_eq!(
            ran.stderr.contains("cannot be known; of lists the masks of both tell it"),
            !climb.is_public,
            "{}",
            climb.name
        );
    }
}

#[test]
fn every_earlier_release_is_compared() {
    // Four come, then three of them leave: each step is safe, and the first and the last differ by one.
    let stage = Stage::empty();
    stage.write("policy.toml", &CLIMBS[3].policy(1));
    for (name, crowd) in [("first", 6), ("second", 10), ("third", 7)] {
        stage.write(format!("{name}.csv"), &format!("place,illness\n{}", "621,flu\n".repeat(crowd)));
    }
    let release = |name: &str, out: &str, against: &[&str]| {
        let data = format!("{name}.csv");
        let call = ["release", data.as_str(), "--policy", "policy.toml", "--out", out];
        let against = against.iter().flat_map(|earlier| ["--against", *earlier]);
        stage.run(call.into_iter().chain(against)).code
    };
    assert_eq!(release("first", "first", &[]), 0);
    assert_eq!(release("second", "second", &["first/public"]), 0);
    assert_eq!(release("third", "third", &["second/public"]), 0);
    assert_eq!(release("third", "again", &["second/public", "first/public"]), 1);
}
