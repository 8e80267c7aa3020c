//! What the signs of a plot mean, in one line.

use super::{Anchor, Mark, Pen, SERIES};

/// How something is plotted.
#[derive(Debug, Clone, Copy)]
pub enum Sign {
    /// The mark of a series.
    Series(usize),
    /// A mark of a class.
    Mark(&'static str, Mark),
    /// A line of a class.
    Line(&'static str),
    /// The line of a series with its mark.
    Curve(usize),
    /// A sign within cells.
    Words(&'static str),
}

/// Puts signs with their words from this place on; returns where the line ends.
pub fn legend<'a>(pen: &mut Pen, (mut x, y): (f64, f64), signs: impl IntoIterator<Item = (Sign, &'a str)>) -> f64 {
    for (sign, words) in signs {
        let width = sign.put(pen, (x, y - 4.0));
        pen.text("label", (x + width + 6.0, y), Anchor::Start, words);
        x += width + 26.0 + 6.0 * words.chars().count() as f64;
    }
    x
}

impl Sign {
    /// Puts the sign; returns how wide it is.
    fn put(self, pen: &mut Pen, (x, y): (f64, f64)) -> f64 {
        match self {
            Self::Series(series) => pen.mark_of(series, (x + 5.0, y), 4.0),
            Self::Mark(class, mark) => pen.mark(class, mark, (x + 5.0, y), 5.0),
            Self::Line(class) => {
                pen.line(class, (x, y), (x + 20.0, y));
                return 20.0;
            }
            Self::Curve(series) => {
                pen.path(&format!("line s{}", series % SERIES.len()), &[(x, y), (x + 26.0, y)]);
                pen.mark_of(series, (x + 13.0, y), 3.2);
                return 26.0;
            }
            Self::Words(words) => pen.text("label", (x + 5.0, y + 4.0), Anchor::Middle, words),
        }
        10.0
    }
}
