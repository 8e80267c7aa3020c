//! HTML and SVG as they leave: nothing that comes from a table can become markup or hide in a page.
//!
//! Templates ([`maud`]) escape every text and attribute that enters. [`written`] is the one way out: control characters and
//! marks that turn the direction of writing become visible there, wherever they came from.

use std::borrow::Cow;

use maud::{Markup, html};

/// Tags that stand within a line of text.
const INLINE: [&str; 13] =
    ["bdi", "circle", "code", "desc", "dfn", "i", "line", "path", "rect", "small", "span", "strong", "svg"];

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

/// A text in which words between backticks are set as code.
pub(crate) fn prose(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split('`').collect();
    html! {
        @if pieces.len().is_multiple_of(2) { (text) } @else {
            @for (place, piece) in pieces.iter().enumerate() {
                @if place.is_multiple_of(2) { (piece) } @else { (name(piece)) }
            }
        }
    }
}

/// A paragraph of [`prose`].
pub(crate) fn paragraph(text: &str) -> Markup {
    html! { p { (prose(text)) } }
}

/// A name from the data: it keeps its own direction of writing, whatever marks it holds. A very long one is cut.
pub(crate) fn name(name: &str) -> Markup {
    html! { bdi { code { (short(name)) } } }
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
#[must_use]
pub fn is_unseen(character: char) -> bool {
    let turns =
        matches!(character, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_attributes_are_escaped() {
        let hostile = r#"<b title='x' & "y">"#;
        let escaped = "&lt;b title=&#39;x&#39; &amp; &quot;y&quot;&gt;";
        let markup = html! { p title=(hostile) { (hostile) } };
        assert_eq!(written(&markup), format!("<p title=\"{escaped}\">{escaped}</p>\n"));
    }

    #[test]
    fn what_is_unseen_shows() {
        let text = |text: &str| written(&html! { (text) });
        assert_eq!(text("a\0b\u{1b}c\u{85}\n"), "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}");
        assert_eq!(text("\u{202e}x\u{2069}é"), "\u{fffd}x\u{fffd}é");
    }

    #[test]
    fn a_very_long_name_is_cut() {
        let cut = written(&name(&"ä".repeat(10_000)));
        assert!(cut.chars().count() < 160 && cut.contains("ä…"), "{cut}");
        assert_eq!(short(&"x".repeat(LONGEST)).len(), LONGEST);
    }

    #[test]
    fn backticks_set_code_where_they_come_in_pairs() {
        assert_eq!(written(&prose("see `a<b`")), "see <bdi><code>a&lt;b</code></bdi>");
        assert_eq!(written(&prose("a ` b")), "a ` b");
    }
}
