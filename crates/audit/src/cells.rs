//! Several cells as one key: each with its length before it, so that no two different keys meet.

use sha2::{Digest, Sha256};

/// What stands for some cells: sixteen bytes of their hash.
pub(crate) type Stamp = [u8; 16];

/// Adds a cell to a key.
pub(crate) fn push_cell(key: &mut Vec<u8>, cell: &str) {
    key.extend_from_slice(&(cell.len() as u64).to_le_bytes());
    key.extend_from_slice(cell.as_bytes());
}

/// The first cell of a key, and the rest of the key.
pub(crate) fn first_cell(key: &[u8]) -> (&[u8], &[u8]) {
    let Some((length, rest)) = key.split_first_chunk() else { return (&[], &[]) };
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    rest.split_at_checked(length).unwrap_or((rest, &[]))
}

/// Cells that come one after the other, of which only the hash is kept.
#[derive(Default)]
pub(crate) struct CellHash(Sha256);

impl CellHash {
    pub fn push(&mut self, cell: &str) {
        self.0.update((cell.len() as u64).to_le_bytes());
        self.0.update(cell);
    }

    /// What stands for the cells so far; the next ones begin anew.
    pub fn stamp(&mut self) -> Stamp {
        self.0.finalize_reset().first_chunk().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_apart_into_its_cells() {
        let mut key = Vec::new();
        push_cell(&mut key, "");
        push_cell(&mut key, "ab");
        let (first, rest) = first_cell(&key);
        assert_eq!((first, first_cell(rest)), (&b""[..], (&b"ab"[..], &b""[..])));
        assert_eq!((first_cell(&[1, 0, 0]).0, first_cell(&[9, 0, 0, 0, 0, 0, 0, 0, 1]).0), (&b""[..], &[1][..]));
    }
}
