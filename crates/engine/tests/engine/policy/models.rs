//! The keys of privacy models, and what sensitive variables may have for them.

use super::{hospital, read};
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
