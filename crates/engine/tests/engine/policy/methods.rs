//! Marks, domains, seeds and properties: the parts of a policy that only some methods take.

use equanym_core::hierarchy::DateFormat;
use equanym_core::walk::{ColumnScale, OrderedWords};

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
    assert_eq!(policy.variables[0].mark(), Some("walk"));
    let (low, high) = policy.variables[0].marked.as_ref().unwrap().limits.bounds.unwrap();
    assert_eq!((low.to_string(), high.to_string()), ("0".to_owned(), "500000".to_owned()));
    policy.require_release().unwrap();
}

#[test]
fn dates_and_ordered_words_can_be_marked() {
    let scale = |variable: &str| read(&walked(variable, "")).variables[0].marked.clone().unwrap().scale;
    assert_eq!(scale("type = \"date\"\n"), ColumnScale::Dates(DateFormat::Iso));
    assert_eq!(scale("type = \"date\"\nformat = \"DD.MM.YYYY\"\n"), ColumnScale::Dates(DateFormat::Dotted));
    let ladder = "hierarchy = { date = [\"month\"], format = \"YYYYMMDD\" }\n";
    assert_eq!(scale(ladder), ColumnScale::Dates(DateFormat::Compact));
    let words = ColumnScale::Words(OrderedWords::new(["low", "medium", "high"].map(String::from).into()).unwrap());
    assert_eq!(scale("values = [\"low\", \"medium\", \"high\"]\n"), words);
    assert_eq!(scale("hierarchy = { order = [\"low\", \"medium\", \"high\"], sizes = [2] }\n"), words);
    let bounded = read(&walked("type = \"date\"\ndomain = [\"1970-01-01\", \"1970-01-31\"]\n", ""));
    let (low, high) = bounded.variables[0].marked.as_ref().unwrap().limits.bounds.unwrap();
    assert_eq!((low.to_string(), high.to_string()), ("0".to_owned(), "30".to_owned()));
}

#[test]
fn what_a_marked_variable_cannot_be_is_refused() {
    check(&walked("values = [\"secret\", \"b\", \"secret\"]\n", ""), 4, &["`values`", "stands there twice"]);
    check(&walked("values = [\"a\", \"b\"]\n", ""), 4, &["`values`", "fewer than 3"]);
    check(&walked("type = \"date\"\nvalues = [\"a\", \"b\", \"c\"]\n", ""), 5, &["`values`", "cannot stand beside"]);
    check(&walked("type = \"text\"\n", ""), 4, &["`type`"]);
    check(&walked("format = \"YYYYMMDD\"\n", ""), 4, &["`format`", "goes with `type = \"date\"` only"]);
    check(&walked("type = \"date\"\ndomain = [1, 9]\n", ""), 5, &["`domain`", "must be two dates"]);
    check(&walked("hierarchy = { prefix = [1] }\n", ""), 4, &["`hierarchy`", "has no effect"]);
    check(&walked("levels = { min = 1 }\n", ""), 4, &["`levels`", "has no effect"]);
    check(&walked("interval = 5\n", ""), 4, &["`interval`", "`perturb` only"]);
    let noisy = |line: &str| {
        format!(
            "[variables.pay]\nrole = \"quasi-identifying\"\nperturb = true\n{line}[method]\nname = \"perturbation\"\n"
        )
    };
    check(&noisy("interval = 0\n"), 4, &["`interval`", "above 0"]);
    check(&noisy("type = \"date\"\ninterval = 1.5\n"), 5, &["`interval`", "a whole number above 0"]);
    let interval = read(&noisy("interval = 2.5\n")).variables[0].marked.clone().unwrap().limits.interval;
    assert_eq!(interval.map(|end| end.to_string()).as_deref(), Some("2.5"));
    check(
        "[variables.pay]\nrole = \"quasi-identifying\"\nvalues = [\"a\", \"b\", \"c\"]\n",
        3,
        &["`values`", "goes with"],
    );
}

#[test]
fn parameters_out_of_range_are_refused() {
    check(&walked("", "margin = -1\n"), 6, &["`margin`", "a number from 0 to 1000"]);
    check(&walked("", "distortion = 0\n"), 6, &["`distortion`", "above 0 and up to 1, or \"free\""]);
    check(&walked("", "selection = \"far\"\n"), 6, &["`selection`", "nearest"]);
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
    let with_relation = read(&property(grouped)).method.properties;
    let without = read(&property(&grouped.replace("equal = \"data\"\n", ""))).method.properties;
    assert_eq!((with_relation.len(), format!("{with_relation:?}")), (1, format!("{without:?}")));
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
