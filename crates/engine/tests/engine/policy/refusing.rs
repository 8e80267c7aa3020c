//! What is refused outside the variables, and how the refusal reads.

use super::{check, hospital, read};

#[test]
fn k_that_is_no_class_size() {
    for (k, found) in
        [("0", "0"), ("-3", "-3"), ("1", "1"), ("2.5", "2.5"), ("\"5\"", "a text"), ("true", "true or false")]
    {
        let words = ["`k` of `k-anonymity` must be a whole number of at least 2", found];
        check(&hospital(&format!("[[privacy]]\nmodel = \"k-anonymity\"\nk = {k}")), 7, &words);
    }
    check(&hospital("[[privacy]]\nmodel = \"k-anonymity\"\nk = \"5\""), 7, &["without quotes"]);
    check(&hospital("[[privacy]]\nmodel = \"k-anonymity\"\nk = nan"), 7, &["`k`", "finite"]);
    check(&hospital("[[privacy]]\nmodel = \"k-anonymity\"\nk = 99999999999999999999"), 7, &["`k`", "too large"]);
    check(&hospital("[[privacy]]\nmodel = \"k-anonymity\"\nk = [5]"), 7, &["`k`", "a list"]);
    check(&hospital("[[privacy]]\nmodel = \"k-anonymity\"\n"), 5, &["`k-anonymity` needs `k`"]);
}

#[test]
fn privacy_models_that_are_misnamed_or_misplaced() {
    let known = ["did you mean `k-anonymity`?", "`l-diversity`"];
    check(&hospital("[[privacy]]\nmodel = \"k-anonimity\"\nk = 5"), 6, &known);
    check(&hospital("[[privacy]]\nk = 5"), 5, &["`model` is missing", "`k-anonymity`"]);
    check(
        &hospital("[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\nkk = 3"),
        8,
        &["unknown key `kk` in [[privacy]]", "`k`"],
    );
    check(&hospital("[privacy]\nmodel = \"k-anonymity\"\nk = 5"), 5, &["two brackets: [[privacy]]"]);
    check(&hospital("[[privacy]]\nmodel = 5"), 6, &["must be a text in quotes; found a whole number"]);
    check(&format!("privacy = 5\n{}", hospital("")), 1, &["`privacy`", "must be a list"]);
}

#[test]
fn a_sensitive_variable_that_is_none() {
    let diverse =
        |variable: &str| hospital(&format!("[[privacy]]\nmodel = \"l-diversity\"\nl = 2\nvariable = \"{variable}\""));
    check(&diverse("ilness"), 8, &["`variable` of `l-diversity`", "`ilness`", "did you mean `illness`?"]);
    check(&diverse("age"), 8, &["`age` is quasi-identifying on line 1"]);
    check(&hospital("[[privacy]]\nmodel = \"l-diversity\"\nl = 2"), 5, &["`l-diversity` needs `variable`"]);
    let kind = "[[privacy]]\nmodel = \"l-diversity\"\nl = 2\nvariable = \"illness\"\nkind = \"distinkt\"";
    check(&hospital(kind), 9, &["did you mean `distinct`?"]);
}

#[test]
fn the_same_model_twice() {
    let model = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n";
    check(&hospital(&model.repeat(2)), 9, &["`k-anonymity` stands twice; the first one is on line 6"]);
    let model = "[[privacy]]\nmodel = \"l-diversity\"\nl = 2\nvariable = \"illness\"\n";
    check(&hospital(&model.repeat(2)), 10, &["`l-diversity` stands twice for the same variable", "line 6"]);
    let other = "[variables.income]\nrole = \"sensitive\"\n";
    read(&hospital(&format!("{other}{model}{}", model.replace("illness", "income"))));
}

#[test]
fn signs_of_numbers_that_are_none() {
    check("[data]\ndecimal = \"x\"", 2, &["`decimal` of [data]", "no decimal sign", "decimal = \",\""]);
    check("[data]\ndecimal = \"\"", 2, &["no decimal sign"]);
    check("[data]\ndecimal = 1", 2, &["must be a text in quotes"]);
    check("[data]\nthousands = \";\"", 2, &["`thousands` of [data]", "groups thousands"]);
    check("[data]\nthousands = \".\"", 2, &["`thousands` of [data] is the decimal sign, too", "decimal = \",\""]);
    check("[data]\ndecimal = \",\"\nthousands = \",\"", 3, &["the decimal sign, too"]);
    read("[data]\ndecimal = \",\"\nthousands = \".\"");
    read("[data]\ndecimal = \".\"\nthousands = \"'\"");
}

#[test]
fn outputs_that_cannot_be_written() {
    check("[output]\nencoding = \"klingon\"", 2, &["`encoding` of [output]", "no known encoding"]);
    check("[output]\nencoding = \"auto\"", 2, &["`encoding` of [output] is read, but not written", "utf-8"]);
    check("[output]\nencoding = \"utf-16le\"", 2, &["not written"]);
    check("[output]\ndelimiter = \"ab\"", 2, &["`delimiter` of [output]", "one character"]);
    check("[output]\ndecimal = \"x\"", 2, &["`decimal` of [output]", "no decimal sign"]);
    check("[output]\ntypes = \"typed\"", 2, &["`types` of [output]", "`kept`"]);
    read("[output]\nformat = \"csv\"\ntypes = \"kept\"");
    check("[output]\nthousands = \".\"", 2, &["unknown key `thousands`"]);
    check("[output]\nformat = \"parquet\"\ndelimiter = \";\"", 3, &["`delimiter` of [output] has no effect"]);
    check("[output]\nformat = \"parquet\"\ndecimal = \",\"", 3, &["`decimal` of [output] has no effect"]);
    read("[output]\ndelimiter = \"\\t\"\nencoding = \"windows-1252\"\ndecimal = \",\"");
}

#[test]
fn widths_of_codes_that_are_none() {
    let plz = |keys: &str| format!("[variables.plz]\nrole = \"quasi-identifying\"\n{keys}");
    check(&plz("width = 0"), 3, &["`width`", "from 1 to 64"]);
    check(&plz("width = 2.5"), 3, &["`width`", "whole number"]);
    check(&plz("width = 5\ntype = \"number\""), 3, &["`width`", "codes"]);
    check(&plz("width = 5\nhierarchy = { intervals = [5] }"), 3, &["`width`", "codes"]);
    read(&plz("width = 5\nhierarchy = { prefix = [3, 2] }"));
}

#[test]
fn suppression_limits_that_are_no_shares() {
    let limit = |limit: &str| format!("[method]\nsuppression_limit = {limit}");
    check(&limit("5"), 2, &["`suppression_limit` of [method] must be a share between 0 and 1", "5% is 0.05"]);
    check(&limit("29"), 2, &["29% is 0.29"]);
    check(&limit("1.01"), 2, &["between 0 and 1"]);
    check(&limit("-0.1"), 2, &["between 0 and 1; found -0.1"]);
    check(&limit("1e300"), 2, &["between 0 and 1"]);
    for infinite in ["nan", "inf", "-inf", "1e999"] {
        check(&limit(infinite), 2, &["finite"]);
    }
    check(&limit("\"0.05\""), 2, &["must be a number; found a text in quotes"]);
}

#[test]
fn unknown_words_get_the_nearest_and_all_known_ones() {
    check(
        "[method]\nloss = \"discernability\"",
        2,
        &["`loss` of [method]", "did you mean `discernibility`?", "`precision`"],
    );
    check("[method]\nsearch = \"optimum\"", 2, &["did you mean `optimal`?", "`exhaustive`", "`ola`"]);
    check("[method]\nname = \"global_recoding\"", 2, &["did you mean `global-recoding`?"]);
    check("[variables.x]\nrole = \"sensative\"", 2, &["did you mean `sensitive`?", "`insensitive`", "`identifying`"]);
    check("[variables.x]\nrole = \"quasi\"", 2, &["did you mean `quasi-identifying`?"]);
    check("[data]\nencoding = \"latin-1\"", 2, &["no known encoding", "windows-1252"]);
    check("[data]\nragged = \"fill\"", 2, &["`refuse`", "`null`"]);
    check("[data]\nnormalise = \"NFKC\"", 2, &["`NFC`"]);
    check("[output]\nformat = \"parket\"", 2, &["did you mean `parquet`?"]);
    check("[output]\norder = \"random\"", 2, &["`canonical`", "`input`"]);
    check("[preferences]\ntarget = \"couple\"", 2, &["did you mean `coupled`?"]);
}

#[test]
fn parameters_of_a_loss_that_do_not_fit() {
    let towards = |line: &str| hospital(&format!("[method]\nloss = \"classification\"\n{line}"));
    check(&towards(""), 5, &["`classification` needs `target`"]);
    check(&towards("target = \"ilness\""), 7, &["`target` of `classification`", "did you mean `illness`?"]);
    check(&towards("target = \"age\""), 7, &["`age` is quasi-identifying on line 1", "known: `illness`"]);
    check(&towards("taget = \"illness\""), 7, &["unknown key `taget` in [method]", "did you mean `target`?"]);
    check("[method]\nloss = \"average-class-size\"\nk = \"2\"", 3, &["of at least 1", "without quotes"]);
    check("[method]\nloss = \"iyengar\"\nweights = \"point\"", 3, &["did you mean `points`?"]);
    check("[method]\nloss = \"iyengar\"\nweights = \"points\"", 2, &["weighs the variables", "none has any"]);
    check("[method]\nweights = \"equal\"", 2, &["unknown key `weights` in [method]"]);
}

#[test]
fn weights_that_no_loss_takes_or_that_are_missing() {
    let quasi = |name: &str, line: &str| format!("[variables.{name}]\nrole = \"quasi-identifying\"\n{line}\n");
    let weighted = "[method]\nloss = \"weighted-non-uniform-entropy\"\n";
    let given = format!("{weighted}weights = \"given\"\n");
    let both = |one: &str, other: &str, method: &str| format!("{}{}{method}", quasi("a", one), quasi("b", other));
    check(&both("weight = 1", "weight = 1.5", &given), 6, &["`weight`", "between 0 and 1; found 1.5", "1.5% is 0.015"]);
    check(&both("weight = 1", "weight = -1", &given), 6, &["between 0 and 1"]);
    check(&both("weight = 1", "", &given), 4, &["takes given weights, and `b` has none"]);
    check(&both("weight = 0", "weight = 0", &given), 8, &["all of them are 0", "above 0"]);
    check(&both("weight = 1", "", weighted), 1, &["`weight` has no effect", "weights = \"given\""]);
    check(&both("", "weight = 1", ""), 4, &["`weight` has no effect", "does not take given weights"]);
    check("[variables.x]\nrole = \"sensitive\"\nweight = 1", 3, &["has no effect", "the variable is sensitive"]);
    check("[method]\nsuppressed = \"fre\"", 2, &["did you mean `free`?"]);
    check("[method]\nloss = \"discernibility\"\nsuppressed = \"free\"", 3, &["unknown key `suppressed` in [method]"]);
}

#[test]
fn k_minimal_nodes_of_a_search_that_does_not_find_them() {
    let words = ["`minimal_nodes`", "has no effect on the search `optimal`", "use one of: ola, flash, incognito"];
    check("[method]\nminimal_nodes = true", 2, &words);
    check("[method]\nsearch = \"ola\"\nminimal_nodes = 1", 3, &["`minimal_nodes`", "true or false"]);
}

#[test]
fn unknown_keys_get_the_nearest_known_one() {
    check(
        "[varaibles.x]\nrole = \"sensitive\"",
        1,
        &["unknown key `varaibles` in the policy", "did you mean `variables`?"],
    );
    check(
        "\n\n[method]\nsupression_limit = 0.1",
        4,
        &["`supression_limit` in [method]", "did you mean `suppression_limit`?"],
    );
    check("[variables.x]\nrole = \"sensitive\"\nhierachy = {}", 3, &["in [variables.x]", "did you mean `hierarchy`?"]);
    check("[variables.x]\nrole = \"quasi-identifying\"\nlevels = { mni = 1 }", 3, &["`mni`", "did you mean `min`?"]);
    check("[variables.x]\nrole = \"quasi-identifying\"\npoints = { users = 1 }", 3, &["did you mean `user`?"]);
    check("[data]\nseparator = \";\"", 2, &["`separator` in [data]", "`delimiter`"]);
    check("[output]\nfromat = \"csv\"", 2, &["did you mean `format`?"]);
    check("[preferences]\nalfa = 1", 2, &["did you mean `alpha`?"]);
    check("k = 5", 1, &["unknown key `k`", "`privacy`"]);
}

#[test]
fn what_stands_twice_gets_both_lines() {
    let twice = "[variables.age]\nrole = \"sensitive\"\n\n[variables.age]\nrole = \"identifying\"";
    check(twice, 4, &["`age` stands twice; the first one is on line 1"]);
    check(&twice.replace("[variables.age]\nrole = \"i", "[variables.\"age\"]\nrole = \"i"), 4, &["`age`", "line 1"]);
    check(&format!("{twice}\n{twice}"), 4, &["line 1"]);
    check("[method]\nloss = \"a\"\n# no\nloss = \"b\"", 4, &["`loss` stands twice", "line 2"]);
    check("variables.a.role = 1\nvariables.b.role = 1\nvariables.a.role = 1", 3, &["`role`", "line 1"]);
    check("[method]\n[variables.x]\nrole = \"sensitive\"\n[method]", 4, &["`method`", "line 1"]);
    check("[variables.x]\nrole = 1\n[variables]\nx.role = 2", 4, &["twice"]);
    let points = "[variables.x]\npoints = { user = 1, user = 2 }";
    check(points, 2, &["`user` stands twice; the first one is on line 2"]);
    let groups = "[variables.x]\nhierarchy = { groups = [{ Smith = [\"a\"],\n Smith = [\"b\"] }] }";
    check(groups, 3, &["stands twice; the first one is on line 2"]);
}

#[test]
fn text_that_is_not_toml() {
    check("[variables.x]\nrole = sensitive", 2, &["not TOML", "must be quoted"]);
    check("[variables.x\nrole = 1", 1, &["not TOML"]);
    check("[variables.x]\nhierarchy = { groups = [{ a = [\"Smith] }] }", 2, &["not TOML"]);
    check("[variables.x]\nhierarchy = { groups = [{ a = [Smith] }] }", 2, &["not TOML"]);
    check("x = 1\n\0", 2, &["not TOML"]);
}

#[test]
fn tables_of_the_wrong_type() {
    check("variables = 5", 1, &["`variables`", "must be a table; found a whole number"]);
    check("[variables]\nage = \"sensitive\"", 2, &["`age` of [variables] must be a table; found a text"]);
    check("[variables.x]\n", 1, &["[variables.x]: `role` is missing", "quasi-identifying"]);
    check("[variables.\"\"]\nrole = \"sensitive\"", 1, &["needs a name"]);
    check("[[method]]\n", 1, &["`method`", "must be a table; found a list"]);
    check("[data]\ntrim = \"yes\"", 2, &["`trim`", "true or false"]);
    check("[data]\nmissing = \"NA\"", 2, &["`missing`", "must be a list"]);
    check("[data]\nmissing = [9]", 2, &["`missing`", "must be a text"]);
    check("[data]\nmissing = 2026-03-29", 2, &["found a date"]);
}

#[test]
fn delimiters_that_delimit_nothing() {
    for delimiter in ["", ",,", "a", "7", "\\\"", "\\n", "§"] {
        check(&format!("[data]\ndelimiter = \"{delimiter}\""), 2, &["`delimiter`", "one character"]);
    }
}

#[test]
fn preferences_that_prefer_nothing() {
    check("[preferences]\nalpha = 0\nbeta = 0", 1, &["`alpha` and `beta`"]);
    check("[preferences]\nalpha = -1", 2, &["must not be negative; found -1"]);
    check("[preferences]\nbeta = nan", 2, &["finite"]);
    let ration = |ration: &str| hospital(&format!("[preferences.ration.{ration}"));
    check(&ration("agee]"), 5, &["`agee`", "no quasi-identifying variable", "did you mean `age`?"]);
    check(&ration("illness]"), 5, &["`illness`", "no quasi-identifying variable"]);
    check(&ration("age]\nmin_utilty = 1"), 6, &["did you mean `min_utility`?"]);
    check(&ration("age]\nmin_utility = -1"), 6, &["negative"]);
    check(&ration("age]\nmin_protection = {}"), 6, &["`level` is missing"]);
    check(&ration("age]\nmin_protection = { level = -1 }"), 6, &["from 0 to 255"]);
    check(&ration("age]\nmax_utility = inf"), 6, &["finite"]);
    check("[preferences]\ndistance = \"manhatten\"", 2, &["did you mean `manhattan`?"]);
    check("[preferences]\nunit = \"nats\"", 2, &["`bits`", "`digits`"]);
    check("[preferences]\nsuppression = true", 2, &["must be a text"]);
    check("[preferences]\nsuppression = \"chosen\"", 2, &["permits to withhold nothing", "suppression_limit = 0.05"]);
    check("[method]\nguarantee = \"no\"", 2, &["`none`"]);
    check("[method]\nguarantee = \"none\"", 2, &["goes with a search by preferences only", "search = \"balance\""]);
    let walked = "[variables.pay]\nrole = \"quasi-identifying\"\nwalk = true\npoints = { user = 9 }";
    check(walked, 4, &["`points`", "gets new values", "among the variables that are recoded"]);
    check("[method]\nsearch = \"balance\"", 2, &["user points that sum to 100; they sum to 0"]);
}
