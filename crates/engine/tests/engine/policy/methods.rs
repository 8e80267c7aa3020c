//! Marks, domains, seeds and properties: the parts of a policy that only some methods take.

use equanym_core::hierarchy::DateFormat;
use equanym_core::walk::{ColumnScale, OrderedWords};

use super::read;

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
fn an_interval_of_noise_has_a_half_width() {
    let noisy = "[variables.pay]\nrole = \"quasi-identifying\"\nperturb = true\ninterval = 2.5\n[method]\nname = \"perturbation\"\n";
    let interval = read(noisy).variables[0].marked.clone().unwrap().limits.interval;
    assert_eq!(interval.map(|end| end.to_string()).as_deref(), Some("2.5"));
}

#[test]
fn properties_are_read() {
    let property = |lines: &str| read(&walked("", &format!("[[method.property]]\n{lines}"))).method.properties;
    let sum =
        "sum = [{ variable = \"pay\", records = [1, 2], factor = -0.5 }, { variable = \"pay\", records = \"all\" }]\n";
    assert_eq!(property(&format!("{sum}at_most = \"data\"\n")).len(), 1);
    let grouped = "total = \"pay\"\nby = \"town\"\nwhere = { region = \"north\" }\nequal = \"data\"\n";
    let (with_relation, without) = (property(grouped), property(&grouped.replace("equal = \"data\"\n", "")));
    assert_eq!((with_relation.len(), format!("{with_relation:?}")), (1, format!("{without:?}")));
}
