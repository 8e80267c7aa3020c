//! The policy: a text that parses is printed, and what is printed parses to the same.
//!
//! Never a panic. What is wrong with a policy is a fault of its text, never of the machine. One that is read gives the same policy
//! when names of files stay as they are, when nothing is varied, and when its tables are written anew by a TOML writer.
#![no_main]

use equanym_engine::error::{Error, Kind};
use equanym_engine::policy::{FrontierPolicy, Policy, moved, varied};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let policy = match read(text) {
        Ok(policy) => policy,
        Err(error) => return assert_eq!(error.kind, Kind::Input, "{error}"),
    };
    let kept = moved(text, str::to_owned).and_then(|text| read(&text));
    assert_eq!(kept.as_ref(), Ok(&policy), "the same files");
    let single = varied(text, &[]).and_then(|text| read(&text)).map(|policy| told(&policy));
    assert_eq!(single, Ok(told(&Policy { frontier: FrontierPolicy::default(), ..policy.clone() })), "nothing varied");
    let tables: toml::Table = toml::from_str(text.trim_start_matches('\u{feff}')).expect("a policy is TOML");
    let printed = toml::to_string(&tables).expect("tables can be written");
    assert_eq!(read(&printed).map(|policy| told(&policy)), Ok(told(&policy)), "written anew:\n{printed}");
});

/// Reads a policy; every hierarchy file has these three ladders' worth of values.
fn read(text: &str) -> Result<Policy, Error> {
    let policy = Policy::parse(text, &|_| Ok("a;ab;*\nb;ab;*\nc;cd;*\n".to_owned()))?;
    Ok(policy)
}

/// What a policy says, but for its lines, which some parts tell as `line: 3` and others as `of line 3`.
fn told(policy: &Policy) -> String {
    let text = format!("{policy:?}").replace("of line ", "line: ");
    let mut parts = text.split("line: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |told, part| told + "line: " + part.trim_start_matches(|sign: char| sign.is_ascii_digit()))
}
