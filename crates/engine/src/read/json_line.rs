//! One line of NDJSON: a flat object, its values as text.
//!
//! Numbers keep the digits they were written with: a library's number type would round `12345678901234567890.5`. Nested
//! values are refused where they open, so depth is one and no input can exhaust the stack. Source: RFC 8259.

use std::borrow::Cow;

/// Why a line is refused, and at which byte of it (from 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    /// The byte of the line, counted from 1.
    pub(super) byte: usize,
    /// In our words.
    pub(super) why: &'static str,
}

/// Calls `pair` with each key and its text (`None` for null); what it answers refuses the line.
pub(super) fn scan<'a>(
    line: &'a str,
    pair: &mut dyn FnMut(Cow<'a, str>, Option<Cow<'a, str>>) -> Result<(), &'static str>,
) -> Result<(), Fault> {
    let mut scanner = Scanner { line, at: 0 };
    let result = scanner.object(pair);
    result.map_err(|why| Fault { byte: scanner.at + 1, why })
}

const NOT_JSON: &str = "not valid JSON";

struct Scanner<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn object(
        &mut self,
        pair: &mut dyn FnMut(Cow<'a, str>, Option<Cow<'a, str>>) -> Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        self.blanks();
        if self.peek() != Some(b'{') {
            return Err("an object expected");
        }
        self.at += 1;
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return self.end();
        }
        loop {
            self.pair(pair)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return self.end();
                }
                _ => return Err(NOT_JSON),
            }
        }
    }

    fn pair(
        &mut self,
        pair: &mut dyn FnMut(Cow<'a, str>, Option<Cow<'a, str>>) -> Result<(), &'static str>,
    ) -> Result<(), &'static str> {
        self.blanks();
        let start = self.at;
        let key = self.string()?;
        self.blanks();
        if self.peek() != Some(b':') {
            return Err(NOT_JSON);
        }
        self.at += 1;
        self.blanks();
        let value = self.value()?;
        self.blanks();
        let end = self.at;
        self.at = start;
        pair(key, value)?;
        self.at = end;
        Ok(())
    }

    fn value(&mut self) -> Result<Option<Cow<'a, str>>, &'static str> {
        match self.peek() {
            Some(b'"') => self.string().map(Some),
            Some(b'-' | b'0'..=b'9') => self.number().map(Some),
            Some(b't') => self.word("true").map(|word| Some(Cow::Borrowed(word))),
            Some(b'f') => self.word("false").map(|word| Some(Cow::Borrowed(word))),
            Some(b'n') => self.word("null").map(|_| None),
            Some(b'{' | b'[') => Err("a nested value (object or list)"),
            _ => Err(NOT_JSON),
        }
    }

    fn word(&mut self, word: &'static str) -> Result<&'static str, &'static str> {
        if !self.rest().starts_with(word) {
            return Err(NOT_JSON);
        }
        self.at += word.len();
        Ok(word)
    }

    /// The number as written; only `-0` becomes `0`.
    fn number(&mut self) -> Result<Cow<'a, str>, &'static str> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let leading_zero = self.peek() == Some(b'0');
        let digits = self.digits()?;
        if leading_zero && digits > 1 {
            return Err(NOT_JSON);
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        let text = self.line.get(start..self.at).unwrap_or_default();
        Ok(Cow::Borrowed(if text == "-0" { "0" } else { text }))
    }

    fn digits(&mut self) -> Result<usize, &'static str> {
        let count = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += count;
        if count == 0 { Err(NOT_JSON) } else { Ok(count) }
    }

    /// Without escapes the text is borrowed; with them the JSON library decodes it.
    fn string(&mut self) -> Result<Cow<'a, str>, &'static str> {
        if self.peek() != Some(b'"') {
            return Err(NOT_JSON);
        }
        let (start, bytes) = (self.at, self.line.as_bytes());
        let mut escaped = false;
        self.at += 1;
        loop {
            match bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at += 2;
                }
                Some(0..0x20) | None => return Err(NOT_JSON),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        if escaped {
            let quoted = self.line.get(start..self.at).unwrap_or_default();
            return serde_json::from_str(quoted).map(Cow::Owned).map_err(|_| NOT_JSON);
        }
        Ok(Cow::Borrowed(self.line.get(start + 1..self.at - 1).unwrap_or_default()))
    }

    fn end(&mut self) -> Result<(), &'static str> {
        self.blanks();
        if self.rest().is_empty() { Ok(()) } else { Err("more than one value") }
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or_default()
    }
}
