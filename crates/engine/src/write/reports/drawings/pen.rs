//! Draws marks and text, given as classes of the style sheet and places on the page.

use super::super::html::Html;

/// How a text stands to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// Around it.
    Middle,
    /// To the left of it.
    End,
}

impl Anchor {
    fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// A drawing in the making.
#[derive(Debug, Default)]
pub struct Pen {
    body: Html,
}

impl Pen {
    /// A text; its class says how it is set.
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        let (x, y) = (at(x), at(y));
        let place = [("class", class), ("x", x.as_str()), ("y", y.as_str()), ("text-anchor", anchor.word())];
        self.body.leaf("text", &place, words);
    }

    /// A bar from its upper left corner; what is more than nothing shows.
    pub fn bar(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let width = if width > 0.0 { width.max(0.8) } else { 0.0 };
        let (x, y, width, height) = (at(x), at(y), at(width), at(height));
        let place = [("class", class), ("x", &x), ("y", &y), ("width", &width), ("height", &height)];
        self.body.element("rect", &place, |_| ());
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let (x1, y1, x2, y2) = (at(x1), at(y1), at(x2), at(y2));
        let place = [("class", class), ("x1", x1.as_str()), ("y1", &y1), ("x2", &x2), ("y2", &y2)];
        self.body.element("line", &place, |_| ());
    }

    /// A dot.
    pub fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        let (x, y, radius) = (at(x), at(y), at(radius));
        self.body.element("circle", &[("class", class), ("cx", &x), ("cy", &y), ("r", &radius)], |_| ());
    }

    /// A line through points.
    pub fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{} {}", at(*x), at(*y))).collect();
        let path = format!("M{}", points.join("L"));
        self.body.element("path", &[("class", class), ("d", &path)], |_| ());
    }

    pub(super) fn finish(self) -> Html {
        self.body
    }
}

/// A place on the page, to a tenth; what is no number is at the edge.
fn at(place: f64) -> String {
    let place = if place.is_finite() { (place * 10.0).round() / 10.0 } else { 0.0 };
    // No negative zero.
    format!("{}", place + 0.0)
}

/// How wide a character is, in tenths of a column of text. Capitals and a few others are wider than most.
fn width(character: char) -> usize {
    match u32::from(character) {
        0x0300..=0x036f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 20,
        _ if character.is_uppercase() || "mw%@…→".contains(character) => 13,
        _ => 10,
    }
}

/// How wide a text is, in tenths of a column.
fn width_of(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// A text that takes no more than so many columns; what is cut shows.
pub(super) fn cut(text: &str, most: usize) -> String {
    // Beyond a bound nothing fits, and nobody wants to count ten thousand marks that take no room.
    if text.chars().take(4 * most + 1).count() <= 4 * most && width_of(text) <= 10 * most {
        return text.to_owned();
    }
    let mut taken = 10;
    let fits = |character: &char| {
        taken += width(*character);
        taken <= 10 * most
    };
    text.chars().take(4 * most).take_while(fits).chain(['…']).collect()
}

/// A text in lines of no more than so many columns, broken between words; the last of so many lines is cut.
pub(super) fn wrapped(text: &str, most: usize, lines: usize) -> Vec<String> {
    let mut wrapped: Vec<String> = Vec::new();
    for word in cut(text, most * lines.max(1)).split(' ') {
        let is_full = wrapped.len() >= lines;
        match wrapped.last_mut() {
            Some(line) if is_full || width_of(line) + 10 + width_of(word) <= 10 * most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => wrapped.push(word.to_owned()),
        }
    }
    wrapped.iter().map(|line| cut(line, most)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_short_and_always_numbers() {
        assert_eq!([1.0, 0.25, -0.01, f64::NAN, f64::INFINITY].map(at), ["1", "0.3", "0", "0", "0"]);
    }

    #[test]
    fn text_is_cut_by_its_width() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
        assert_eq!(cut("日本語の列", 6), "日本…");
        let marks = format!("a{}", "\u{301}".repeat(10_000));
        assert!(cut(&marks, 6).chars().count() < 30);
    }

    #[test]
    fn lines_break_between_words_and_the_last_is_cut() {
        assert_eq!(wrapped("the first 3 characters", 12, 2), ["the first 3", "characters"]);
        assert_eq!(wrapped("aaaa bbbb cccc dddd eeee", 9, 2), ["aaaa bbbb", "cccc dd…"]);
        assert_eq!(wrapped(&"x".repeat(100), 10, 2), ["xxxxxxxxx…"]);
        assert_eq!(wrapped("", 10, 2), [""]);
    }

    #[test]
    fn hostile_text_stays_text() {
        let mut pen = Pen::default();
        pen.text("name", (1.0, 2.0), Anchor::Start, "</text><script>\u{202e}\0");
        let drawn = pen.finish().finish();
        assert!(drawn.contains(">&lt;/text&gt;&lt;script&gt;\u{fffd}\u{fffd}</text>"), "{drawn}");
    }
}
