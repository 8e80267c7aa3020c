//! Marks, domains, seeds and properties: the parts of a policy that only some methods take.

use super::{check, read, refusal};

const WALKED: &str = "[variables.pay]\nrole = \"quasi-identifying\"\nwalk = true\n";
const METHOD: &str = "[method]\nname = \"random-walk\"\n";

fn walked(variable: &str, method: &str) -> String {
    format!("{WALKED}{variable}{METHOD}{method}")
}

#[test]
fn the_interface_policy_of_a_walk_is_read() {
    let policy = read(&walked(
        "domain = [0, 500000]\n",
        "segment = 100\ntheta = 1.0\nwalk = \"mixing\"\ndomain = \"segment\"\norder = true\nsweeps = \"auto\"\n",
    ));
    assert_eq!(policy.variables[0].mark, Some("walk"));
    let (low, high) = policy.variables[0].domain.unwrap();
    assert_eq!((low.to_string(), high.to_string()), ("0".to_owned(), "500000".to_owned()));
    policy.require_release().unwrap();
}

#[test]
fn parameters_out_of_range_are_refused() {
    check(&walked("", "theta = 1.5\n"), 6, &["`theta`", "a number from 0 to 1", "found 1.5"]);
    check(&walked("", "theta = -1\n"), 6, &["`theta`", "found -1"]);
    check(&walked("", "segment = 2\n"), 6, &["`segment`", "at least 3"]);
    check(&walked("", "walk = \"fast\"\n"), 6, &["`walk`", "mixing"]);
    check(&walked("", "order = \"yes\"\n"), 6, &["`order`", "true or false"]);
    check(&walked("", "sweeps = 0\n"), 6, &["`sweeps`", "at least 1, or \"auto\""]);
    check(&walked("", "seed = -1\n"), 6, &["`seed`"]);
    check(&walked("", "tehta = 1\n"), 6, &["unknown key `tehta`", "did you mean `theta`"]);
}

#[test]
fn marks_need_their_method_and_methods_their_marks() {
    let text = format!("{WALKED}[method]\nname = \"mondrian\"\n");
    check(&text, 1, &["`walk`", "has no effect on the method `mondrian`", "random-walk"]);
    let unmarked = "[variables.pay]\nrole = \"quasi-identifying\"\n";
    let message = refusal(&format!("{unmarked}{METHOD}"));
    assert!(message.contains("has no variable to work on") && message.contains("walk = true"), "{message}");
    check(&format!("{unmarked}[method]\nseed = 1\n"), 4, &["`seed`", "has no effect on the method `global-recoding`"]);
    read(&format!("{unmarked}walk = false\n"));
}

#[test]
fn what_a_marked_variable_cannot_have_is_refused() {
    check(&walked("hierarchy = { intervals = [5] }\n", ""), 4, &["`hierarchy`", "has no effect"]);
    check(&walked("perturb = true\n", ""), 3, &["`walk`", "cannot stand beside `perturb`"]);
    check(&walked("domain = [5, 5]\n", ""), 4, &["`domain`", "two numbers"]);
    check(&walked("domain = [9, 5]\n", ""), 4, &["two numbers"]);
    check(&walked("domain = [0, inf]\n", ""), 4, &["finite"]);
    check(&walked("domain = [0]\n", ""), 4, &["two numbers"]);
    check("[variables.pay]\nrole = \"quasi-identifying\"\ndomain = [0, 1]\n", 3, &["`domain`", "goes with"]);
    let named = "[variables.name]\nrole = \"identifying\"\nwalk = true\n";
    check(&format!("{named}{METHOD}"), 3, &["has no effect", "never released"]);
}

#[test]
fn a_model_cannot_guard_what_gets_new_values() {
    let pay = "[variables.pay]\nrole = \"sensitive\"\nwalk = true\n";
    let model = "[[privacy]]\nmodel = \"l-diversity\"\nvariable = \"pay\"\nl = 2\n";
    check(&format!("{pay}{METHOD}{model}"), 7, &["`l-diversity` cannot guard `pay`"]);
}

#[test]
fn properties_are_read_strictly() {
    let property = |lines: &str| walked("", &format!("[[method.property]]\n{lines}"));
    let sum =
        "sum = [{ variable = \"pay\", records = [1, 2], factor = -0.5 }, { variable = \"pay\", records = \"all\" }]\n";
    assert_eq!(read(&property(&format!("{sum}at_most = \"data\"\n"))).method.properties.len(), 1);
    check(&property(sum), 6, &["exactly one of"]);
    check(&property("at_most = 1\n"), 6, &["`sum` is missing"]);
    let grouped = "total = \"pay\"\nby = \"town\"\nwhere = { region = \"north\" }\nequal = \"data\"\n";
    assert_eq!(read(&property(grouped)).method.properties.len(), 1);
    check(&property("total = \"pai\"\nequal = 1\n"), 7, &["must be a variable that gets new values", "`pay`"]);
    check(&property("total = \"pay\"\nmean = \"pay\"\nequal = 1\n"), 6, &["exactly one of `sum`, `total` and `mean`"]);
    check(&property("sum = [{ variable = \"pay\" }]\nby = \"town\"\nequal = 1\n"), 6, &["`by` needs"]);
    check(&property(&format!("{sum}where = {{ region = \"north\" }}\nequal = 1\n")), 6, &["`where` cannot stand"]);
    check(&property("mean = \"pay\"\nwhere = {}\nequal = 1\n"), 8, &["must name a column"]);
    check(
        &property("sum = [{ variable = \"pai\" }]\nequal = 1\n"),
        7,
        &["must be a variable that gets new values", "`pay`"],
    );
    check(&property("sum = [{ variable = \"pay\", records = [0] }]\nequal = 1\n"), 7, &["from 1 to"]);
    check(&walked("", "[method.property]\nequal = 1\n"), 6, &["two brackets"]);
}
