//! Who stands behind each counted key.
//!
//! The person is one more column of the keys that are counted. Its ids get codes like any other value, and only the codes
//! go on: who is who does not matter, how many there are does. A record without an id could be anybody's, so it is refused.

use super::Keys;
use crate::error::{Error, Result};
use crate::read::missing::is_blank;

/// The person of each counted key, from the column at this place.
pub(crate) fn of<'k>(name: &str, place: usize, keys: &'k Keys) -> Result<&'k [u32]> {
    let (Some(codes), Some(ids)) = (keys.columns.get(place), keys.values.get(place)) else {
        return Err(Error::environment("an internal step lost a column"));
    };
    let is_nobody: Vec<bool> = ids.iter().map(|id| id.chars().all(is_blank)).collect();
    if !is_nobody.contains(&true) {
        return Ok(codes);
    }
    let of_nobody = |code: &u32| is_nobody.get(*code as usize).copied().unwrap_or(true);
    let records: u64 = codes.iter().zip(&keys.counts).filter(|(code, _)| of_nobody(code)).map(|(_, count)| count).sum();
    let message = format!(
        "column `{}` names the person and is empty in {records} of {} records",
        name.escape_debug(),
        keys.records()
    );
    Err(Error::input(message).hint("give each record an id, or leave these records out; nothing was written"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(ids: &[&str], codes: Vec<u32>, counts: Vec<u64>) -> Keys {
        let values = vec![ids.iter().map(ToString::to_string).collect()];
        Keys { values, columns: vec![codes], counts, ..Keys::default() }
    }

    #[test]
    fn a_record_needs_an_id() {
        assert_eq!(of("id", 0, &keys(&["a", "b"], vec![1, 0, 1], vec![1, 2, 3])).unwrap(), [1, 0, 1]);
        let error = of("id", 0, &keys(&["a", " ", ""], vec![1, 0, 2], vec![1, 2, 4])).unwrap_err().to_string();
        assert!(error.contains("`id` names the person and is empty in 5 of 7 records"), "{error}");
    }
}
