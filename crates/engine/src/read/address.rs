//! Tables that are no files: addresses such as `postgres://…`, `s3://…`, `https://…`.
//!
//! An address travels as a path, because that is what a user types in its place. What messages show of it holds neither
//! user nor password nor query: they may be secrets. An address that is not understood is not shown at all.
//!
//! Limit: one host; PostgreSQL takes several after `?`, as in `?host=a,b&port=1,2`.

use std::path::Path;

use url::{Position, Url};

use crate::error::{Error, Result};

/// An address. Its query holds what nobody has taken out of it yet.
#[derive(Clone)]
pub struct Address {
    /// May hold a password.
    url: Url,
}

/// What address a path is, if it is one; an error if it begins like one and is none.
pub fn parse(path: &Path) -> Result<Option<Address>> {
    let address = path.to_str().and_then(|text| Some((text, text.split_once("://")?.0)));
    match address {
        Some((text, scheme)) if !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            // Nothing here points into a page: `#` is a character of a name or a password.
            let url = Url::parse(&text.replace('#', "%23")).map_err(|_| malformed(scheme))?;
            Ok(Some(Address { url }))
        }
        _ => Ok(None),
    }
}

fn malformed(scheme: &str) -> Error {
    let shown = format!("{}://…", scheme.to_ascii_lowercase());
    Error::input(format!("{shown:?}: the address is not understood"))
        .hint("scheme://user@host:port/path; odd characters are written %41")
}

impl Address {
    /// The word before `://`, in small letters.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.url.scheme()
    }

    /// The host without its port.
    #[cfg(feature = "object-store")]
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// From the first `/` on, odd characters written `%41`.
    #[cfg(feature = "object-store")]
    pub(crate) fn path(&self) -> &str {
        self.url.path()
    }

    /// All before the path; may hold a password.
    #[cfg(feature = "object-store")]
    pub(crate) fn base(&self) -> &str {
        &self.url[..Position::BeforePath]
    }

    /// The whole address in one way of writing, for a library and for comparison; may hold a password.
    #[must_use]
    pub fn text(&self) -> &str {
        self.url.as_str()
    }

    /// The address as messages show it.
    pub(crate) fn shown(&self) -> String {
        format!("{:?}", format!("{}://{}", self.scheme(), &self.url[Position::BeforeHost..Position::AfterPath]))
    }

    /// Whether the query gives this name a value.
    #[cfg(feature = "postgres")]
    pub(crate) fn says(&self, name: &str) -> bool {
        self.query().any(|(known, _)| decoded(known) == name)
    }

    /// Takes a value out of the query.
    #[cfg(feature = "postgres")]
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let place = self.query().position(|(known, _)| decoded(known) == name)?;
        let value = self.query().nth(place).map(|(_, value)| decoded(value));
        let others = self.query().enumerate().filter(|(other, _)| *other != place);
        let left: Vec<String> = others.map(|(_, (name, value))| format!("{name}={value}")).collect();
        self.url.set_query((!left.is_empty()).then(|| left.join("&")).as_deref());
        value
    }

    /// Names and values after `?`, as written. In forms `+` stands for a blank; in SQL it does not.
    #[cfg(any(feature = "postgres", feature = "object-store"))]
    fn query(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.url.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
        pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
    }

    /// Refuses an address whose query holds more than was taken.
    #[cfg(feature = "object-store")]
    pub(crate) fn nothing_left(&self) -> Result<()> {
        match self.query().next() {
            None => Ok(()),
            Some((name, _)) => {
                let name = decoded(name);
                Err(Error::input(format!("{}: `{}` is not known after ?", self.shown(), name.escape_debug())))
            }
        }
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
#[cfg(any(feature = "postgres", feature = "object-store"))]
fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        parse(Path::new(text)).unwrap().unwrap()
    }

    #[test]
    fn secrets_are_not_shown() {
        let mut address = address("postgres://me:s3cr%65t@db:5432/clinic?table=a%20b&password=x+y#z");
        assert_eq!(address.shown(), "\"postgres://db:5432/clinic\"");
        assert_eq!(address.take("table").as_deref(), Some("a b"));
        assert_eq!(address.text(), "postgres://me:s3cr%65t@db:5432/clinic?password=x+y%23z");
        assert_eq!(address.take("password").as_deref(), Some("x+y#z"));
        assert_eq!((address.take("table"), address.nothing_left()), (None, Ok(())));
        for path in ["a@b://x", "data.csv", "://x"] {
            assert!(parse(Path::new(path)).unwrap().is_none());
        }
    }

    #[test]
    fn what_is_no_address_is_not_repeated() {
        for text in ["postgres://me:hush/x@db/clinic", "https://", "http://[hush", "s3://hu sh/x", "7x://hush"] {
            let error = parse(Path::new(text)).map(|_| ()).unwrap_err();
            assert!(error.exit_code() == 2 && !error.to_string().contains("hu"), "{text}: {error}");
        }
    }

    #[test]
    fn codes_are_read_and_halves_stay() {
        for (text, expected) in [("%41b", "Ab"), ("%4", "%4"), ("%zz", "%zz"), ("100%", "100%"), ("%E2%82%AC", "€")] {
            assert_eq!(decoded(text), expected);
            assert_eq!(address(&format!("x://h/?q={text}")).take("q").as_deref(), Some(expected));
        }
    }
}
