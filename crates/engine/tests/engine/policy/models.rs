//! The keys of privacy models, and what sensitive variables may have for them.

use super::{check, hospital, read};
use equanym_core::card::Value;
use equanym_core::hierarchy::Builder;
use equanym_core::walk::OrderedWords;

/// A policy of two variables with a model that guards one of them; its keys start at line 7.
fn guarded(model: &str, keys: &str) -> String {
    hospital(&format!("[[privacy]]\nmodel = \"{model}\"\nvariable = \"illness\"\n{keys}\n"))
}

/// The same with more about the guarded variable, from line 5 on.
fn with(illness: &str, keys: &str) -> String {
    guarded("t-closeness", keys).replacen("role = \"sensitive\"\n", &format!("role = \"sensitive\"\n{illness}\n"), 1)
}

#[test]
fn defaults_are_filled_in() {
    let word = |text: &str| Some(Value::Text(text.to_owned()));
    let given =
        |model: &str, keys: &str, name: &str| read(&guarded(model, keys)).privacy[0].parameters.get(name).cloned();
    assert_eq!(given("l-diversity", "l = 2", "kind"), word("distinct"));
    assert_eq!(given("l-diversity", "l = 2", "estimator"), None);
    assert_eq!(given("l-diversity", "l = 2.5\nkind = \"entropy\"", "estimator"), word("shannon"));
    assert_eq!(given("l-diversity", "l = 2\nkind = \"recursive\"\nc = 4", "c"), Some(Value::Integer(4)));
    assert_eq!(given("t-closeness", "t = 0.2", "distance"), word("equal"));
    assert_eq!(given("delta-disclosure", "delta = 1", "absent"), word("violates"));
    assert_eq!(given("beta-likeness", "beta = 0.5", "kind"), word("basic"));
    assert_eq!(given("alpha-k", "alpha = 0.5\nk = 3", "alpha"), Some(Value::Number(0.5)));
}

#[test]
fn parameters_out_of_range_name_their_line_and_what_fits() {
    for (model, keys, line, words) in [
        (
            "t-closeness",
            "t = 1.5",
            8,
            &["`t` of `t-closeness` must be a number from 0 to 1; found 1.5", "distance"][..],
        ),
        ("t-closeness", "t = -0.1", 8, &["from 0 to 1"]),
        ("t-closeness", "t = \"0.2\"", 8, &["without quotes"]),
        ("t-closeness", "t = nan", 8, &["finite"]),
        ("t-closeness", "t = 0.2\ndistance = \"order\"", 9, &["did you mean `ordered`?"]),
        ("t-closeness", "", 5, &["needs `t`"]),
        ("delta-disclosure", "delta = 0", 8, &["a number above 0; found 0"]),
        ("delta-disclosure", "delta = -1.5", 8, &["a number above 0"]),
        ("delta-disclosure", "delta = 1\nabsent = \"ignore\"", 9, &["did you mean `ignored`?"]),
        ("beta-likeness", "beta = 0", 8, &["a number above 0"]),
        ("beta-likeness", "beta = 1\nkind = \"strict\"", 9, &["`basic`, `enhanced`"]),
        ("alpha-k", "alpha = 0\nk = 2", 8, &["above 0 and up to 1"]),
        ("alpha-k", "alpha = 1.01\nk = 2", 8, &["above 0 and up to 1"]),
        ("alpha-k", "alpha = 0.5\nk = 1", 9, &["a whole number of at least 2"]),
        ("l-diversity", "l = 1", 8, &["a number above 1; found 1"]),
        ("l-diversity", "l = 2.5", 5, &["has a fraction only with kind = \"entropy\""]),
        ("l-diversity", "l = 2\nc = 3", 9, &["must be left out: it goes with kind = \"recursive\" only"]),
        ("l-diversity", "l = 2\nkind = \"recursive\"", 5, &["needs `c`"]),
        ("l-diversity", "l = 2\nkind = \"recursive\"\nc = 0", 10, &["a number above 0"]),
        ("l-diversity", "l = 2\nestimator = \"shannon\"", 9, &["it goes with kind = \"entropy\" only"]),
        ("l-diversity", "l = 2\nkind = \"entropy\"\nestimator = \"miller\"", 10, &["`shannon`, `grassberger`"]),
        ("t-closeness", "t = 0.2\nk = 5", 9, &["unknown key `k`"]),
    ] {
        check(&guarded(model, keys), line, words);
    }
}

#[test]
fn one_model_of_each_kind_for_a_variable() {
    let more = |keys: &str| format!("[[privacy]]\nmodel = \"l-diversity\"\nvariable = \"illness\"\n{keys}\n");
    let entropy = more("kind = \"entropy\"\nl = 2");
    assert_eq!(read(&(guarded("l-diversity", "l = 3") + &entropy)).privacy.len(), 2);
    check(&(guarded("l-diversity", "kind = \"entropy\"\nl = 3") + &entropy), 11, &["stands twice", "line 6"]);
}

#[test]
fn a_sensitive_variable_has_a_ladder_or_an_order_where_a_model_looks_at_it() {
    let policy = read(&with("hierarchy = { prefix = [1] }", "t = 0.2\ndistance = \"hierarchical\""));
    assert!(matches!(policy.variables[1].hierarchy, Builder::Prefix { .. }));
    let policy = read(&with("values = [\"low\", \"high\"]", "t = 0.2\ndistance = \"ordered\""));
    assert_eq!(policy.variables[1].order.as_ref().map(OrderedWords::list), Some(&["low".into(), "high".into()][..]));
    let ladder = "hierarchy = { order = [\"low\", \"high\"], sizes = [2] }";
    let policy = read(&with(ladder, "t = 0.2\ndistance = \"ordered\""));
    assert_eq!(policy.variables[1].order.as_ref().map(OrderedWords::list), Some(&["low".into(), "high".into()][..]));
    assert_eq!(read(&with("", "t = 0.2\ndistance = \"ordered\"")).variables[1].order, None);
}

#[test]
fn a_ladder_or_an_order_that_no_model_looks_at_is_refused() {
    let prefix = "hierarchy = { prefix = [1] }";
    for (illness, keys) in [
        (prefix, "t = 0.2"),
        (prefix, "t = 0.2\ndistance = \"ordered\""),
        ("values = [\"low\", \"high\"]", "t = 0.2\ndistance = \"equal\""),
    ] {
        check(&with(illness, keys), 5, &["has no effect", "no privacy model looks at this", "remove `"]);
    }
    let needs = with("", "t = 0.2\ndistance = \"hierarchical\"");
    check(&needs, 7, &["needs a hierarchy of `illness`", "give [variables.illness] a `hierarchy`", "not recoded"]);
    let two = "hierarchy = { order = [\"a\", \"b\"], sizes = [2] }\nvalues = [\"b\", \"a\"]";
    check(&with(two, "t = 0.2\ndistance = \"ordered\""), 6, &["`values`", "an order of its own"]);
    let keys = "t = 0.2\ndistance = \"ordered\"";
    check(&with("values = [\"a\", \"a\"]", keys), 5, &["is no order of values", "twice"]);
    check(&with("values = [\"a\", \"\"]", keys), 5, &["the missing value has no place"]);
    check(&with("values = []", keys), 5, &["empty list"]);
    check(&with("levels = { max = 1 }", keys), 5, &["`levels`", "only quasi-identifying"]);
}
