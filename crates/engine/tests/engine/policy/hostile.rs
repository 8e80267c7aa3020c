//! Policies that want to break something.

use equanym_engine::policy::Policy;
use proptest::prelude::*;

use super::{SAMPLE, files, read, refusal};

#[test]
fn depth_is_refused() {
    for opening in ["x = [", "x = { a = ", "["] {
        let text = opening.repeat(100_000);
        refusal(&text);
    }
    refusal(&format!("x = {}", "[".repeat(100_000)));
    refusal(&format!("{}x = 1", "a.".repeat(100_000)));
    refusal(&format!("[{}x]", "variables.".repeat(100_000)));
    let path = vec!["a"; 79].join(".");
    let deep = format!("{path} = {{ ").repeat(79) + "b = 1, b = 2" + &"}".repeat(79);
    refusal(&deep);
}

#[test]
fn size_is_survived() {
    let table = |number| format!("[variables.c{number}]\nrole = \"insensitive\"\n");
    let many = (0..20_000).map(table).collect::<Vec<String>>().concat();
    let policy = read(&many);
    assert_eq!((policy.variables.len(), policy.variables[19_999].line), (20_000, 39_999));
    refusal(&format!("{} = 1", "k".repeat(1_000_000)));
    refusal(&format!("[method]\nloss = \"{}\"", "k".repeat(1_000_000)));
}

#[test]
fn the_terminal_stays_unpainted() {
    let message = refusal("\"\\u001b[31mred\" = 1");
    assert!(!message.contains('\u{1b}') && message.contains("\\u{1b}[31mred"), "{message}");
}

/// Pieces of policies in any order: most are nearly right.
fn pieces() -> impl Strategy<Value = String> {
    let lines: Vec<String> = SAMPLE.lines().map(str::to_owned).collect();
    prop::collection::vec(prop::sample::select(lines), 0..40).prop_map(|lines| lines.join("\n"))
}

/// The sample with one stretch replaced by something else.
fn mutation() -> impl Strategy<Value = String> {
    let length = SAMPLE.chars().count();
    (0..length, 0..20_usize, "\\PC{0,6}").prop_map(|(at, cut, text)| {
        let before: String = SAMPLE.chars().take(at).collect();
        let after: String = SAMPLE.chars().skip(at + cut).collect();
        before + &text + &after
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_gets_an_answer(text in any::<String>()) {
        let _ = Policy::parse(&text, &files);
    }

    #[test]
    fn toml_like_text_gets_an_answer(text in "[\\[\\]{}=.,\"'a-c0-9\n #-]{0,80}") {
        let _ = Policy::parse(&text, &files);
    }

    #[test]
    fn shuffled_policies_get_an_answer(text in pieces()) {
        let _ = Policy::parse(&text, &files);
    }

    #[test]
    fn mutated_policies_get_an_answer_without_values(text in mutation()) {
        if let Err(error) = Policy::parse(&text, &files) {
            prop_assert!(!error.to_string().contains("Widowed"), "{}", error);
            prop_assert_eq!(error.exit_code(), 2);
        }
    }

    #[test]
    fn any_columns_get_an_answer(names in prop::collection::vec(any::<String>(), 0..5)) {
        let _ = read(SAMPLE).check_columns(&names);
    }
}
