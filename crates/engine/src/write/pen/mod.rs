//! The pen: everything that is plotted is plotted with it, in reports, maps, balances, benchmarks and the studio.
//!
//! A mark is given as a class of the style sheet and a place on the page. Colours and type come from the sheets alone, light and
//! dark ([`COLOURS`], [`STYLE`], [`PLOT`]): a page holds them once, a picture that stands alone brings its own
//! ([`Picture::file`]). Series differ in mark and dashes as well as in colour, so that people with colour blindness tell them
//! apart, and so does a print in black and white.
//!
//! Names of columns are hostile. Text is escaped as it enters, and what cannot be seen is made visible as it leaves
//! ([`markup::written`]). The same input gives the same bytes.
//!
//! | File | What |
//! |---|---|
//! | `bars` | a label, bars, numbers: rows of bars |
//! | `beside` | a share or a level as a small picture in a line of text |
//! | `legend` | which sign stands for what |
//! | `markup` | HTML and SVG as they leave |
//! | `panel`, `scale` | axes, and where a value stands between them |
//! | `picture` | a finished picture, for a page or a file |
//! | `sheet` | panels in rows and columns under one title |
//! | `text` | text that fits its place |

pub(crate) mod bars;
pub(crate) mod beside;
mod legend;
pub mod markup;
mod panel;
mod picture;
mod scale;
mod sheet;
mod text;

use maud::{Markup, PreEscaped, html};

pub use legend::{Sign, legend};
pub use panel::{Panel, number};
pub use picture::{COLOURS, PLOT, Picture, STYLE, WIDTH};
pub use scale::{Scale, ticks};
pub use sheet::Sheet;
pub(crate) use text::wrapped;
pub use text::{apart, cut};

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

/// A shape at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A circle.
    Dot,
    /// A diamond.
    Diamond,
}

impl Mark {
    /// Its outline, `size` from the middle to the edge.
    fn outline(self, (x, y): (f64, f64), size: f64) -> String {
        let (left, top, wide) = (at(x - size), at(y - size), at(2.0 * size));
        let (x, y, size, high) = (at(x), at(y), at(size), at(1.8 * size));
        match self {
            Self::Square => format!("M{left} {top}h{wide}v{wide}h-{wide}z"),
            Self::Triangle => format!("M{x} {top}l{size} {high}h-{wide}z"),
            Self::Dot => format!("M{left} {y}a{size} {size} 0 1 0 {wide} 0a{size} {size} 0 1 0 -{wide} 0"),
            Self::Diamond => format!("M{x} {top}l{size} {size}l-{size} {size}l-{size} -{size}z"),
        }
    }
}

/// The marks of series, with classes that say whether they are filled; the fourth and the sixth are not.
const SERIES: [(Mark, &str); 6] = [
    (Mark::Square, "mark s0"),
    (Mark::Triangle, "mark s1"),
    (Mark::Dot, "mark s2"),
    (Mark::Dot, "mark open s3"),
    (Mark::Diamond, "mark s4"),
    (Mark::Square, "mark open s5"),
];

/// A picture in the making.
#[derive(Debug, Default)]
pub struct Pen {
    body: String,
}

impl Pen {
    /// A text; its class says how it is set.
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        self.put(&html! { text class=(class) x=(at(x)) y=(at(y)) text-anchor=(anchor.word()) { (words) } });
    }

    /// A text that is read from below, around its place.
    pub fn turned(&mut self, class: &str, (x, y): (f64, f64), words: &str) {
        let (x, y) = (at(x), at(y));
        let turn = format!("rotate(-90 {x} {y})");
        self.put(&html! { text class=(class) x=(x) y=(y) text-anchor="middle" transform=(turn) { (words) } });
    }

    /// A bar from its upper left corner; what is more than nothing shows.
    pub fn bar(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let width = if width > 0.0 { width.max(0.8) } else { 0.0 };
        self.put(&html! { rect class=(class) x=(at(x)) y=(at(y)) width=(at(width)) height=(at(height)) {} });
    }

    /// A square from its upper left corner, in a colour of its own that is the same light and dark.
    pub fn tile(&mut self, (x, y): (f64, f64), side: f64, colour: &str) {
        self.put(&html! { rect class="tile" x=(at(x)) y=(at(y)) width=(at(side)) height=(at(side)) fill=(colour) {} });
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.put(&html! { line class=(class) x1=(at(x1)) y1=(at(y1)) x2=(at(x2)) y2=(at(y2)) {} });
    }

    /// A dot.
    pub fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.put(&html! { circle class=(class) cx=(at(x)) cy=(at(y)) r=(at(radius)) {} });
    }

    /// A line through points.
    pub fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{} {}", at(*x), at(*y))).collect();
        self.outline(class, &format!("M{}", points.join("L")));
    }

    /// A mark, so far from the middle to the edge.
    pub fn mark(&mut self, class: &str, mark: Mark, place: (f64, f64), size: f64) {
        self.outline(class, &mark.outline(place, size));
    }

    /// The mark of a series.
    pub fn mark_of(&mut self, series: usize, place: (f64, f64), size: f64) {
        let (mark, class) = SERIES[series % SERIES.len()];
        self.mark(class, mark, place, size);
    }

    /// Marks under one title, which a reader sees when pointing at them.
    pub fn titled(&mut self, title: &str, inside: impl FnOnce(&mut Self)) {
        let mut pen = Self::default();
        inside(&mut pen);
        self.put(&html! { g { title { (title) } (PreEscaped(pen.body)) } });
    }

    fn outline(&mut self, class: &str, outline: &str) {
        self.put(&html! { path class=(class) d=(outline) {} });
    }

    fn put(&mut self, mark: &Markup) {
        self.body.push_str(&mark.0);
    }
}

/// A place on the page, to a tenth; what is no number is at the edge.
fn at(place: f64) -> String {
    let place = if place.is_finite() { (place * 10.0).round() / 10.0 } else { 0.0 };
    // No negative zero.
    format!("{}", place + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_short_and_always_numbers() {
        assert_eq!([1.0, 0.25, -0.01, f64::NAN, f64::INFINITY].map(at), ["1", "0.3", "0", "0", "0"]);
    }

    #[test]
    fn hostile_text_stays_text() {
        let mut pen = Pen::default();
        pen.text("name", (1.0, 2.0), Anchor::Start, "</text><script>\u{202e}\0");
        pen.titled("<b>", |_| ());
        let svg = markup::written(&PreEscaped(pen.body));
        assert!(svg.contains(">&lt;/text&gt;&lt;script&gt;\u{fffd}\u{fffd}</text>"), "{svg}");
        assert!(svg.contains("<title>&lt;b&gt;</title>"), "{svg}");
    }
}
