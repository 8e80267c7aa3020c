//! Writes HTML in which nothing that comes from a table can become markup.
//!
//! Tags and attribute names are words of this program (`&'static str`); everything else enters as text or as the value
//! of an attribute and is escaped on the way in. There is no third door but [`Html::own`], which takes what the program
//! itself has written out, and [`Html::append`], which takes what came in by these doors elsewhere.

use std::borrow::Cow;

use maud::Markup;

/// A tag's attributes.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a str)];

/// Tags that stand within a line of text.
const INLINE: [&str; 13] =
    ["bdi", "circle", "code", "desc", "dfn", "i", "line", "path", "rect", "small", "span", "strong", "svg"];

/// HTML in the making.
#[derive(Debug, Default)]
pub(crate) struct Html(String);

impl Html {
    /// An element and what is inside.
    pub(crate) fn element(&mut self, tag: &'static str, attributes: Attributes<'_>, inside: impl FnOnce(&mut Self)) {
        self.start(tag, attributes);
        inside(self);
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        self.end_of_line(tag);
    }

    /// An element that holds a text.
    pub(crate) fn leaf(&mut self, tag: &'static str, attributes: Attributes<'_>, text: &str) {
        self.element(tag, attributes, |html| html.text(text));
    }

    /// An element that holds nothing and has no end tag.
    pub(crate) fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.end_of_line(tag);
    }

    /// A text.
    pub(crate) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                unseen if is_unseen(unseen) => self.0.push(char::REPLACEMENT_CHARACTER),
                plain => self.0.push(plain),
            }
        }
    }

    /// A text in which words between backticks are set as code.
    pub(crate) fn prose(&mut self, text: &str) {
        let pieces: Vec<&str> = text.split('`').collect();
        if pieces.len().is_multiple_of(2) {
            return self.text(text);
        }
        for (place, piece) in pieces.into_iter().enumerate() {
            if place.is_multiple_of(2) { self.text(piece) } else { self.name(piece) }
        }
    }

    /// A name from the data: it keeps its own direction of writing, whatever marks it holds. A very long one is cut.
    pub(crate) fn name(&mut self, name: &str) {
        self.element("bdi", &[], |html| html.leaf("code", &[], &short(name)));
    }

    /// A paragraph of [`prose`](Self::prose).
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.element("p", &[], |html| html.prose(text));
    }

    /// Markup or style that is the program's own, as it stands.
    pub(crate) fn own(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// Markup of a template.
    pub(crate) fn put(&mut self, markup: &Markup) {
        self.0.push_str(&written(markup));
    }

    /// The document.
    pub(crate) fn finish(self) -> String {
        self.0
    }

    fn start(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    fn end_of_line(&mut self, tag: &str) {
        if !INLINE.contains(&tag) {
            self.0.push('\n');
        }
    }
}

/// Markup as it leaves: what cannot be seen shows, and elements that are no part of a line of text end one.
#[must_use]
pub fn written(markup: &Markup) -> String {
    let mut text = String::with_capacity(markup.0.len() + markup.0.len() / 16);
    // The sign stands at the end of tags alone: elsewhere it is escaped.
    for piece in markup.0.split_inclusive('>') {
        for character in piece.chars() {
            match character {
                '\'' => text.push_str("&#39;"),
                unseen if is_unseen(unseen) => text.push(char::REPLACEMENT_CHARACTER),
                plain => text.push(plain),
            }
        }
        if ends_line(piece) {
            text.push('\n');
        }
    }
    text
}

fn ends_line(piece: &str) -> bool {
    let tag = piece.rsplit_once('<').and_then(|(_, tag)| tag.strip_suffix('>')).unwrap_or_default();
    match tag.strip_prefix('/') {
        Some(name) => !INLINE.contains(&name),
        None => tag.starts_with("meta ") || tag.starts_with('!'),
    }
}

/// The most characters of a name that a page shows; `report.json` has all of it.
const LONGEST: usize = 120;

/// A text that is not too long for a page.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(text.chars().take(LONGEST - 1).chain(['…']).collect()),
    }
}

/// Control characters, most of which HTML cannot write, and marks that turn the direction of writing, with which one name
/// could pass for another. A name that holds one should show it.
pub(crate) fn is_unseen(character: char) -> bool {
    let turns =
        matches!(character, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Html)) -> String {
        let mut html = Html::default();
        write(&mut html);
        html.finish()
    }

    #[test]
    fn text_and_attributes_are_escaped() {
        let hostile = r#"<b title='x' & "y">"#;
        let escaped = "&lt;b title=&#39;x&#39; &amp; &quot;y&quot;&gt;";
        assert_eq!(written(|html| html.text(hostile)), escaped);
        assert_eq!(written(|html| html.leaf("p", &[("title", hostile)], "")), format!("<p title=\"{escaped}\"></p>\n"));
    }

    #[test]
    fn what_is_unseen_shows() {
        assert_eq!(written(|html| html.text("a\0b\u{1b}c\u{85}")), "a\u{fffd}b\u{fffd}c\u{fffd}");
        assert_eq!(written(|html| html.text("\u{202e}x\u{2069}é")), "\u{fffd}x\u{fffd}é");
    }

    #[test]
    fn a_very_long_name_is_cut() {
        let cut = written(|html| html.name(&"ä".repeat(10_000)));
        assert!(cut.chars().count() < 160 && cut.contains("ä…"), "{cut}");
        assert_eq!(short(&"x".repeat(LONGEST)).len(), LONGEST);
    }

    #[test]
    fn backticks_set_code_where_they_come_in_pairs() {
        assert_eq!(written(|html| html.prose("see `a<b`")), "see <bdi><code>a&lt;b</code></bdi>");
        assert_eq!(written(|html| html.prose("a ` b")), "a ` b");
    }
}
