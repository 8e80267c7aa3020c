//! Damage to bytes, by a seeded chance.

/// Numbers that look random and are the same each time (`SplitMix64`).
pub struct Chance(u64);

impl Chance {
    /// The chances of the damaged file with a number.
    pub fn of(number: u64) -> Self {
        Self(number.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(0x5EED))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit; 0 where there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap()
    }

    /// One of several.
    pub fn one_of<'a, T>(&mut self, these: &'a [T]) -> &'a T {
        &these[self.below(these.len())]
    }
}

/// Numbers that no length should have, in the ways that formats write them.
const HUGE: [&[u8]; 14] = [
    &[0xFF; 4],
    &[0xFF; 8],
    &[0xFF, 0xFF, 0xFF, 0x7F],
    &[0, 0, 0, 0x80],
    &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
    &[0, 0, 0, 0, 1, 0, 0, 0],
    // Of Thrift: 2^31 - 1 and -1 as 32 bits, 2^40 and 2^63 - 1 as 64.
    &[0xFE, 0xFF, 0xFF, 0xFF, 0x0F],
    &[0x80, 0x80, 0x80, 0x80, 0x80, 0x40],
    &[0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
    &[0xFC, 0xFF, 0xFF, 0xFF, 0xFF, 0x07],
    b"2147483648",
    // Of workbooks: a column far to the right, a row far below.
    b"ZZZZZZ",
    b"\"A4294967295\"",
    b"99999999999999999999",
];

/// The bytes with one to three damages; more would hit the header too often, and the rest would not be read.
pub fn bytes(whole: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..chance.below(4).max(1) {
        damage(&mut bytes, chance);
    }
    bytes
}

fn damage(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let kind = chance.below(8);
    let at = place(bytes.len(), chance);
    let most = 1 << chance.below(8);
    let length = 1 + chance.below(most);
    let end = (at + length).min(bytes.len());
    match kind {
        0 | 1 => bytes[at..].iter_mut().take(1).for_each(|byte| *byte ^= 1 << chance.below(8)),
        2 => bytes[at..end].fill(*chance.one_of(&[0, 0x7F, 0x80, 0xFF, b'"', b'\n', b',', b'<'])),
        3 => bytes.truncate(at),
        4 => drop(bytes.drain(at..end)),
        5 => {
            let from = place(bytes.len(), chance);
            let part = bytes[from..(from + length).min(bytes.len())].to_vec();
            let times = chance.below(4) + 1;
            drop(bytes.splice(at..at, part.repeat(times)));
        }
        _ => {
            let huge = *chance.one_of(&HUGE);
            let end = (at + huge.len()).min(bytes.len());
            drop(bytes.splice(at..end, huge.iter().copied()));
        }
    }
}

/// Anywhere, or near the start or the end, where formats say how they are made.
fn place(length: usize, chance: &mut Chance) -> usize {
    match chance.below(4) {
        0 => chance.below(length.min(64)),
        1 => length.saturating_sub(1 + chance.below(length.min(512))),
        _ => chance.below(length),
    }
}
