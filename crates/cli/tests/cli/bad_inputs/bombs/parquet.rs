//! Parquet, written by hand so that each claim may be a lie: one column, one row group, a few pages.

use std::io::Write as _;

use super::super::mutated::damage::Chance;
use super::thrift::{Fields, Value, fields, natural, signed};
use super::{draws, fails_audit, received, refused, stage, survives};

const MOST: i64 = (1 << 31) - 1;
const BYTE_ARRAY: i64 = 6;
const FIXED: i64 = 7;
/// Those of the standard, the old one of levels among them.
const ENCODINGS: [i64; 9] = [0, 2, 3, 4, 5, 6, 7, 8, 9];
const GZIP: i64 = 2;
const ZSTD: i64 = 6;

/// A file in the making.
#[derive(Clone)]
struct Bomb {
    kind: i64,
    is_optional: bool,
    packing: i64,
    records: i64,
    /// Bytes of a value where all have the same.
    length: i64,
    pages: Vec<u8>,
}

/// A page of values and what it claims.
#[derive(Clone)]
struct PageClaim {
    version: u8,
    values: i64,
    encoding: i64,
    unpacked: Option<i64>,
    packed: Option<i64>,
    /// Levels as they are, without the length in front of them that the first version has.
    levels: Option<Vec<u8>>,
    body: Vec<u8>,
}

impl Bomb {
    fn of(kind: i64, records: i64) -> Self {
        Self { kind, is_optional: false, packing: 0, records, length: 16, pages: b"PAR1".to_vec() }
    }

    fn texts(records: i64) -> Self {
        Self::of(BYTE_ARRAY, records)
    }

    fn packed(&self, body: &[u8]) -> Vec<u8> {
        match self.packing {
            GZIP => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
                encoder.write_all(body).unwrap();
                // What is large becomes 4 GiB: one member after the other.
                encoder.finish().unwrap().repeat(if body.len() < 1 << 20 { 1 } else { 4096 })
            }
            ZSTD => zstd::encode_all(body, 3).unwrap(),
            _ => body.to_vec(),
        }
    }

    fn add(&mut self, header: &Fields, body: &[u8]) {
        self.pages.extend(fields(header));
        self.pages.extend(body);
    }

    /// A dictionary that claims so many entries, and unpacks to these bytes.
    fn dictionary(mut self, entries: i64, body: &[u8]) -> Self {
        let packed = self.packed(body);
        let header = vec![
            (1, Value::Number(2)),
            (2, Value::Number(size(body))),
            (3, Value::Number(size(&packed))),
            (7, Value::Struct(vec![(1, Value::Number(entries)), (2, Value::Number(0))])),
        ];
        self.add(&header, &packed);
        self
    }

    fn page(mut self, page: &PageClaim) -> Self {
        let levels = page.levels.clone().unwrap_or_default();
        self.is_optional |= page.levels.is_some();
        let (unpacked, packed, data) = if page.version == 1 {
            let levels = page.levels.as_ref().map_or(Vec::new(), |levels| prefixed(levels));
            let unpacked = [levels, page.body.clone()].concat();
            let packed = self.packed(&unpacked);
            let header = vec![
                (1, Value::Number(page.values)),
                (2, Value::Number(page.encoding)),
                (3, Value::Number(3)),
                (4, Value::Number(3)),
            ];
            (size(&unpacked), packed, (5, Value::Struct(header)))
        } else {
            let packed = [levels.clone(), self.packed(&page.body)].concat();
            let header = vec![
                (1, Value::Number(page.values)),
                (2, Value::Number(0)),
                (3, Value::Number(page.values)),
                (4, Value::Number(page.encoding)),
                (5, Value::Number(size(&levels))),
                (6, Value::Number(0)),
                (7, Value::Flag(true)),
            ];
            (size(&levels) + size(&page.body), packed, (8, Value::Struct(header)))
        };
        let kind = if page.version == 1 { 0 } else { 3 };
        let header = vec![
            (1, Value::Number(kind)),
            (2, Value::Number(page.unpacked.unwrap_or(unpacked))),
            (3, Value::Number(page.packed.unwrap_or(size(&packed)))),
            data,
        ];
        self.add(&header, &packed);
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let length = size(&self.pages) - 4;
        let mut column = vec![(1, Value::Number(self.kind))];
        if self.kind == FIXED {
            column.push((2, Value::Number(self.length)));
        }
        column.extend([(3, Value::Number(i64::from(self.is_optional))), (4, Value::Text(b"v".to_vec()))]);
        if self.kind == BYTE_ARRAY {
            column.push((6, Value::Number(0)));
        }
        if self.kind == FIXED && self.length == 16 {
            // A UUID.
            column.push((10, Value::Struct(vec![(14, Value::Struct(Vec::new()))])));
        }
        let root = vec![(4, Value::Text(b"schema".to_vec())), (5, Value::Number(1))];
        let chunk = vec![
            (1, Value::Number(self.kind)),
            (2, Value::Numbers(vec![0])),
            (3, Value::Texts(vec![b"v".to_vec()])),
            (4, Value::Number(self.packing)),
            (5, Value::Number(self.records)),
            (6, Value::Number(length)),
            (7, Value::Number(length)),
            (9, Value::Number(4)),
        ];
        let chunk = vec![(2, Value::Number(4)), (3, Value::Struct(chunk))];
        let group =
            vec![(1, Value::Structs(vec![chunk])), (2, Value::Number(length)), (3, Value::Number(self.records))];
        let footer = vec![
            (1, Value::Number(1)),
            (2, Value::Structs(vec![root, column])),
            (3, Value::Number(self.records)),
            (4, Value::Structs(vec![group])),
        ];
        let footer = fields(&footer);
        let length = u32::try_from(footer.len()).unwrap().to_le_bytes();
        [&self.pages, &footer, length.as_slice(), b"PAR1"].concat()
    }
}

impl PageClaim {
    fn plain(values: i64, body: Vec<u8>) -> Self {
        Self { version: 1, values, encoding: 0, unpacked: None, packed: None, levels: None, body }
    }

    fn encoded(values: i64, encoding: i64, body: Vec<u8>) -> Self {
        Self { encoding, ..Self::plain(values, body) }
    }
}

fn size(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).unwrap()
}

fn prefixed(bytes: &[u8]) -> Vec<u8> {
    [&u32::try_from(bytes.len()).unwrap().to_le_bytes(), bytes].concat()
}

/// A run of so many levels or indices that are all alike.
fn run(count: u64, value: u8) -> Vec<u8> {
    [natural(count << 1), vec![value]].concat()
}

/// So many numbers in steps that are all alike.
fn steps(count: u64, first: i64, step: i64) -> Vec<u8> {
    let blocks = usize::try_from(count.saturating_sub(1).div_ceil(128).min(100_000)).unwrap();
    let block = [signed(step), vec![0; 4]].concat();
    [natural(128), natural(4), natural(count), signed(first), block.repeat(blocks)].concat()
}

fn released(what: &str, bomb: &Bomb) {
    let bytes = bomb.bytes();
    let ran = survives(&stage(), "data.parquet", what, &bytes);
    assert_eq!(ran.code, Some(0), "{what}: {ran:?}");
}

/// What is no bomb is read, in every encoding: otherwise nothing here would be looked at.
#[test]
fn honest_pages_are_released() {
    let texts = prefixed(b"abcd").repeat(6);
    let lengths = steps(6, 4, 0);
    let shared = [steps(6, 0, 0), lengths.clone(), b"abcd".repeat(6)].concat();
    for version in [1, 2] {
        let all = |levels: Option<Vec<u8>>, encoding, body: &[u8]| PageClaim {
            version,
            levels,
            ..PageClaim::encoded(6, encoding, body.to_vec())
        };
        for levels in [None, Some(run(6, 1)), Some(vec![3, 0x3F])] {
            released("plain", &Bomb::texts(6).page(&all(levels.clone(), 0, &texts)));
            let dictionary = Bomb::texts(6).dictionary(1, &prefixed(b"abcd"));
            released("dictionary", &dictionary.page(&all(levels.clone(), 8, &[&[1][..], &run(6, 0)].concat())));
            let own = [lengths.clone(), b"abcd".repeat(6)].concat();
            released("lengths", &Bomb::texts(6).page(&all(levels.clone(), 6, &own)));
            released("shared", &Bomb::texts(6).page(&all(levels.clone(), 7, &shared)));
            released("numbers", &Bomb::of(1, 6).page(&all(levels.clone(), 5, &steps(6, 1, 0))));
            released("split", &Bomb::of(5, 6).page(&all(levels.clone(), 9, &[0; 48])));
            released("truths", &Bomb::of(0, 6).page(&all(levels, 3, &prefixed(&run(6, 1)))));
        }
    }
    let uuids = PageClaim::plain(6, vec![7; 96]);
    released("fixed", &Bomb::of(FIXED, 6).page(&uuids));
    released("nulls", &Bomb::texts(6).page(&PageClaim { levels: Some(run(6, 0)), ..PageClaim::plain(6, Vec::new()) }));
}

/// A million texts: the first has a mebibyte, and the others repeat all of it.
fn repeated() -> Vec<u8> {
    let head = |first: i64| [natural(128), natural(4), natural(1_000_000), signed(first)].concat();
    let rest = [signed(0), vec![0; 4]].concat().repeat(7812);
    let (none, all) = (0_u32.to_le_bytes(), (1_u32 << 20).to_le_bytes());
    // Steps of 32 bits, beyond the least of them: up once, and then no more; down once, and then no more.
    let shared = [head(0), signed(0), vec![32; 4], all.to_vec(), none.repeat(127), rest.clone()].concat();
    let own = [head(1 << 20), signed(-(1 << 20)), vec![32; 4], none.to_vec(), all.repeat(127), rest].concat();
    [shared, own, vec![b'x'; 1 << 20]].concat()
}

/// The published cases: counts in DELTA encodings, nulls and dictionaries without end, levels of 200, pages that unpack without end.
#[test]
fn published_bombs() {
    let huge = steps(1 << 36, 0, 0);
    let entry = prefixed(&vec![b'x'; 1 << 20]);
    let many = 2_000_000;
    let again = PageClaim::encoded(many, 8, [&[1][..], &run(2_000_000, 0)].concat());
    let nulls = PageClaim { levels: Some(run(MOST.unsigned_abs(), 0)), ..PageClaim::plain(MOST, Vec::new()) };
    let texts = prefixed(b"abcd").repeat(6);
    let level = PageClaim { levels: Some(run(6, 200)), ..PageClaim::plain(6, texts.clone()) };
    let stage = stage();
    let received = received();
    for (what, code, bomb) in [
        ("2^36 lengths", 2, Bomb::texts(5).page(&PageClaim::encoded(5, 6, huge.clone()))),
        ("2^36 shared lengths", 2, Bomb::texts(5).page(&PageClaim::encoded(5, 7, huge.clone()))),
        ("2^36 numbers", 2, Bomb::of(1, 5).page(&PageClaim::encoded(5, 5, huge))),
        ("2^31 - 1 nulls", 3, Bomb::texts(MOST).page(&nulls)),
        ("2^31 - 1 nulls in a group of six", 2, Bomb::texts(6).page(&nulls)),
        ("an entry for all", 3, Bomb::texts(many).dictionary(1, &entry).page(&again)),
        ("a packed entry for all", 3, Bomb { packing: ZSTD, ..Bomb::texts(many) }.dictionary(1, &entry).page(&again)),
        ("levels of 200", 2, Bomb::texts(6).page(&level)),
        ("shared texts", 3, Bomb::texts(1_000_000).page(&PageClaim::encoded(1_000_000, 7, repeated()))),
        (
            "a page that unpacks further than it claims",
            2,
            Bomb { packing: GZIP, ..Bomb::texts(6) }
                .page(&PageClaim { unpacked: Some(48), ..PageClaim::plain(6, vec![0; 1 << 20]) }),
        ),
        (
            "a page of 2 GiB",
            3,
            Bomb { packing: ZSTD, ..Bomb::texts(6) }
                .page(&PageClaim { unpacked: Some(MOST), ..PageClaim::plain(6, texts.clone()) }),
        ),
        ("2^31 - 1 entries", 2, Bomb::texts(6).dictionary(MOST, &texts).page(&again)),
        (
            "values of a gibibyte",
            2,
            Bomb { length: 1 << 30, ..Bomb::of(FIXED, 6) }
                .page(&PageClaim { levels: Some(run(6, 0)), ..PageClaim::plain(6, Vec::new()) }),
        ),
    ] {
        let bytes = bomb.bytes();
        refused(&stage, "data.parquet", what, &bytes, code);
        fails_audit(&received, what, &bytes);
    }
}

/// Every encoding of every type in both versions of a page, with claims by chance.
fn draw(kind: i64) {
    let (stage, received) = (stage(), received());
    let counts = [0, 1, 5, 1 << 16, MOST, -1];
    let lies = [5, 6, 1 << 20, 1 << 36, u64::MAX >> 1];
    for (number, encoding) in (0..draws() * 9).zip(ENCODINGS.into_iter().cycle()) {
        for version in [1, 2] {
            let chance = &mut Chance::of(number * 100 + kind.unsigned_abs() * 10 + u64::from(version));
            let records = *chance.one_of(&[5, 5, 1 << 16, MOST]);
            let packing = *chance.one_of(&[0, 0, 1, GZIP, 4, 5, ZSTD, 7]);
            let length = *chance.one_of(&[16, 16, 0, 1 << 30]);
            let lie = *chance.one_of(&lies);
            let body = match (encoding, chance.below(3)) {
                (5, _) => steps(lie, 0, 0),
                (6, _) => [steps(lie, 1, 0), vec![b'x'; 100]].concat(),
                (7, _) => [steps(*chance.one_of(&lies), 0, 1), steps(lie, 1, 0), vec![b'x'; 100]].concat(),
                (2 | 8, _) => [vec![*chance.one_of(&[0, 1, 32, 255])], run(lie, 0)].concat(),
                (3, 0) => prefixed(&run(lie, 1)),
                (_, 0) => vec![0xFF; 50],
                (_, _) => prefixed(b"abcd").repeat(5),
            };
            let count = records.unsigned_abs();
            let levels = *chance.one_of(&[0, 1, 1, 2, 3, 4]);
            let levels = match levels {
                0 => None,
                1 => Some(run(count, 1)),
                2 => Some(run(count, 0)),
                3 => Some([natural(lie | 1), vec![0xFF; 8]].concat()),
                _ => Some(run(lie & 0xFFFF_FFFF_FFFF, 200)),
            };
            let values = if chance.below(2) == 0 { records } else { *chance.one_of(&counts) };
            let claim = |chance: &mut Chance| (chance.below(3) == 0).then(|| *chance.one_of(&counts));
            let (unpacked, packed) = (claim(chance), claim(chance));
            let page = PageClaim { version, values, encoding, unpacked, packed, levels, body };
            let mut bomb = Bomb { packing, length, ..Bomb::of(kind, records) };
            if matches!(encoding, 2 | 8) || chance.below(4) == 0 {
                let entries = *chance.one_of(&[1, 1, 1 << 16, MOST, -1]);
                bomb = bomb.dictionary(entries, &prefixed(&vec![b'x'; *chance.one_of(&[4, 1 << 20])]));
            }
            let bytes = bomb.page(&page).bytes();
            let what = format!("type {kind}, encoding {encoding}, version {version}, draw {number}");
            survives(&stage, "data.parquet", &what, &bytes);
            fails_audit(&received, &what, &bytes);
        }
    }
}

#[test]
fn truths() {
    draw(0);
}

#[test]
fn whole_numbers() {
    draw(1);
}

#[test]
fn large_numbers() {
    draw(2);
}

#[test]
fn old_moments() {
    draw(3);
}

#[test]
fn broken_numbers() {
    draw(4);
    draw(5);
}

#[test]
fn texts() {
    draw(BYTE_ARRAY);
}

#[test]
fn values_of_one_length() {
    draw(FIXED);
}

/// Columns and row groups whose pages are small each, and large together.
#[test]
fn footers_of_many() {
    let stage = stage();
    for (what, footer) in [
        ("a million row groups", [vec![0x49, 0xFC], natural(1_000_000), vec![0; 1_000_001]].concat()),
        ("ten million elements", [vec![0x29, 0xFC], natural(10_000_000), vec![0; 10_000_001]].concat()),
        ("ten million notes", [vec![0x59, 0xFC], natural(10_000_000), vec![0; 10_000_001]].concat()),
    ] {
        let length = u32::try_from(footer.len()).unwrap().to_le_bytes();
        let bytes = [b"PAR1".as_slice(), &footer, &length, b"PAR1"].concat();
        survives(&stage, "data.parquet", what, &bytes);
    }
}
