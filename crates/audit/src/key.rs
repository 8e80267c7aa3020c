//! The key of a release, and HMAC-SHA-256 with it, written here anew.
//!
//! Source: RFC 2104, FIPS 180-4; test vectors of RFC 4231.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::AuditError;

/// What SHA-256 takes at a time.
const BLOCK: usize = 64;
/// The most digits of a key, with room for line ends.
const MOST: u64 = 256;

/// A key, filled up with zeros.
pub(crate) struct Key([u8; BLOCK]);

impl Key {
    pub fn read(path: &Path) -> Result<Self, AuditError> {
        let file = File::open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => refused("it was not found"),
            kind => AuditError::Io { what: "the key", kind },
        })?;
        let mut text = String::new();
        file.take(MOST).read_to_string(&mut text).map_err(|_| refused("it is no text"))?;
        Self::parse(text.trim_ascii()).ok_or_else(|| refused("it is no line of 64 to 128 hexadecimal digits"))
    }

    fn parse(digits: &str) -> Option<Self> {
        let length = digits.len() / 2;
        if !digits.len().is_multiple_of(2) || !(32..=BLOCK).contains(&length) {
            return None;
        }
        let mut key = [0; BLOCK];
        for (place, byte) in key.iter_mut().take(length).enumerate() {
            let pair = digits.get(2 * place..2 * place + 2).filter(|pair| !pair.starts_with('+'))?;
            *byte = u8::from_str_radix(pair, 16).ok()?;
        }
        Some(Self(key))
    }

    /// The hash of words, each with its length before it.
    pub fn hash(&self, words: &[&str]) -> [u8; 32] {
        let mut text = Vec::new();
        for word in words {
            text.extend((word.len() as u64).to_be_bytes());
            text.extend(word.as_bytes());
        }
        self.hmac(&text)
    }

    fn hmac(&self, text: &[u8]) -> [u8; 32] {
        let padded = |with: u8| Sha256::new().chain_update(self.0.map(|byte| byte ^ with));
        let inner = padded(0x36).chain_update(text).finalize();
        padded(0x5c).chain_update(inner).finalize().into()
    }

    /// What tells keys apart.
    pub fn fingerprint(&self) -> String {
        hex(&self.hash(&["fingerprint"]), 8)
    }
}

/// The first bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8], count: usize) -> String {
    bytes.iter().take(count).fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

fn refused(what: &'static str) -> AuditError {
    AuditError::Key { what }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of RFC 4231 are shorter than ours may be: they are filled up here.
    fn padded(key: &[u8]) -> Key {
        let mut block = [0; BLOCK];
        block[..key.len()].copy_from_slice(key);
        Key(block)
    }

    #[test]
    fn the_hash_is_the_standard_one() {
        for (key, text, expected) in [
            (&[0x0b; 20][..], &b"Hi There"[..], "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe",
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
        ] {
            assert_eq!(hex(&padded(key).hmac(text), 32), expected);
        }
    }

    #[test]
    fn keys_are_read_strictly() {
        let good = "0f".repeat(32);
        assert!(
            Key::parse(&good).is_some()
                && Key::parse(&good.to_uppercase()).is_some()
                && Key::parse(&"0f".repeat(64)).is_some()
        );
        for bad in [&good[2..], &good[1..], &"0f".repeat(65), &"+f".repeat(32), &"é".repeat(32), ""] {
            assert!(Key::parse(bad).is_none(), "{bad}");
        }
    }
}
