//! Thrift's compact protocol, as far as Parquet uses it, within the bytes that are there.
//!
//! A decoder that believes a length reserves memory for it, and ten hostile bytes then end the process. Nothing is
//! reserved here: a text that is longer than the rest, a list with more elements than bytes, and structs within structs
//! without end are no Thrift.
//!
//! Source: Apache Thrift, compact protocol encoding.

/// Deeper than anything in a Parquet file.
const DEPTH: u32 = 16;

/// The kinds of values that are looked into.
pub(super) const INTEGERS: std::ops::RangeInclusive<u8> = 4..=6;
pub(super) const TEXT: u8 = 8;
pub(super) const LIST: u8 = 9;
pub(super) const STRUCT: u8 = 12;

/// The bytes that were not read yet.
#[derive(Clone, Copy)]
pub(super) struct Thrift<'a> {
    rest: &'a [u8],
}

/// A field of a struct: its number and the kind of its value.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub id: i64,
    pub kind: u8,
}

impl<'a> Thrift<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// Reads a struct. `see` reads the fields it knows and says so; the others are passed over.
    pub fn fields(&mut self, mut see: impl FnMut(&mut Self, Field) -> Option<bool>) -> Option<()> {
        self.fields_at(0, &mut see)
    }

    fn fields_at(&mut self, depth: u32, mut see: impl FnMut(&mut Self, Field) -> Option<bool>) -> Option<()> {
        let mut id = 0_i64;
        loop {
            let byte = self.byte()?;
            let kind = byte & 0x0f;
            if kind == 0 {
                return Some(());
            }
            id = if byte >> 4 == 0 { self.integer()? } else { id.checked_add(i64::from(byte >> 4))? };
            if !see(self, Field { id, kind })? {
                self.pass(kind, depth, false)?;
            }
        }
    }

    /// Reads a list of structs with `see`.
    pub fn structs(&mut self, mut see: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        let (count, kind) = self.list()?;
        if count > 0 && kind != STRUCT {
            return None;
        }
        (0..count).try_for_each(|_| see(self))
    }

    /// Reads a whole number with its sign.
    pub fn integer(&mut self) -> Option<i64> {
        let zigzag = self.natural()?;
        Some((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    /// Reads a text.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.natural()?).ok()?;
        self.take(length)
    }

    /// Passes over a value; a truth value takes a byte of its own only in a list.
    fn pass(&mut self, kind: u8, depth: u32, in_list: bool) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        match kind {
            1 | 2 if !in_list => Some(()),
            1..=3 => self.byte().map(drop),
            4..=6 => self.natural().map(drop),
            7 => self.take(8).map(drop),
            TEXT => self.text().map(drop),
            LIST | 10 => {
                let (count, kind) = self.list()?;
                (0..count).try_for_each(|_| self.pass(kind, depth + 1, true))
            }
            STRUCT => self.fields_at(depth + 1, |_, _| Some(false)),
            // No struct of Parquet has a map.
            _ => None,
        }
    }

    /// How many elements a list has, and of which kind. Each takes a byte or more.
    fn list(&mut self) -> Option<(u64, u8)> {
        let byte = self.byte()?;
        let count = if byte >> 4 == 15 { self.natural()? } else { u64::from(byte >> 4) };
        (count <= self.rest.len() as u64).then_some((count, byte & 0x0f))
    }

    fn natural(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for place in 0..10 {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_struct(bytes: &[u8]) -> bool {
        Thrift::new(bytes).fields(|_, _| Some(false)).is_some()
    }

    #[test]
    fn lengths_beyond_the_bytes_are_no_thrift() {
        assert!(is_struct(&[0]));
        assert!(is_struct(&[0x15, 2, 0]), "a number");
        assert!(is_struct(&[0x19, 0x2c, 0, 0, 0]), "a list of two empty structs");
        assert!(!is_struct(&[]));
        assert!(!is_struct(&[0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0]), "2^31 - 1 structs");
        assert!(!is_struct(&[0x18, 0x80, 0x80, 0x80, 0x80, 0x20, 0]), "a text of 2^33 bytes");
        assert!(
            !is_struct(&[0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]),
            "an endless number"
        );
    }

    #[test]
    fn nothing_is_nested_without_end() {
        let nested = |depth: usize| [vec![0x1c; depth], vec![0; depth + 1]].concat();
        assert!(is_struct(&nested(10)));
        assert!(!is_struct(&nested(100_000)));
    }

    #[test]
    fn numbers_have_signs() {
        let integer = |bytes: &[u8]| Thrift::new(bytes).integer();
        assert_eq!(integer(&[0]), Some(0));
        assert_eq!(integer(&[1]), Some(-1));
        assert_eq!(integer(&[0xac, 0x02]), Some(150));
    }
}
