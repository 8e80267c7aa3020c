//! Pseudonyms: the same id, the same token, and no way back without the key.
//!
//! A token is the first 128 bits of a keyed hash of the id. Whoever lacks the key can neither undo a token nor find it by
//! hashing every possible id, which breaks an unkeyed hash of anything as guessable as an insurance number. Two ids
//! share a token with a chance of one in 2^128.
//!
//! The name of the column is hashed as well. Tokens of one column match in every release with the same key. Tokens of two
//! columns never match, even for the same id: patient 17 is not doctor 17, and who is meant by both is nobody's to learn.
//!
//! Limit: whoever has the key has the ids. A token links the records of a person; see `docs/threats.md`.
//! Source: RFC 2104 (HMAC), FIPS 180-4 (SHA-256).

use super::{Cell, KeyedFunction};
use crate::card::{Card, Promise};

pub(super) static CARD: Card = Card {
    name: "pseudonym",
    summary: "an id becomes a keyed token: the same id, the same token",
    about: "Say `role = \"pseudonym\"` of a column that shall link the records of a person without naming the person. A token is \
            `p` and 32 hexadecimal digits: 128 bits of HMAC-SHA-256 of the column's name and the id as it was read. The key \
            comes from `--key FILE`, or is made afresh and kept in `private/key`. Give the same key to later releases, and \
            their tokens match; give another one, and nothing links them. Tokens of two columns never match. A missing id \
            stays missing. Whoever has the key can compute the token of any id: keep it apart from the release. Tokens \
            show which records belong together, and whoever knows several records of a person may find the person by that.",
    promises: &[Promise::InWords("without the key no token can be computed from a guessed id")],
    parameters: &[],
    source: "RFC 2104 (HMAC) with FIPS 180-4 (SHA-256)",
};

/// The token of an id.
pub(super) fn token(cell: Cell<'_>, key: &dyn KeyedFunction) -> String {
    let bytes = key.bytes(&["pseudonym", cell.column, cell.text]);
    let digits = bytes.iter().take(16).flat_map(|byte| [byte >> 4, byte & 15]);
    // A letter in front: no spreadsheet takes it for a number.
    std::iter::once('p').chain(digits.filter_map(|digit| char::from_digit(digit.into(), 16))).collect()
}
