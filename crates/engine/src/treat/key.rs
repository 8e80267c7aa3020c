//! The key of pseudonyms and moved dates.
//!
//! It is made of 32 bytes from the system's generator and stands in a file as one line of hexadecimal digits, which only
//! its owner may read. No message, manifest, mask, log or temporary file holds it; a mask has a fingerprint, which tells
//! keys apart and nothing else. Its bytes are wiped from memory when they are no longer needed.
//!
//! Source: RFC 2104 (HMAC), FIPS 180-4 (SHA-256).

use std::fmt;
use std::path::Path;

use equanym_core::treatment::KeyedFunction;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::machine::private_file::{read_private, shown, write_new};
use crate::words::hex;

/// The fewest bytes of a key, and what a fresh one has.
const BYTES: usize = 32;
/// The most: longer ones would be hashed first.
const MOST: usize = 64;

/// The file of a fresh key, in `private/`.
pub(crate) const FILE: &str = "key";

/// A key.
#[derive(Clone)]
pub struct Key {
    bytes: Zeroizing<Vec<u8>>,
    mac: Hmac<Sha256>,
    origin: Origin,
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    File,
    Fresh,
    /// Nothing is released with it.
    Fixed,
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a key ({:?})", self.origin)
    }
}

impl Key {
    /// The key of a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = Zeroizing::new(read_private(path)?);
        let digits = text.trim_ascii();
        let byte = |pair: &[u8; 2]| {
            let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            Some(digit(pair[0])? << 4 | digit(pair[1])?)
        };
        let (pairs, rest) = digits.as_chunks::<2>();
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        let bytes = Zeroizing::new(bytes.filter(|_| rest.is_empty()).ok_or_else(|| {
            Error::input(format!("{}: a key is one line of hexadecimal digits", shown(path))).hint(MADE)
        })?);
        if !(BYTES..=MOST).contains(&bytes.len()) {
            let message = format!("{}: the key has {} bytes; it needs {BYTES} to {MOST}", shown(path), bytes.len());
            return Err(Error::input(message).hint(MADE));
        }
        Self::from_bytes(bytes, Origin::File)
    }

    /// A new key.
    pub fn fresh() -> Result<Self> {
        let mut bytes = Zeroizing::new(vec![0; BYTES]);
        getrandom::fill(&mut bytes).map_err(|_| Error::environment("the system gives no random numbers"))?;
        Self::from_bytes(bytes, Origin::Fresh)
    }

    /// The key of whoever asks and releases nothing: that of the file, as a release would have it, or the same each time.
    pub(crate) fn for_question(is_needed: bool, file: Option<&Path>) -> Result<Self> {
        match file {
            Some(_) => Self::for_release(is_needed, file),
            None => Self::fixed(),
        }
    }

    /// For whoever needs no key: the same each time, and no secret.
    pub(crate) fn fixed() -> Result<Self> {
        Self::from_bytes(Zeroizing::new(vec![0; BYTES]), Origin::Fixed)
    }

    /// The key of a run whose treatments are keyed or not: that of the file, or a fresh one.
    pub(crate) fn for_release(is_needed: bool, file: Option<&Path>) -> Result<Self> {
        match (is_needed, file) {
            (true, Some(path)) => Self::read(path),
            (true, None) => Self::fresh(),
            (false, None) => Self::fixed(),
            (false, Some(_)) => Err(Error::input("--key has no effect: no column is a pseudonym, and no dates move")
                .hint("leave it out, or give a column `role = \"pseudonym\"`")),
        }
    }

    fn from_bytes(bytes: Zeroizing<Vec<u8>>, origin: Origin) -> Result<Self> {
        let mac = Hmac::new_from_slice(&bytes).map_err(|_| Error::internal())?;
        Ok(Self { bytes, mac, origin })
    }

    /// Whether it was made for this run.
    #[must_use]
    pub(crate) fn is_fresh(&self) -> bool {
        self.origin == Origin::Fresh
    }

    /// Tells keys apart, and nothing else; none where no key is needed.
    #[must_use]
    pub(crate) fn fingerprint(&self) -> Option<String> {
        let bytes = self.bytes(&["fingerprint"]);
        (self.origin != Origin::Fixed).then(|| hex(bytes.first_chunk::<8>().map_or(&[][..], |first| &first[..])))
    }

    /// Writes it to a new file.
    pub(crate) fn write_new(&self, path: &Path) -> Result<()> {
        let mut line = Zeroizing::new(hex(&self.bytes));
        line.push('\n');
        write_new(path, line.as_bytes(), true)
    }
}

/// What to do without a good key.
const MADE: &str = "leave --key out once: a key is made and kept in `private/key` of the release";

impl KeyedFunction for Key {
    fn bytes(&self, words: &[&str]) -> [u8; 32] {
        let mut mac = self.mac.clone();
        for word in words {
            // With its length, so that words parted elsewhere are others.
            mac.update(&(word.len() as u64).to_be_bytes());
            mac.update(word.as_bytes());
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn a_key_comes_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let (key, path) = (Key::fresh().unwrap(), folder.path().join("key"));
        key.write_new(&path).unwrap();
        let again = Key::read(&path).unwrap();
        assert_eq!(again.bytes(&["a", "b"]), key.bytes(&["a", "b"]));
        assert_eq!((again.fingerprint(), again.is_fresh()), (key.fingerprint(), false));
        assert_ne!(key.bytes(&["a", "b"]), key.bytes(&["ab"]));
        assert_ne!(key.bytes(&["a", "b"]), Key::fresh().unwrap().bytes(&["a", "b"]));
        assert!(!format!("{key:?}").contains(&hex(&key.bytes)[..8]));
    }

    #[test]
    fn what_is_no_key_is_refused_and_not_repeated() {
        for (text, part) in [
            ("ab".repeat(31), "31 bytes; it needs 32"),
            ("ab".repeat(65), "65 bytes"),
            (String::new(), "0 bytes"),
            ("ab".repeat(32) + "a", "hexadecimal"),
            ("xy".repeat(32), "hexadecimal"),
        ] {
            let error = Key::read(file(&text).path()).unwrap_err();
            assert!(error.to_string().contains(part) && error.exit_code() == 2, "{error}");
            assert!(!error.to_string().contains("abab") && !error.to_string().contains("xyxy"), "{error}");
        }
        assert!(Key::read(file(&("AB".repeat(32) + "\r\n")).path()).is_ok());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let open = file(&"ab".repeat(32));
            std::fs::set_permissions(open.path(), std::fs::Permissions::from_mode(0o644)).unwrap();
            assert!(Key::read(open.path()).unwrap_err().to_string().contains("others may read"));
        }
    }

    /// RFC 4231, test case 2, without the lengths of words.
    #[test]
    fn the_hash_is_the_standard_one() {
        let mac: Hmac<Sha256> = Hmac::new_from_slice(b"Jefe").unwrap();
        let bytes = mac.chain_update(b"what do ya want for nothing?").finalize().into_bytes();
        assert_eq!(hex(&bytes), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
}
