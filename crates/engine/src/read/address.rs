//! Tables that are no files: addresses such as `postgres://…`, `s3://…`, `https://…`.
//!
//! An address travels as a path, because that is what a user types in its place. What messages show of it holds neither
//! user nor password nor query: they may be secrets.

use std::path::Path;

use crate::error::Error;
#[cfg(feature = "object-store")]
use crate::error::Result;

/// An address in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    /// As typed; may hold a password.
    pub(crate) text: String,
    /// The word before `://`, in small letters.
    pub(crate) scheme: String,
    /// What follows: user, host and port.
    pub(crate) authority: String,
    /// From the first `/` on.
    pub(crate) path: String,
    /// Names and values after `?`, decoded.
    pub(crate) query: Vec<(String, String)>,
}

/// What address a path is, if it is one.
pub(crate) fn of(path: &Path) -> Option<Address> {
    let text = path.to_str()?;
    let (scheme, rest) = text.split_once("://")?;
    if scheme.is_empty() || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = place.find('/').map_or((place, ""), |slash| place.split_at(slash));
    let query = query.split('&').filter(|part| !part.is_empty());
    let query = query
        .map(|part| part.split_once('=').unwrap_or((part, "")))
        .map(|(name, value)| (decoded(name), decoded(value)));
    Some(Address {
        text: text.to_owned(),
        scheme: scheme.to_ascii_lowercase(),
        authority: authority.to_owned(),
        path: path.to_owned(),
        query: query.collect(),
    })
}

impl Address {
    /// The address as messages show it.
    pub(crate) fn shown(&self) -> String {
        let host = self.authority.rsplit_once('@').map_or(self.authority.as_str(), |(_, host)| host);
        format!("{:?}", format!("{}://{host}{}", self.scheme, self.path))
    }

    /// Takes a value out of the query.
    #[cfg(feature = "postgres")]
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let place = self.query.iter().position(|(known, _)| known == name)?;
        Some(self.query.remove(place).1)
    }

    /// Nobody reads or writes addresses of this kind.
    pub(crate) fn unknown(&self) -> Error {
        Error::input(format!("{}: addresses of this kind are not known", self.shown()))
            .hint(format!("known: {}", known().join(", ")))
    }
}

/// The kinds of addresses that this program was built for.
fn known() -> Vec<&'static str> {
    let mut known = Vec::new();
    if cfg!(feature = "postgres") {
        known.push("postgres://");
    }
    if cfg!(feature = "object-store") {
        known.extend(["s3://", "https://", "http://"]);
    }
    known
}

/// A text with its `%41` read; what is no such code stays.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let code = match (byte, tail) {
            (b'%', [high, low, ..]) => hexadecimal(*high).zip(hexadecimal(*low)),
            _ => None,
        };
        if let Some((high, low)) = code {
            bytes.push(high << 4 | low);
            rest = tail.get(2..).unwrap_or_default();
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Refuses an address whose query holds more than was asked for.
#[cfg(feature = "object-store")]
pub(crate) fn nothing_left(address: &Address) -> Result<()> {
    match address.query.first() {
        None => Ok(()),
        Some((name, _)) => {
            Err(Error::input(format!("{}: `{}` is not known after ?", address.shown(), name.escape_debug())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let address = of(Path::new("postgres://me:s3cr%65t@db:5432/clinic?table=a%20b&password=x")).unwrap();
        assert_eq!(address.shown(), "\"postgres://db:5432/clinic\"");
        assert_eq!(address.query, [("table".to_owned(), "a b".to_owned()), ("password".to_owned(), "x".to_owned())]);
        assert_eq!(of(Path::new("a@b://x")), None);
        assert_eq!(of(Path::new("data.csv")), None);
    }

    #[test]
    fn codes_are_read_and_halves_stay() {
        for (text, expected) in [("%41b", "Ab"), ("%4", "%4"), ("%zz", "%zz"), ("100%", "100%"), ("%E2%82%AC", "€")] {
            assert_eq!(decoded(text), expected);
        }
    }
}
