//! What a policy says.

use equanym_core::card::{Parameters, Value};
use equanym_core::hierarchy::{Builder, DateFormat, DateGrain, NumberEnds, library};
use equanym_core::variable::Role;
use equanym_engine::policy::{
    Amount, Format, Levels, Points, Policy, Preferences, Ration, RecordOrder, Suppression, Unit, UnwantedLevel,
    ValueKind, VariablePolicy,
};
use equanym_engine::read::{Encoding, RaggedRecords, Reading};

use super::{SAMPLE, columns, read};

fn named<'a>(policy: &'a Policy, name: &str) -> &'a VariablePolicy {
    policy.variables.iter().find(|variable| variable.name == name).unwrap()
}

#[test]
fn the_variables_of_the_interface_keep_their_order() {
    let policy = read(SAMPLE);
    let names: Vec<&str> = policy.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["name", "age", "zip", "admitted", "education", "marital", "diagnosis", "ward"]);
    let roles: Vec<&str> = policy.of_role(Role::QuasiIdentifying).map(|variable| variable.name.as_str()).collect();
    assert_eq!(roles, ["age", "zip", "admitted", "education", "marital"]);
    assert_eq!(named(&policy, "age").line, 5);
}

#[test]
fn the_hierarchies_of_the_interface() {
    let policy = read(SAMPLE);
    let builder = |name| &named(&policy, name).hierarchy;
    assert_eq!(builder("age"), &Builder::intervals(columns(&["5", "10", "20", "40"])));
    assert_eq!(builder("zip"), &Builder::Prefix { keep: vec![4, 3, 2] });
    let grains = vec![DateGrain::Month, DateGrain::Quarter, DateGrain::Year];
    assert_eq!(builder("admitted"), &Builder::Date { grains, format: DateFormat::Iso });
    assert!(matches!(builder("education"), Builder::File(_)));
    let Builder::Groups { levels } = builder("marital") else { panic!("no groups") };
    assert_eq!(levels[0][0], ("Been married".to_owned(), columns(&["Married", "Widowed", "Divorced"])));
    assert_eq!(levels[0][1], ("Never married".to_owned(), columns(&["Single"])));
    assert_eq!(builder("ward"), &Builder::None);
}

#[test]
fn what_else_the_interface_says_of_variables() {
    let policy = read(SAMPLE);
    assert_eq!(named(&policy, "age").kind, ValueKind::Number);
    assert_eq!(named(&policy, "zip").kind, ValueKind::Text);
    assert_eq!(named(&policy, "age").points, Some(Points { user: 60.0, intruder: 40.0 }));
    assert!((named(&policy, "age").weight() - 0.6).abs() < 1e-12);
    assert_eq!(named(&policy, "marital").levels, Some(Levels { min: 0, max: Some(1) }));
    assert!(named(&policy, "age").hierarchy_given && !named(&policy, "ward").hierarchy_given);
}

#[test]
fn the_rest_of_the_interface() {
    let policy = read(SAMPLE);
    assert_eq!(policy.privacy[0].parameters["k"], Value::Integer(5));
    assert_eq!(policy.privacy[1].parameters["variable"], Value::Text("diagnosis".to_owned()));
    assert_eq!(policy.privacy[1].parameters["kind"], Value::Text("distinct".to_owned()));
    assert_eq!((policy.method.search.as_str(), policy.method.suppression_limit), ("optimal", 0.05));
    let preferences = policy.preferences.clone().unwrap();
    assert_eq!((preferences.alpha, preferences.beta, preferences.target.as_str()), (0.5, 0.5, "coupled"));
    assert_eq!(preferences.ration["zip"].min_protection, Some(Amount::Level(2)));
    assert_eq!(preferences.ration["zip"].min_utility, Some(Amount::Of(4.2)));
    assert_eq!((policy.output.format, policy.output.order), (Format::Csv, RecordOrder::Canonical));
    policy.require_release().unwrap();
}

#[test]
fn silence_means_the_defaults() {
    let policy = read("");
    assert_eq!(policy.method.name, equanym_core::method::DEFAULT);
    assert_eq!(policy.method.search, equanym_core::search::DEFAULT);
    assert_eq!(policy.method.loss, equanym_core::loss::DEFAULT);
    assert_eq!(policy.suppression_allowance(u64::MAX), 0);
    assert_eq!(policy.data, Reading::default());
    assert!(policy.preferences.is_none());
}

#[test]
fn data_and_output() {
    let policy = read(
        "[data]\ndelimiter = \"\\t\"\nencoding = \"utf-16le\"\nragged = \"null\"\nmissing = [\"NA\", \"?\"]\n\
         trim = true\nnormalise = \"NFC\"\n[output]\nformat = \"parquet\"\norder = \"input\"",
    );
    assert_eq!((policy.data.delimiter, policy.data.encoding), (Some(b'\t'), Encoding::Utf16Le));
    assert_eq!((policy.data.ragged, policy.data.trim, policy.data.normalise), (RaggedRecords::Null, true, true));
    assert_eq!(policy.data.missing, ["NA", "?"]);
    assert_eq!((policy.output.format, policy.output.order), (Format::Parquet, RecordOrder::Input));
}

#[test]
fn order_is_that_of_the_file_also_for_scattered_tables() {
    let text = "[variables.z.points]\nuser = 1\n[variables.b]\nrole = \"sensitive\"\n[variables.c]\n\
                role = \"sensitive\"\n[variables.z]\nrole = \"quasi-identifying\"\n[variables.a]\nrole = \"sensitive\"";
    let names: Vec<String> = read(text).variables.into_iter().map(|variable| variable.name).collect();
    assert_eq!(names, ["b", "c", "z", "a"]);
}

#[test]
fn numbers_keep_their_decimal_text() {
    let policy = read("[variables.x]\nrole = \"quasi-identifying\"\nhierarchy = { intervals = [0.1, 2.5, 1_000] }");
    assert_eq!(policy.variables[0].hierarchy, Builder::intervals(columns(&["0.1", "2.5", "1000"])));
}

#[test]
fn ends_rare_values_and_the_library() {
    let builder = |inner: &str| {
        let text = format!("[variables.x]\nrole = \"quasi-identifying\"\nhierarchy = {{ {inner} }}");
        read(&text).variables[0].clone()
    };
    let ends = |top: Option<&str>, bottom: Option<&str>| NumberEnds {
        top: top.map(Into::into),
        bottom: bottom.map(Into::into),
    };
    let both = builder("intervals = [5, 10, 20], top = 90, bottom = 15");
    let widths = columns(&["5", "10", "20"]);
    assert_eq!(both.hierarchy, Builder::Intervals { widths, ends: ends(Some("90"), Some("15")) });
    let alone = builder("bottom = -0.5");
    assert_eq!(alone.hierarchy, Builder::Intervals { widths: vec![], ends: ends(None, Some("-0.5")) });
    assert_eq!((both.kind, alone.kind), (ValueKind::Number, ValueKind::Number));
    let rare = |label: &str| Builder::Rare { below: vec![5, 20], label: label.into() };
    assert_eq!(builder("rare = [5, 20]").hierarchy, rare("other"));
    assert_eq!(builder("rare = [5, 20], label = \"sonstige\"").hierarchy, rare("sonstige"));
    for library in library::ALL {
        let found = builder(&format!("library = \"{}\"", library.card.name));
        assert_eq!(found.hierarchy, Builder::Library(library));
        assert_eq!(found.kind == ValueKind::Number, library.reads_numbers());
    }
    let grains = vec![DateGrain::Month, DateGrain::Year, DateGrain::FiveYears, DateGrain::Decade];
    let date = builder("date = [\"month\", \"year\", \"5 years\", \"decade\"], format = \"D.M.YYYY\"");
    assert_eq!(date.hierarchy, Builder::Date { grains, format: DateFormat::ShortDotted });
}

#[test]
fn ordered_groups_and_dates_with_a_format() {
    let policy = read(
        "[variables.a]\nrole = \"quasi-identifying\"\nhierarchy = { order = [\"low\", \"mid\", \"high\"], sizes = [2] }\n\
         [variables.b]\nrole = \"quasi-identifying\"\nhierarchy = { date = [\"year\"], format = \"DD.MM.YYYY\" }",
    );
    let order = Builder::Order { values: columns(&["low", "mid", "high"]), sizes: vec![2] };
    assert_eq!(policy.variables[0].hierarchy, order);
    let date = Builder::Date { grains: vec![DateGrain::Year], format: DateFormat::Dotted };
    assert_eq!(policy.variables[1].hierarchy, date);
}

#[test]
fn the_suppression_budget_is_exact() {
    for (limit, records, budget) in
        [("0.29", 100, 29), ("1e-7", 10_000_000, 1), ("1", 7, 7), ("0", 7, 0), ("-0.0", 7, 0)]
    {
        let policy = read(&format!("[method]\nsuppression_limit = {limit}"));
        assert_eq!(policy.suppression_allowance(records), budget, "{limit} of {records}");
    }
}

#[test]
fn a_loss_with_weights_takes_the_user_points() {
    let policy = read(
        "[variables.a]\nrole = \"quasi-identifying\"\npoints = { user = 33.4 }\n\
         [variables.b]\nrole = \"quasi-identifying\"\npoints = { user = 66.6 }\n\
         [variables.c]\nrole = \"quasi-identifying\"\n[method]\nloss = \"weighted-non-uniform-entropy\"",
    );
    let weights: Vec<f64> = policy.variables.iter().map(VariablePolicy::weight).collect();
    assert_eq!(weights.len(), 3);
    assert!((weights[0] - 0.334).abs() < 1e-12 && weights[2] == 0.0);
}

#[test]
fn weights_can_be_given_and_need_not_sum_to_anything() {
    let policy = read(
        "[variables.a]\nrole = \"quasi-identifying\"\nweight = 1\npoints = { user = 10 }\n\
         [variables.b]\nrole = \"quasi-identifying\"\nweight = 0.75\n[method]\nweights = \"given\"\n\
         loss = \"weighted-non-uniform-entropy\"",
    );
    assert_eq!(policy.variables.iter().map(VariablePolicy::weight).collect::<Vec<_>>(), [1.0, 0.75]);
}

#[test]
fn k_minimal_nodes_are_listed_on_request() {
    let asked = |lines: &str| read(&format!("[method]\n{lines}")).method.minimal_nodes;
    assert!(asked("search = \"ola\"\nminimal_nodes = true") && !asked("search = \"ola\""));
}

#[test]
fn a_loss_takes_its_parameters_beside_those_of_the_method() {
    let parameters = |lines: &str| read(&format!("[method]\n{lines}")).method.loss_parameters;
    let suppressed = |word: &str| Parameters::from([("suppressed".to_owned(), Value::Text(word.to_owned()))]);
    assert_eq!((parameters(""), parameters("suppressed = \"free\"")), (suppressed("charged"), suppressed("free")));
    assert_eq!(parameters("loss = \"discernibility\""), Parameters::new());
    let defaults = parameters("loss = \"average-class-size\"");
    assert_eq!(defaults, Parameters::from([("k".to_owned(), Value::Integer(1))]));
    let given = parameters("k = 5\nsuppression_limit = 0.1\nloss = \"average-class-size\"");
    assert_eq!(given, Parameters::from([("k".to_owned(), Value::Integer(5))]));
}

#[test]
fn level_bounds_meet_the_fitted_hierarchy() {
    let bounded = |levels: &str| {
        let text = format!("[variables.x]\nrole = \"quasi-identifying\"\nhierarchy = {{ prefix = [3, 2] }}\n{levels}");
        read(&text).variables.remove(0)
    };
    assert_eq!(bounded("").level_bounds(3).unwrap(), (0, 3));
    assert_eq!(bounded("levels = { min = 1 }").level_bounds(3).unwrap(), (1, 3));
    assert_eq!(bounded("levels = { min = 1, max = 2 }").level_bounds(3).unwrap(), (1, 2));
    let error = bounded("levels = { max = 2 }").level_bounds(1).unwrap_err().to_string();
    assert!(error.starts_with("policy line 1: `levels` of `x` go beyond its hierarchy, whose last level is 1"));
}

#[test]
fn preferences_say_which_balance() {
    let quasi = "[variables.zip]\nrole = \"quasi-identifying\"\npoints = { user = 100, intruder = 100 }\n";
    let silent = read(&format!("{quasi}[preferences]")).preferences.unwrap();
    assert_eq!(silent, Preferences::default());
    assert_eq!((silent.target.as_str(), silent.distance.as_str(), silent.unit), ("coupled", "weighted", Unit::Bits));
    let spoken = read(&format!(
        "{quasi}[preferences]\nalpha = 2\nbeta = 0\ntarget = \"paper\"\ndistance = \"manhattan\"\nunwanted = \"withheld\"\n\
         suppression = \"charged\"\ntotal = {{ min_utility = 3 }}\nunit = \"digits\"\n[preferences.ration.zip]\nmax_utility = 7\nmax_protection = {{ level = 1 }}"
    ));
    let spoken = spoken.preferences.unwrap();
    assert_eq!((spoken.alpha, spoken.beta, spoken.suppression), (2.0, 0.0, Suppression::Charged));
    assert_eq!(spoken.total, Ration { min_utility: Some(Amount::Of(3.0)), ..Ration::default() });
    assert_eq!((spoken.target.as_str(), spoken.distance.as_str()), ("paper", "manhattan"));
    assert_eq!((spoken.unwanted, spoken.unit), (UnwantedLevel::Withheld, Unit::Digits));
    let ration = spoken.ration["zip"];
    assert_eq!((ration.max_utility, ration.max_protection), (Some(Amount::Of(7.0)), Some(Amount::Level(1))));
    assert_eq!((ration.min_utility, ration.min_protection), (None, None));
}

#[test]
fn a_search_by_preferences_needs_all_points() {
    let policy = |points: &str| {
        format!("[variables.zip]\nrole = \"quasi-identifying\"\n{points}\n[method]\nsearch = \"balance\"")
    };
    read(&policy("points = { user = 100, intruder = 100 }"));
    assert!(read("[variables.zip]\nrole = \"quasi-identifying\"").require_balance().is_err());
}
