//! Elements of code: what stands between two commas of a list, a statement, an arm, an item.
//!
//! Found by brackets and separators alone, which is enough for code as rustfmt writes it. Within parentheses nothing is an
//! element: a call or a tuple has as many parts as it has.

/// The text in which each element that names one of these words comes twice: as it is, and as `rename` makes it.
pub fn doubled(text: &str, words: &[&str], rename: impl Fn(&str) -> String) -> String {
    let mut text = text.to_owned();
    let mut from = 0;
    loop {
        let code = without_comments(&text);
        let tests = find(&code, b"\n#[cfg(test)]\nmod tests {").unwrap_or(code.len());
        let ahead = code.get(from..tests).unwrap_or_default();
        let Some(at) = words.iter().filter_map(|word| position(ahead, word)).min() else { return text };
        let element = Element::around(&code, from + at);
        from = element.end;
        if let Some(copy) = element.copy(&text, &code, &rename) {
            text.insert_str(element.end, &copy);
            from += copy.len();
            from += element.lengthen_list(&mut text, &code);
        }
    }
}

/// Where a word begins that is no part of a longer one; signs at its ends end it.
pub fn position(code: &[u8], word: &str) -> Option<usize> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut from = 0;
    while let Some(found) = find(&code[from..], word.as_bytes()) {
        let (start, end) = (from + found, from + found + word.len());
        let begins = !word.as_bytes().first().is_some_and(is_letter) || !code[..start].last().is_some_and(is_letter);
        let ends = !word.as_bytes().last().is_some_and(is_letter) || !code.get(end).is_some_and(is_letter);
        if begins && ends {
            return Some(start);
        }
        from = end;
    }
    None
}

fn find(code: &[u8], wanted: &[u8]) -> Option<usize> {
    code.windows(wanted.len()).position(|window| window == wanted)
}

/// A piece of code, by its bytes.
struct Element {
    start: usize,
    end: usize,
    /// The bracket in which it stands; none where it is an item of the file.
    bracket: Option<usize>,
    /// Whether a comma or a semicolon ends it.
    is_separated: bool,
}

impl Element {
    /// The smallest one around a place.
    fn around(code: &[u8], mut at: usize) -> Self {
        loop {
            let start = start_of(code, at);
            let bracket = bracket_before(code, start);
            if bracket.is_none_or(|bracket| code[bracket] != b'(') {
                let (end, is_separated) = end_of(code, at);
                return Self { start, end, bracket, is_separated };
            }
            at = bracket.unwrap_or_default();
        }
    }

    /// The element once more for another member; none where it ends a block with what it says, or defines the same name again.
    fn copy(&self, text: &str, code: &[u8], rename: impl Fn(&str) -> String) -> Option<String> {
        let mut piece = &text[self.start..self.end];
        while let Some(rest) = piece.trim_start().strip_prefix("//!") {
            piece = rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
        let copy = rename(piece);
        if self.is_separated || piece.trim_end().ends_with('}') {
            let is_same = self.bracket.is_none() && defined(&copy).is_some_and(|name| defined(piece) == Some(name));
            let begun = if self.bracket.is_none() { format!("\n{}", copy.trim_start()) } else { copy };
            return (!is_same).then_some(begun);
        }
        let ends_block = self.bracket.is_some_and(|bracket| code[bracket] == b'{') && piece.starts_with('\n');
        (!ends_block).then(|| format!(", {}", copy.trim()))
    }

    /// A list that says how long it is gets longer by one; returns how many bytes that took.
    fn lengthen_list(&self, text: &mut String, code: &[u8]) -> usize {
        let Some(bracket) = self.bracket.filter(|bracket| code[*bracket] == b'[') else { return 0 };
        let Some(item) = code[..bracket].windows(5).rposition(|window| window == b"const") else { return 0 };
        let Some(start) = text[item..bracket].find("; ").map(|place| item + place + 2) else { return 0 };
        let digits = text[start..bracket].split(']').next().unwrap_or_default().to_owned();
        let Ok(length) = digits.parse::<usize>() else { return 0 };
        let longer = (length + 1).to_string();
        text.replace_range(start..start + digits.len(), &longer);
        longer.len() - digits.len()
    }
}

/// What an item defines.
fn defined(item: &str) -> Option<&str> {
    let mut words = item.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|word| !word.is_empty());
    words.find(|word| ["const", "static", "fn", "struct", "enum", "trait", "type", "mod", "use"].contains(word))?;
    words.next()
}

fn opens(byte: u8) -> bool {
    b"([{".contains(&byte)
}

fn closes(byte: u8) -> bool {
    b")]}".contains(&byte)
}

/// Whether a closing brace is the last of its line, and so of an item, an arm or a statement.
fn ends_line(code: &[u8], at: usize) -> bool {
    code[at] == b'}' && code[at + 1..].iter().find(|byte| **byte != b' ').is_none_or(|byte| *byte == b'\n')
}

fn start_of(code: &[u8], at: usize) -> usize {
    let mut depth = 0;
    for place in (0..at).rev() {
        let byte = code[place];
        let is_end = depth == 0 && (opens(byte) || b",;".contains(&byte) || ends_line(code, place));
        if is_end {
            return place + 1;
        }
        depth += usize::from(closes(byte));
        depth -= usize::from(opens(byte)).min(depth);
    }
    0
}

/// The bracket that is open where an element starts.
fn bracket_before(code: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0;
    (0..start).rev().find(|place| {
        let byte = code[*place];
        let is_open = depth == 0 && opens(byte);
        depth += usize::from(closes(byte));
        depth -= usize::from(opens(byte)).min(depth);
        is_open
    })
}

/// Where an element ends, and whether a separator does it.
fn end_of(code: &[u8], at: usize) -> (usize, bool) {
    let mut depth = 0;
    for place in at..code.len() {
        let byte = code[place];
        match () {
            () if opens(byte) => depth += 1,
            () if closes(byte) && depth == 0 => return (place, false),
            () if closes(byte) => depth -= 1,
            () if depth == 0 && b",;".contains(&byte) => return (place + 1, true),
            () => {}
        }
        if depth == 0 && ends_line(code, place) {
            return (place + 1, false);
        }
    }
    (code.len(), false)
}

/// The code with blanks in place of comments, and no brackets or separators in texts and characters. As long as it was.
fn without_comments(text: &str) -> Vec<u8> {
    let mut code = text.as_bytes().to_vec();
    let mut at = 0;
    while at < code.len() {
        let rest = &text.as_bytes()[at..];
        let length = match rest {
            [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
            [b'"', ..] => text_length(rest),
            [b'\'', b'\\', _, tail @ ..] => 3 + tail.iter().position(|byte| *byte == b'\'').map_or(0, |end| end + 1),
            [b'\'', _, b'\'', ..] => 3,
            _ => 1,
        };
        let is_comment = rest.starts_with(b"//");
        if length > 1 {
            let hide = |byte: &mut u8| match *byte {
                _ if is_comment => *byte = b' ',
                it if opens(it) || closes(it) || b",;".contains(&it) => *byte = b'_',
                _ => {}
            };
            code[at..at + length].iter_mut().for_each(hide);
        }
        at += length;
    }
    code
}

/// How long a text in quotes is.
fn text_length(rest: &[u8]) -> usize {
    let mut place = 1;
    while let Some(byte) = rest.get(place) {
        match byte {
            b'"' => return place + 1,
            b'\\' => place += 2,
            _ => place += 1,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `b` beside `a`.
    fn with_b(text: &str) -> String {
        doubled(text, &["a", "A"], |piece| piece.replace("a::", "b::").replace('A', "B").replace(" a;", " b;"))
    }

    #[test]
    fn what_names_a_member_comes_twice() {
        assert_eq!(with_b("//! a\nmod a;\nmod c;\n"), "//! a\nmod a;\nmod b;\nmod c;\n");
        assert_eq!(with_b("const ALL: [&M; 9] = [&a::M, &c::M];\n"), "const ALL: [&M; 10] = [&a::M,&b::M, &c::M];\n");
        let below = "const ALL: [&M; 2] =\n    [&c::M, &a::M];\n";
        assert_eq!(with_b(below), "const ALL: [&M; 3] =\n    [&c::M, &a::M, &b::M];\n");
        let tuples = "[X::C, (X::A, \"a, (\"), X::D]";
        assert_eq!(with_b(tuples), "[X::C, (X::A, \"a, (\"), (X::B, \"a, (\"), X::D]");
        let arms = "fn f() {\n    match x {\n        A => {\n            1\n        }\n        C => 2,\n    }\n}\n";
        assert_eq!(with_b(arms).matches("=> {\n            1").count(), 2);
    }

    #[test]
    fn what_cannot_come_twice_does_not() {
        for text in ["fn f() -> bool {\n    x == A\n}\n", "const C: X = f(A);\n", "let x = 1; // A\n"] {
            assert_eq!(with_b(text), text);
        }
    }
}
