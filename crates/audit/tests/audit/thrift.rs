//! A Parquet footer as a tree that can be changed and written again.

/// A value of the compact protocol.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    Flag(bool),
    Byte(u8),
    Integer(u8, i64),
    Double([u8; 8]),
    Text(Vec<u8>),
    List(u8, Vec<Node>),
    Struct(Vec<(i64, Node)>),
}

/// The file in front of its footer, and the footer.
pub fn split(file: &[u8]) -> (Vec<u8>, Node) {
    let tail = file.len() - 8;
    let length = u32::from_le_bytes(file[tail..tail + 4].try_into().unwrap());
    let start = tail - usize::try_from(length).unwrap();
    let mut reader = Reader { bytes: &file[start..tail] };
    let footer = reader.structure();
    assert!(reader.bytes.is_empty());
    (file[..start].to_vec(), footer)
}

/// The struct that some bytes begin with; they are cut off.
pub fn prefix(bytes: &mut Vec<u8>) -> Node {
    let mut reader = Reader { bytes };
    let node = reader.structure();
    let rest = reader.bytes.to_vec();
    *bytes = rest;
    node
}

/// A file with this footer.
pub fn join(body: &[u8], footer: &[u8]) -> Vec<u8> {
    let length = u32::try_from(footer.len()).unwrap().to_le_bytes();
    [body, footer, &length, b"PAR1"].concat()
}

/// A file whose footer was changed.
pub fn changed(file: &[u8], change: impl FnOnce(&mut Node)) -> Vec<u8> {
    let (body, mut footer) = split(file);
    change(&mut footer);
    join(&body, &footer.bytes())
}

impl Node {
    /// The field of a struct.
    #[track_caller]
    pub fn field(&mut self, id: i64) -> &mut Node {
        let Node::Struct(fields) = self else { panic!("no struct") };
        fields.iter_mut().find(|(field, _)| *field == id).map(|(_, node)| node).unwrap()
    }

    /// Sets a field, which may be new.
    pub fn set(&mut self, id: i64, node: Node) {
        let Node::Struct(fields) = self else { panic!("no struct") };
        fields.retain(|(field, _)| *field != id);
        fields.push((id, node));
        fields.sort_by_key(|(field, _)| *field);
    }

    pub fn remove(&mut self, id: i64) {
        let Node::Struct(fields) = self else { panic!("no struct") };
        fields.retain(|(field, _)| *field != id);
    }

    /// The elements of a list.
    #[track_caller]
    pub fn items(&mut self) -> &mut Vec<Node> {
        let Node::List(_, items) = self else { panic!("no list") };
        items
    }

    pub fn text(text: &str) -> Node {
        Node::Text(text.as_bytes().to_vec())
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes, false);
        bytes
    }

    fn kind(&self) -> u8 {
        match self {
            Node::Flag(flag) => 2 - u8::from(*flag),
            Node::Byte(_) => 3,
            Node::Integer(kind, _) => *kind,
            Node::Double(_) => 7,
            Node::Text(_) => 8,
            Node::List(..) => 9,
            Node::Struct(_) => 12,
        }
    }

    fn write(&self, out: &mut Vec<u8>, in_list: bool) {
        match self {
            Node::Flag(flag) if in_list => out.push(2 - u8::from(*flag)),
            Node::Flag(_) => {}
            Node::Byte(byte) => out.push(*byte),
            Node::Integer(_, number) => integer(*number, out),
            Node::Double(bytes) => out.extend(bytes),
            Node::Text(text) => {
                natural(text.len() as u64, out);
                out.extend(text);
            }
            Node::List(kind, items) => {
                list_head(items.len() as u64, *kind, out);
                for item in items {
                    item.write(out, true);
                }
            }
            Node::Struct(fields) => {
                let mut last = 0;
                for (id, node) in fields {
                    if let Ok(step @ 1..=15) = u8::try_from(id - last) {
                        out.push(step << 4 | node.kind());
                    } else {
                        out.push(node.kind());
                        integer(*id, out);
                    }
                    node.write(out, false);
                    last = *id;
                }
                out.push(0);
            }
        }
    }
}

/// The head of a list that claims so many elements.
pub fn list_head(count: u64, kind: u8, out: &mut Vec<u8>) {
    if let Ok(few @ 0..=14) = u8::try_from(count) {
        out.push(few << 4 | kind);
    } else {
        out.push(0xf0 | kind);
        natural(count, out);
    }
}

pub fn natural(mut number: u64, out: &mut Vec<u8>) {
    while number > 0x7f {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

pub fn integer(number: i64, out: &mut Vec<u8>) {
    natural(((number << 1) ^ (number >> 63)).cast_unsigned(), out);
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.bytes.split_first().unwrap();
        self.bytes = rest;
        *first
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        let (taken, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        taken.to_vec()
    }

    fn natural(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    fn integer(&mut self) -> i64 {
        let number = self.natural();
        (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
    }

    fn structure(&mut self) -> Node {
        let (mut fields, mut id) = (Vec::new(), 0);
        loop {
            let byte = self.byte();
            let kind = byte & 0x0f;
            if kind == 0 {
                return Node::Struct(fields);
            }
            id = if byte >> 4 == 0 { self.integer() } else { id + i64::from(byte >> 4) };
            fields.push((id, self.value(kind, false)));
        }
    }

    fn value(&mut self, kind: u8, in_list: bool) -> Node {
        match kind {
            1 | 2 if in_list => Node::Flag(self.byte() == 1),
            1 | 2 => Node::Flag(kind == 1),
            3 => Node::Byte(self.byte()),
            4..=6 => Node::Integer(kind, self.integer()),
            7 => Node::Double(self.take(8).try_into().unwrap()),
            8 => {
                let length = self.natural();
                Node::Text(self.take(usize::try_from(length).unwrap()))
            }
            9 | 10 => {
                let head = self.byte();
                let count = if head >> 4 == 15 { self.natural() } else { u64::from(head >> 4) };
                Node::List(head & 0x0f, (0..count).map(|_| self.value(head & 0x0f, true)).collect())
            }
            12 => self.structure(),
            _ => panic!("kind {kind}"),
        }
    }
}

#[test]
fn a_footer_is_written_as_it_was_read() {
    let file = crate::release::parquet_bytes(&crate::release::rows());
    assert_eq!(changed(&file, |_| ()), file);
}
