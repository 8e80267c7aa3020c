//! The names of jobs.
//!
//! Ballista makes folders of them, so a name from outside is looked at before it becomes part of a path or an address:
//! letters, digits, `-` and `_`, and no more than 64 of them. Ballista's own names are such.

/// The longest name.
const LONGEST: usize = 64;

/// Whether this can be the name of a job.
#[must_use]
pub(crate) fn is_job_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_out_are_no_names() {
        assert!(is_job_name("a1-B_2") && is_job_name(&"x".repeat(64)));
        for name in ["", ".", "..", "../x", "/etc", "a/b", "a\\b", "a\0", "a b", "é", "a?b", &"x".repeat(65)] {
            assert!(!is_job_name(name), "{name:?}");
        }
    }
}
