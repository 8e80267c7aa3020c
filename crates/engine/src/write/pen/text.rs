//! Text that fits its place: widths are estimated, since no font is at hand.

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
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
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
pub(crate) fn wrapped(text: &str, most: usize, lines: usize) -> Vec<String> {
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

/// Moves sorted heights so that neighbours are `gap` apart, none of them below `lowest` on the page.
#[must_use]
pub fn apart(heights: &[f64], gap: f64, lowest: f64) -> Vec<f64> {
    let mut moved: Vec<f64> = Vec::new();
    for &height in heights {
        moved.push(moved.last().map_or(height, |above| height.max(above + gap)));
    }
    let mut limit = lowest;
    for height in moved.iter_mut().rev() {
        *height = height.min(limit);
        limit = *height - gap;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_its_width() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
        assert_eq!(cut("日本語の列", 6), "日本…");
        let marks = format!("a{}", "\u{301}".repeat(10_000));
        assert!(cut(&marks, 6).chars().count() < 30);
    }

    #[test]
    fn labels_do_not_touch_and_stay_on_the_page() {
        assert_eq!(apart(&[1.0, 2.0, 30.0], 10.0, 100.0), [1.0, 11.0, 30.0]);
        assert_eq!(apart(&[95.0, 99.0], 10.0, 100.0), [90.0, 100.0]);
    }

    #[test]
    fn lines_break_between_words_and_the_last_is_cut() {
        assert_eq!(wrapped("the first 3 characters", 12, 2), ["the first 3", "characters"]);
        assert_eq!(wrapped("aaaa bbbb cccc dddd eeee", 9, 2), ["aaaa bbbb", "cccc dd…"]);
        assert_eq!(wrapped(&"x".repeat(100), 10, 2), ["xxxxxxxxx…"]);
        assert_eq!(wrapped("", 10, 2), [""]);
    }
}
