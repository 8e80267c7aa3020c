//! Tokens: `p` and 32 hexadecimal digits of a hash with the key, of the column and the cell.

use super::{Kind, PSEUDONYM, Treatment, TreatmentMember};
use crate::key::hex;

pub(super) const MEMBER: TreatmentMember = TreatmentMember {
    name: PSEUDONYM,
    keys: &[],
    treatment: |_| {
        Ok(Treatment {
            kind: Kind::Token,
            words: "keyed tokens".to_owned(),
            other: None,
            is_keyed: true,
            allows: Box::new(is_token),
            make: Box::new(|cell| Some(format!("p{}", hex(&cell.key?.hash(&[PSEUDONYM, cell.column, cell.text]), 16)))),
        })
    },
};

fn is_token(cell: &str) -> bool {
    let digits = cell.strip_prefix('p').unwrap_or_default();
    digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
