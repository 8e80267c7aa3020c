//! What is refused about variables and their hierarchies.

use super::{check, read};

fn quasi(more: &str) -> String {
    format!("[variables.x]\nrole = \"quasi-identifying\"\n{more}")
}

fn ladder(inner: &str) -> String {
    quasi(&format!("hierarchy = {{ {inner} }}"))
}

#[test]
fn a_hierarchy_has_exactly_one_kind() {
    check(&ladder(""), 3, &["one of these is needed: intervals, prefix, date, file, groups, order"]);
    check(&ladder("prefix = [3], intervals = [5]"), 3, &["`intervals`", "beside `prefix`"]);
    check(&ladder("interval = [5]"), 3, &["unknown key `interval`", "did you mean `intervals`?"]);
    check(&ladder("\"Smith\" = [\"x\"]"), 3, &["unknown key in `hierarchy` of [variables.x]", "`groups`"]);
    check(&ladder("prefix = [3], format = \"YYYYMMDD\""), 3, &["`format`", "goes with `date` only"]);
    check(&ladder("date = [\"year\"], sizes = [2]"), 3, &["`sizes`", "goes with `order` only"]);
    check(&ladder("order = [\"a\", \"b\"]"), 3, &["`order` needs `sizes`"]);
    check(&quasi("hierarchy = \"prefix\""), 3, &["must be a table"]);
}

#[test]
fn intervals_grow_from_above_zero() {
    for widths in ["", "0", "-5", "5, 5", "10, 5", "5, nan", "inf", "\"5\"", "[5]", "1e-300"] {
        check(&ladder(&format!("intervals = [{widths}]")), 3, &["`hierarchy` of [variables.x]", "intervals"]);
    }
    check(&ladder("intervals = 5"), 3, &["must be a list"]);
}

#[test]
fn ends_leave_something_between_them() {
    for (ends, words) in [
        ("intervals = [5], top = 10, bottom = 10", "`bottom` is not below `top`"),
        ("top = 5, bottom = 7", "`bottom` is not below `top`"),
        ("top = \"old\"", "must be a number"),
        ("bottom = nan", "must be a finite number"),
        ("prefix = [2], top = 90", "goes with `intervals` only"),
        ("library = \"icd-10\", bottom = 1", "goes with `intervals` only"),
        ("top = 90, format = \"YYYYMMDD\"", "goes with `date` only"),
    ] {
        check(&ladder(ends), 3, &["`hierarchy` of [variables.x]", words]);
    }
    check(&ladder("top = 90 }\ntype = \"text\" #"), 4, &["`type`", "does not fit"]);
}

#[test]
fn rare_is_a_growing_number_of_records() {
    for (rare, words) in [
        ("rare = []", "empty"),
        ("rare = [1]", "fewer than 2"),
        ("rare = [5, 5]", "must grow"),
        ("rare = [2.5]", "whole number"),
        ("rare = [-5]", "0"),
        ("rare = [5], label = \"\"", "a word of its own"),
        ("rare = [5], label = \"*\"", "a word of its own"),
        ("prefix = [2], label = \"Smith\"", "goes with `rare` only"),
    ] {
        check(&ladder(rare), 3, &["`hierarchy` of [variables.x]", words]);
    }
}

#[test]
fn ladders_of_the_library_are_known_by_name() {
    check(&ladder("library = \"icd10\""), 3, &["`library`", "did you mean `icd-10`?", "`nace-2`"]);
    check(&ladder("library = 10"), 3, &["`library`", "must be a text in quotes"]);
    check(&ladder("library = \"icd-10\", prefix = [3]"), 3, &["beside `library`"]);
    check(&ladder("library = \"age-hipaa\" }\ntype = \"text\" #"), 4, &["`type`", "does not fit"]);
    check(&ladder("library = \"icd-10\" }\ntype = \"number\" #"), 4, &["`type`", "does not fit"]);
    check(&ladder("library = \"icd-10\" }\nlevels = { max = 6 } #"), 1, &["beyond its hierarchy", "is 5"]);
}

#[test]
fn sensitive_variables_take_no_ladder_that_changes_or_counts_values() {
    for (inner, words) in [
        ("top = 90", "top and bottom coding"),
        ("library = \"age-hipaa\"", "top and bottom coding"),
        ("rare = [5]", "`rare`"),
    ] {
        let text = format!("[variables.x]\nrole = \"sensitive\"\nhierarchy = {{ {inner} }}");
        check(&text, 3, &[words, "only quasi-identifying"]);
    }
}

#[test]
fn prefixes_shrink() {
    for keep in ["", "0", "-1", "2, 2", "2, 3", "2.5", "\"2\""] {
        check(&ladder(&format!("prefix = [{keep}]")), 3, &["`hierarchy` of [variables.x]", "prefix"]);
    }
}

#[test]
fn dates_coarsen() {
    check(&ladder("date = [\"moth\"]"), 3, &["did you mean `month`?", "`decade`"]);
    check(&ladder("date = [\"year\", \"month\"]"), 3, &["date", "coarser"]);
    check(&ladder("date = []"), 3, &["`date`", "empty"]);
    check(&ladder("date = [\"year\"], format = \"DD|MM|YYYY\""), 3, &["`format`", "`DD/MM/YYYY`"]);
    check(&ladder("date = [\"year\"], format = \"DD.MM.YY\""), 3, &["`format`", "two digits", "four digits"]);
}

#[test]
fn listed_values_stay_secret() {
    check(&ladder("groups = [{ a = [\"Smith\"], b = [\"Smith\"] }]"), 3, &["groups", "in two groups"]);
    check(&ladder("groups = [{ Smith = [1] }]"), 3, &["`groups`", "must be a text in quotes"]);
    check(&ladder("groups = [{ Smith = \"x\" }]"), 3, &["`groups`", "must be a list"]);
    check(&ladder("groups = [{ Smith = [] }]"), 3, &["`groups`", "empty"]);
    check(&ladder("groups = [\"Smith\"]"), 3, &["`groups`", "must be a table"]);
    check(&ladder("groups = [{}]"), 3, &["groups", "joins nothing"]);
    check(&ladder("groups = [{ a = [\"0..9\"], b = [\"9..12\"] }]"), 3, &["groups", "overlap"]);
    check(&ladder("groups = [{ a = [\"9..0\"] }]"), 3, &["groups", "ends before it starts"]);
    check(&ladder("order = [\"Smith\", \"Smith\"], sizes = [2]"), 3, &["order", "entries 1 and 2 are the same"]);
    check(
        &ladder("order = [\"Smith\", 5], sizes = [2]"),
        3,
        &["entry 2 of `order` of `hierarchy`", "must be a text in quotes"],
    );
    check(&ladder("order = [\"Smith\", \"b\"], sizes = [1]"), 3, &["order", "two values or more"]);
    check(&ladder("order = [\"Smith\", \"b\"], sizes = [4, 2]"), 3, &["order", "must grow"]);
}

#[test]
fn hierarchy_files_that_cannot_be_used() {
    check(&ladder("file = \"nowhere.csv\""), 3, &["there is no file `nowhere.csv`"]);
    check(&ladder("file = \"ragged.csv\""), 3, &["`hierarchy` of [variables.x]", "line 2"]);
    check(&ladder("file = 3"), 3, &["must be a text"]);
}

#[test]
fn only_quasi_identifiers_are_generalised() {
    for role in ["identifying", "sensitive", "insensitive"] {
        let text = |more: &str| format!("[variables.x]\nrole = \"{role}\"\n{more}");
        check(&text("hierarchy = { prefix = [2] }"), 3, &["`hierarchy`", role, "only quasi-identifying"]);
        check(&text("levels = { max = 1 }"), 3, &["`levels`", "only quasi-identifying"]);
        check(&text("points = { user = 1 }"), 3, &["`points`", "only quasi-identifying"]);
    }
}

#[test]
fn levels_stay_within_the_hierarchy() {
    check(&quasi("levels = { min = 2, max = 1 }"), 3, &["upside down: min is 2, max is 1"]);
    check(&quasi("levels = { min = -1 }"), 3, &["from 0 to 255; found -1"]);
    check(&quasi("levels = { max = 256 }"), 3, &["from 0 to 255; found 256"]);
    check(&quasi("levels = { max = 1.5 }"), 3, &["must be a whole number"]);
    check(&quasi("levels = { max = 2 }"), 1, &["whose last level is 1"]);
    check(&ladder("prefix = [3, 2] }\nlevels = { min = 4"), 1, &["whose last level is 3"]);
    check(&ladder("file = \"hierarchies/education.csv\" }\nlevels = { max = 3"), 1, &["whose last level is 2"]);
}

#[test]
fn types_fit_the_hierarchy() {
    check(&ladder("intervals = [5] }\ntype = \"text\" #"), 4, &["`type`", "does not fit"]);
    check(&ladder("prefix = [5] }\ntype = \"number\" #"), 4, &["`type`", "does not fit"]);
    check(&quasi("type = \"integer\""), 3, &["`text`", "`number`"]);
}

#[test]
fn points_are_shared_out_of_a_hundred() {
    let two = |one: &str, other: &str, loss: &str| {
        format!(
            "[variables.a]\nrole = \"quasi-identifying\"\n{one}\n[variables.b]\nrole = \"quasi-identifying\"\n{other}\n[method]\nloss = \"{loss}\""
        )
    };
    let weighted = "weighted-non-uniform-entropy";
    check(&quasi("points = { user = -1 }"), 3, &["negative"]);
    check(&quasi("points = { intruder = inf }"), 3, &["finite"]);
    check(&two("points = { user = 60 }", "points = { user = 50 }", "precision"), 4, &["user points sum to 110"]);
    check(&two("points = { intruder = 101 }", "", "precision"), 1, &["intruder points sum to 101"]);
    check(&two("points = { user = 60 }", "points = { user = 30 }", weighted), 8, &["sum to 100; they sum to 90"]);
    check(&two("points = { intruder = 100 }", "", weighted), 8, &["none has any", "points = { user"]);
    check(&two("", "", weighted), 8, &["none has any"]);
    read(&two("points = { user = 60 }", "", "precision"));
}
