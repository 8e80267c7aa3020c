//! Text that comes from a table: it is shown as text, whatever it holds.
//!
//! The template escapes markup. Here control characters and marks that turn the direction of writing become visible, and long
//! text is cut: a name of ten thousand characters is no page.

use equanym_engine::write::pen::cut;
use equanym_engine::write::pen::markup::is_unseen;
use maud::{Markup, html};

/// The most columns of text that a name or a value takes.
const MOST: usize = 60;

/// A text, cut and with nothing hidden in it.
pub(crate) fn shown(text: &str) -> String {
    cut(text, MOST)
        .chars()
        .map(|it| if is_unseen(it) || has_no_width(it) { char::REPLACEMENT_CHARACTER } else { it })
        .collect()
}

/// What ends a line or takes no room: in a list of names, too, one could pass for another.
fn has_no_width(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200d}' | '\u{2028}'..='\u{2029}' | '\u{2060}'..='\u{2065}' | '\u{feff}')
}

/// A name or a value, in its own direction of writing.
pub(crate) fn name(text: &str) -> Markup {
    html! { bdi { (shown(text)) } }
}

/// A value; one that is missing is told to be.
pub(crate) fn value(text: &str) -> Markup {
    html! { @if text.is_empty() { span class="missing" { "missing" } } @else { bdi { (shown(text)) } } }
}

/// A sentence, each of its words cut and with nothing hidden in it.
fn words(text: &str) -> String {
    text.split(' ').map(shown).collect::<Vec<_>>().join(" ")
}

/// A message as a sentence: it begins with a capital, unless it begins with a name such as k-anonymity.
pub(crate) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let begins = characters.next().filter(char::is_ascii_lowercase);
    match (begins, characters.as_str()) {
        (Some(first), rest) if !rest.starts_with('-') => format!("{}{rest}", first.to_ascii_uppercase()),
        _ => text.to_owned(),
    }
}

/// A sentence in which words between backticks are set as code.
pub(crate) fn prose(text: &str) -> Markup {
    let pieces: Vec<&str> = text.split('`').collect();
    html! {
        @if pieces.len().is_multiple_of(2) { (words(text)) } @else {
            @for (place, piece) in pieces.iter().enumerate() {
                @if place.is_multiple_of(2) { (words(piece)) } @else { code { (shown(piece)) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_hidden_and_nothing_is_markup() {
        assert_eq!(shown("a\0b\u{202e}c\n\u{200b}"), "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}");
        assert_eq!(shown(&"x".repeat(10_000)).chars().count(), MOST);
        assert_eq!(sentence("the table is gone"), "The table is gone");
        assert_eq![["k-anonymity", "`a` is", ""].map(sentence), ["k-anonymity", "`a` is", ""]];
        let hostile = "<script>alert(\"1\")</script>";
        assert_eq!(name(hostile).into_string(), "<bdi>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</bdi>");
        assert_eq!(prose("see `a<b`").into_string(), "see <code>a&lt;b</code>");
        let long = prose(&format!("column \"{}\" holds", "x".repeat(10_000))).into_string();
        assert!(long.ends_with("… holds") && long.len() < 200, "{long}");
    }
}
