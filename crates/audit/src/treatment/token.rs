//! Tokens: `p` and 32 hexadecimal digits of a hash with the key, of the column and the cell.

use super::{Cell, Kind, PSEUDONYM, Treatment, TreatmentMember};
use crate::key::hex;

pub(super) const MEMBER: TreatmentMember = TreatmentMember {
    name: PSEUDONYM,
    keys: &[],
    treatment: |_| {
        let make = |cell: &Cell<'_>| {
            let hash = cell.key?.hash(&[PSEUDONYM, cell.column, cell.text]);
            Some(format!("p{}", hex(&hash, 16)))
        };
        let treatment = Treatment::new(Kind::Token, "keyed tokens".to_owned(), is_token, make);
        Ok(Treatment { is_keyed: true, ..treatment })
    },
};

fn is_token(cell: &str) -> bool {
    let digits = cell.strip_prefix('p').unwrap_or_default();
    digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
