//! Who stands behind each counted key.
//!
//! The person is one more column of the keys that are counted. Its ids get codes like any other value, and only the codes
//! go on: who is who does not matter, how many there are does. A record without an id could be anybody's, so it is refused.

use super::Keys;
use crate::error::{Error, Result};
use crate::read::missing::is_blank;

/// Refuses keys without an id, where this column tells people apart.
pub(crate) fn refuse_nobody(name: &str, keys: &Keys) -> Result<()> {
    let (Some(ids), Some(codes)) = (&keys.values.person, &keys.rows.codes.person) else { return Ok(()) };
    let is_nobody: Vec<bool> = ids.iter().map(|id| id.chars().all(is_blank)).collect();
    if !is_nobody.contains(&true) {
        return Ok(());
    }
    let of_nobody = |code: &u32| is_nobody.get(*code as usize).copied().unwrap_or(true);
    let counted = codes.iter().zip(&keys.rows.counts);
    let records: u64 = counted.filter(|(code, _)| of_nobody(code)).map(|(_, count)| count).sum();
    let message = format!(
        "column `{}` names the person and is empty in {records} of {} records",
        name.escape_debug(),
        keys.rows.records()
    );
    Err(Error::input(message).hint("give each record an id, or leave these records out; nothing was written"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::KeyRows;
    use crate::count::parts::KeyParts;

    fn keys(ids: &[&str], codes: Vec<u32>, counts: Vec<u64>) -> Keys {
        let ids = ids.iter().map(ToString::to_string).collect();
        let person = |codes| KeyParts { person: Some(codes), ..KeyParts::default() };
        let values = KeyParts { person: Some(ids), ..KeyParts::default() };
        Keys { values, rows: KeyRows { codes: person(codes), counts }, ..Keys::default() }
    }

    #[test]
    fn a_record_needs_an_id() {
        assert!(refuse_nobody("id", &keys(&["a", "b"], vec![1, 0, 1], vec![1, 2, 3])).is_ok());
        let error = refuse_nobody("id", &keys(&["a", " ", ""], vec![1, 0, 2], vec![1, 2, 4])).unwrap_err().to_string();
        assert!(error.contains("`id` names the person and is empty in 5 of 7 records"), "{error}");
    }
}
