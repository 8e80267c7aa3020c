//! What the XML of a workbook weighs once the library has read it, without reading it.
//!
//! The library keeps a struct for each sheet, relationship and style, and all shared texts; a tag of seven bytes so becomes
//! hundreds. It makes room for as many shared texts as a list claims. It takes one tag, comment or cell at a time as a whole,
//! and puts the runs of a text together, so that a cell may be as long as its part of the file. This walk goes through the bytes
//! as they are unpacked, keeps none, and adds up what is kept and what is whole.
//!
//! Limit: parts in UTF-16 are not looked through; they weigh more than any memory.

/// What a kept struct weighs.
const STRUCT: u64 = 512;
/// What a shared text weighs beyond its bytes, and a place for one.
const TEXT: u64 = 64;
/// Tags of which the library keeps each.
const KEPT: [&[u8]; 7] = [b"sheet", b"Relationship", b"numFmt", b"font", b"fill", b"border", b"xf"];
/// Elements whose text is put together from runs: shared texts, which are kept, and cells.
const SHARED: &[u8] = b"si";
const CELL: &[u8] = b"c";
/// The list of shared texts says how many there are.
const LIST: &[u8] = b"sst";
const CLAIM: &str = "uniqueCount";
/// So much of a tag is looked at.
const TAG: usize = 4096;

/// A part of a workbook as its bytes come.
#[derive(Default)]
pub(super) struct XmlWeight {
    place: XmlPlace,
    /// The tag so far, without its brackets.
    tag: Vec<u8>,
    /// The last two bytes.
    last: [u8; 2],
    /// The element that is open and taken as a whole.
    open: Option<&'static [u8]>,
    /// Bytes of what is taken as a whole, so far.
    run: u64,
    bytes: u64,
    /// The longest of what is taken as a whole.
    pub(super) longest: u64,
    /// Bytes of memory that are kept.
    pub(super) kept: u64,
}

/// Where a byte is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum XmlPlace {
    #[default]
    Text,
    Tag,
    /// In a tag between quotes of this kind.
    Quoted(u8),
    /// In a comment, CDATA or instruction, which this ends with `>`.
    Special([u8; 2]),
    Instruction,
}

impl XmlWeight {
    /// Goes through the next bytes.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.bytes += 1;
            self.run += 1;
            self.step(*byte);
            self.last = [self.last[1], *byte];
        }
        self.longest = self.longest.max(self.run);
    }

    /// Whether the bytes show UTF-16, which is not looked at here.
    fn shows_utf16(&self, place: XmlPlace, byte: u8) -> bool {
        self.bytes == 2 && if place == XmlPlace::Text { is_wide(self.last[1], byte) } else { byte == 0 }
    }

    fn step(&mut self, byte: u8) {
        match (self.place, byte) {
            (XmlPlace::Text, b'<') => {
                self.end_run();
                self.tag.clear();
                self.place = XmlPlace::Tag;
            }
            (place @ (XmlPlace::Text | XmlPlace::Tag), _) if self.shows_utf16(place, byte) => self.kept = u64::MAX,
            (XmlPlace::Tag, b'>') => self.end_tag(),
            (XmlPlace::Tag, b'"' | b'\'') => {
                self.place = XmlPlace::Quoted(byte);
                self.note(byte);
            }
            (XmlPlace::Tag, _) => {
                self.note(byte);
                self.place = special(&self.tag).unwrap_or(XmlPlace::Tag);
            }
            (XmlPlace::Quoted(quote), _) => {
                self.note(byte);
                if byte == quote {
                    self.place = XmlPlace::Tag;
                }
            }
            (XmlPlace::Special(end), b'>') if self.last == end => self.place = XmlPlace::Text,
            (XmlPlace::Instruction, b'>') if self.last[1] == b'?' => self.place = XmlPlace::Text,
            (XmlPlace::Text | XmlPlace::Special(_) | XmlPlace::Instruction, _) => {}
        }
    }

    fn note(&mut self, byte: u8) {
        if self.tag.len() < TAG {
            self.tag.push(byte);
        }
    }

    /// What is taken as a whole ends, but for a text that is put together.
    fn end_run(&mut self) {
        self.longest = self.longest.max(self.run);
        if self.open.is_none() {
            self.run = 0;
        }
    }

    fn end_tag(&mut self) {
        self.place = XmlPlace::Text;
        let tag = std::mem::take(&mut self.tag);
        let (is_end, name) = name(&tag);
        let is_empty = tag.ends_with(b"/");
        match self.open {
            Some(open) if is_end && name == open => {
                if open == SHARED {
                    self.kept = self.kept.saturating_add(TEXT + self.run);
                }
                self.open = None;
            }
            None if !is_end => self.begin(name, &tag, is_empty),
            _ => {}
        }
        self.end_run();
        self.tag = tag;
    }

    fn begin(&mut self, name: &[u8], tag: &[u8], is_empty: bool) {
        let kept = match name {
            _ if KEPT.contains(&name) => STRUCT + 2 * self.run,
            SHARED if is_empty => TEXT,
            LIST => claim(tag).saturating_mul(TEXT),
            _ => 0,
        };
        self.kept = self.kept.saturating_add(kept);
        if !is_empty {
            self.open = [SHARED, CELL].into_iter().find(|whole| *whole == name);
        }
    }
}

/// Whether these are the first bytes of UTF-16.
fn is_wide(first: u8, second: u8) -> bool {
    matches!((first, second), (0xFE, 0xFF) | (0xFF, 0xFE) | (0, b'<'))
}

/// What begins where a tag begins so, if it is none.
fn special(tag: &[u8]) -> Option<XmlPlace> {
    match tag {
        b"?" => Some(XmlPlace::Instruction),
        b"!--" => Some(XmlPlace::Special(*b"--")),
        b"![CDATA[" => Some(XmlPlace::Special(*b"]]")),
        _ => None,
    }
}

/// Whether a tag ends an element, and its name without the prefix.
fn name(tag: &[u8]) -> (bool, &[u8]) {
    let (is_end, rest) = tag.strip_prefix(b"/").map_or((false, tag), |rest| (true, rest));
    let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'/').unwrap_or(rest.len());
    let name = rest.get(..end).unwrap_or_default();
    let start = name.iter().position(|byte| *byte == b':').map_or(0, |colon| colon + 1);
    (is_end, name.get(start..).unwrap_or_default())
}

/// How many shared texts a list claims; more than any memory where that is not plain digits.
fn claim(tag: &[u8]) -> u64 {
    let tag = String::from_utf8_lossy(tag);
    let claims = tag.split(CLAIM).skip(1).map(|rest| {
        let value = rest.trim_start().strip_prefix('=').map(str::trim_start)?;
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        value.get(1..)?.split(quote).next()?.parse::<u64>().ok()
    });
    claims.map(|claim| claim.unwrap_or(u64::MAX)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighed(xml: &str) -> (u64, u64) {
        let (mut whole, mut parts) = (XmlWeight::default(), XmlWeight::default());
        whole.take(xml.as_bytes());
        xml.as_bytes().chunks(3).for_each(|part| parts.take(part));
        assert_eq!((whole.longest, whole.kept), (parts.longest, parts.kept), "{xml}");
        (whole.longest, whole.kept)
    }

    #[test]
    fn what_is_taken_as_a_whole_is_measured() {
        assert!(weighed("<row><c><v>1</v></c></row>").0 < 20);
        let long = "x".repeat(1000);
        for whole in [
            format!("<c><is><t>{long}</t></is></c>"),
            format!("<c><is>{}</is></c>", "<r><t>xxxxx</t></r>".repeat(60)),
            format!("<si>{}</si>", "<r><t>xxxxx</t></r>".repeat(60)),
            format!("<x:si>{}</x:si>", "<r><t>xxxxx</t></r>".repeat(60)),
            format!("<!--{}-->", "<x>".repeat(400)),
            format!("<![CDATA[{}]]>", "<x>".repeat(400)),
            format!("<?x {}?>", "<x>".repeat(400)),
            format!("<c r=\"{}\">", "<x>".repeat(400)),
            format!("<c r='{}'>", "<\"x>".repeat(400)),
            format!("<!DOCTYPE x \"{}\">", "<x>".repeat(400)),
            "<si>".to_owned() + &"<t/>".repeat(300),
        ] {
            assert!(weighed(&whole).0 >= 1000, "{whole}");
        }
        assert!(weighed(&"<c><v>1</v></c>".repeat(1000)).0 < 20);
        assert!(weighed(&"<c/>".repeat(1000)).0 < 20);
    }

    #[test]
    fn what_is_kept_is_added_up() {
        assert_eq!(weighed("<row><c><v>1</v></c></row>").1, 0);
        assert!(weighed(&"<font/>".repeat(100)).1 >= 100 * STRUCT);
        assert!(weighed(&"<x:xf/>".repeat(100)).1 >= 100 * STRUCT);
        let texts = weighed(&"<si><t>abcdefgh</t></si>".repeat(100)).1;
        assert!((100 * (TEXT + 8)..100 * (TEXT + 30)).contains(&texts), "{texts}");
        assert_eq!(weighed("<sst uniqueCount=\"1000\" count='5'>").1, 1000 * TEXT);
        assert_eq!(weighed("<sst count='5' uniqueCount = '1000'>").1, 1000 * TEXT);
        assert_eq!(weighed("<sst uniqueCount='99999999999999999999'>").1, u64::MAX);
        let mut wide = XmlWeight::default();
        wide.take(&[0xFF, 0xFE, b'<', 0]);
        assert_eq!(wide.kept, u64::MAX);
    }
}
