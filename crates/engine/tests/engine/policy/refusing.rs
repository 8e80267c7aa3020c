//! What is refused, and how the refusal reads: `refusals.txt` has policies, each with its whole message. Some that look much alike
//! are accepted.
//!
//! `EQUANYM_BLESS=1` writes the messages anew: read what changed.

use std::fs;
use std::path::Path;

use equanym_engine::error::Kind;
use equanym_engine::policy::Policy;

use super::files;

/// A policy, under what it shows.
struct Case<'a> {
    topic: &'a str,
    text: &'a str,
    message: &'a str,
}

impl<'a> Case<'a> {
    fn read(section: &'a str) -> Self {
        let (topic, rest) = section.split_once('\n').unwrap();
        let (text, message) = rest.split_once("\n---\n").unwrap_or_else(|| panic!("no message: {topic}"));
        Self { topic, text, message: message.trim_end() }
    }

    /// The case with the message that there is now; every refusal is the policy's fault and shows no value of the data.
    fn now(&self) -> String {
        let message = match Policy::parse(self.text, &files) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => {
                assert_eq!((error.kind, error.exit_code()), (Kind::Input, 2), "{}", self.text);
                error.to_string()
            }
        };
        assert!(!message.contains("Smith"), "a value leaked from:\n{}\n{message}", self.text);
        format!("=== {}\n{}\n---\n{message}\n", self.topic, self.text)
    }
}

#[test]
fn refusals_have_their_whole_messages() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/policy/refusals.txt");
    let page = fs::read_to_string(&path).unwrap();
    let cases: Vec<Case<'_>> = page.split("=== ").skip(1).map(Case::read).collect();
    assert!(cases.len() > 300, "{} cases", cases.len());
    let now: Vec<String> = cases.iter().map(Case::now).collect();
    if std::env::var_os("EQUANYM_BLESS").is_some() {
        fs::write(&path, now.join("\n")).unwrap();
        return;
    }
    for (case, now) in cases.iter().zip(now) {
        let before = format!("=== {}\n{}\n---\n{}\n", case.topic, case.text, case.message);
        assert_eq!(now, before, "EQUANYM_BLESS=1 writes it anew");
    }
}
