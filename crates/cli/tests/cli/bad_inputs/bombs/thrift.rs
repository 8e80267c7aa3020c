//! Thrift's compact protocol, as far as footers and pages of Parquet need it.

/// A value of a field.
pub enum Value {
    Number(i64),
    Flag(bool),
    Text(Vec<u8>),
    Numbers(Vec<i64>),
    Texts(Vec<Vec<u8>>),
    Struct(Fields),
    Structs(Vec<Fields>),
}

/// The fields of a struct by their numbers, which grow.
pub type Fields = Vec<(u8, Value)>;

pub fn natural(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7F {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

pub fn signed(number: i64) -> Vec<u8> {
    natural((number << 1 ^ number >> 63).cast_unsigned())
}

pub fn fields(fields: &Fields) -> Vec<u8> {
    let (mut bytes, mut last) = (Vec::new(), 0);
    for (id, value) in fields {
        let (kind, written) = value.written();
        bytes.push((id - last) << 4 | kind);
        bytes.extend(written);
        last = *id;
    }
    bytes.push(0);
    bytes
}

fn text(text: &[u8]) -> Vec<u8> {
    [natural(text.len() as u64), text.to_vec()].concat()
}

fn list(kind: u8, items: &[Vec<u8>]) -> Vec<u8> {
    [vec![0xF0 | kind], natural(items.len() as u64), items.concat()].concat()
}

impl Value {
    fn written(&self) -> (u8, Vec<u8>) {
        match self {
            Self::Number(number) => (6, signed(*number)),
            Self::Flag(flag) => (2 - u8::from(*flag), Vec::new()),
            Self::Text(bytes) => (8, text(bytes)),
            Self::Numbers(numbers) => (9, list(5, &numbers.iter().map(|number| signed(*number)).collect::<Vec<_>>())),
            Self::Texts(texts) => (9, list(8, &texts.iter().map(|one| text(one)).collect::<Vec<_>>())),
            Self::Struct(one) => (12, fields(one)),
            Self::Structs(all) => (9, list(12, &all.iter().map(fields).collect::<Vec<_>>())),
        }
    }
}
