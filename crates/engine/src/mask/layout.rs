//! How a stored mask is laid out as JSON: for people who review it, without a line for each of a hundred thousand values.
//!
//! Every member of an object has a line of its own. What a list holds stands on one line, unless it is lists or objects.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::error::{Error, Result};

/// A value in this layout.
pub(super) fn json(value: &impl Serialize) -> Result<String> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, MaskLayout::default());
    value.serialize(&mut serializer).map_err(|_| Error::internal())?;
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(|_| Error::internal())
}

/// The lists and objects that are open.
#[derive(Default)]
struct MaskLayout {
    open: Vec<OpenBracket>,
}

struct OpenBracket {
    is_list: bool,
    /// Whether what it holds stands on lines of its own.
    has_lines: bool,
}

impl MaskLayout {
    fn begin<W: ?Sized + Write>(&mut self, writer: &mut W, is_list: bool) -> io::Result<()> {
        if let Some(around) = self.open.last_mut().filter(|around| around.is_list) {
            around.has_lines = true;
            self.line(writer)?;
        }
        self.open.push(OpenBracket { is_list, has_lines: false });
        writer.write_all(if is_list { b"[" } else { b"{" })
    }

    fn end<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let Some(OpenBracket { is_list, has_lines }) = self.open.pop() else { return Ok(()) };
        if has_lines {
            self.line(writer)?;
        }
        writer.write_all(if is_list { b"]" } else { b"}" })
    }

    fn line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        self.open.iter().try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for MaskLayout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, true)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, false)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if let Some(around) = self.open.last_mut() {
            around.has_lines = true;
        }
        if !first {
            writer.write_all(b",")?;
        }
        self.line(writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_texts_stand_on_one_line() {
        let value = serde_json::json!({
            "a": {}, "b": [], "c": [1, "x"], "d": [["x", "y"], ["z"]], "e": [{"f": [{}], "g": "h"}, null, 1], "i": [[]]
        });
        let expected = [
            "{",
            r#"  "a": {},"#,
            r#"  "b": [],"#,
            r#"  "c": [1,"x"],"#,
            r#"  "d": ["#,
            r#"    ["x","y"],"#,
            r#"    ["z"]"#,
            "  ],",
            r#"  "e": ["#,
            "    {",
            r#"      "f": ["#,
            "        {}",
            "      ],",
            r#"      "g": "h""#,
            "    },null,1",
            "  ],",
            r#"  "i": ["#,
            "    []",
            "  ]",
            "}",
        ];
        let text = json(&value).unwrap();
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        assert!(text.ends_with("}\n"));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
