//! Our errors on their way back from executors.
//!
//! Ballista passes errors on as text, among words of its own that may hold values. Ours are spelt in hexadecimal between two
//! marks; whatever else is said is not repeated.

use std::fmt;

use datafusion::error::DataFusionError;
use equanym_engine::error::{Error, Kind};
use equanym_engine::words::hex;
use serde::{Deserialize, Serialize};

const START: &str = "equanym-error:";

/// An error that can be found again in other words, however it is shown.
struct SentError(String);

impl fmt::Debug for SentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{START}{};", self.0)
    }
}

impl std::error::Error for SentError {}

#[derive(Serialize, Deserialize)]
struct Words {
    code: u8,
    message: String,
    hint: Option<String>,
}

/// The error as it travels.
pub(crate) fn send(error: &Error) -> DataFusionError {
    let words = Words { code: error.exit_code(), message: error.message.clone(), hint: error.hint.clone() };
    let bytes = serde_json::to_vec(&words).unwrap_or_default();
    DataFusionError::External(Box::new(SentError(hex(&bytes))))
}

/// Our error, if one is among these words.
pub(crate) fn find(text: &str) -> Option<Error> {
    let (_, rest) = text.split_once(START)?;
    let (spelt, _) = rest.split_once(';')?;
    let pairs = spelt.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    let bytes: Option<Vec<u8>> = pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect();
    let words: Words = serde_json::from_slice(&bytes?).ok()?;
    let kind = match words.code {
        1 => Kind::Unsafe,
        2 => Kind::Input,
        _ => Kind::Environment,
    };
    Some(Error { kind, message: words.message, hint: words.hint })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_among_other_words() {
        let error = Error::input("column `a;\"b`: 3 cells").hint("mend them");
        let text = format!("Job x failed: {:?} and so on; {}", "quoted", send(&error));
        assert_eq!(find(&text), Some(error.clone()));
        assert_eq!(find(&format!("{text:?}")), Some(error.clone()));
        assert_eq!(find(&format!("{:?}", send(&error))), Some(error));
        for other in ["", "equanym-error:", "equanym-error:zz;", "equanym-error:7b;", "nothing of ours"] {
            assert_eq!(find(other), None);
        }
    }
}
