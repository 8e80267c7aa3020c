//! Plots as SVG: a canvas, a panel with scales, marks that differ in shape as well as in colour.
//!
//! Type and colours are those of the reports, light and dark. Every series also has its own mark and its own dashes, so that
//! people with colour blindness tell them apart, and a print in black and white reads as well. Labels stand beside what they name. Names of
//! variables come from files that anybody may have written: all text is escaped, cut, and rid of what cannot be seen.
//! The same input gives the same bytes.

use std::fmt::Write;

use super::scale::ticks;

/// Those of the reports: what is chosen, what is sought, what is beside both, and ink.
pub(crate) const COLOURS: [&str; 4] = ["#1c5d69", "#a4502b", "#6b6100", "#1c2426"];

/// Dashes that go with the colours; the first is a full line.
pub(crate) const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];

/// Text that is read in front of lines, too.
pub(crate) const HALO: &str = "paint-order=\"stroke\" stroke=\"#fcfbf8\" stroke-width=\"3\" stroke-linejoin=\"round\"";

/// The most characters of a name that are drawn.
const LONGEST: usize = 28;

/// How a text stands to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// To the right of it.
    Start,
    /// Around it.
    Middle,
    /// To the left of it.
    End,
}

/// A shape at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A ring.
    Ring,
    /// A filled square.
    Square,
    /// A diamond with nothing in it.
    Diamond,
    /// A filled triangle.
    Triangle,
    /// A filled circle.
    Dot,
}

/// A drawing in the making.
#[derive(Debug, Default)]
pub(crate) struct Canvas {
    body: String,
}

impl Canvas {
    /// A text of the given size; bold text names what matters.
    pub(crate) fn text(&mut self, x: f64, y: f64, anchor: Anchor, style: &str, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        // A `String` takes everything, here and below.
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{}>{}</text>",
            spaced(style),
            escaped(words)
        );
    }

    /// A line through points.
    pub(crate) fn line(&mut self, points: &[(f64, f64)], style: &str) {
        let Some((first, rest)) = points.split_first() else { return };
        let mut path = format!("M{:.1} {:.1}", first.0, first.1);
        for (x, y) in rest {
            let _ = write!(path, "L{x:.1} {y:.1}");
        }
        self.path(&path, &format!("fill=\"none\" {style}"));
    }

    /// A mark.
    pub(crate) fn mark(&mut self, mark: Mark, x: f64, y: f64, size: f64, colour: &str) {
        let fill = if matches!(mark, Mark::Ring | Mark::Diamond) { "#fcfbf8" } else { colour };
        self.path(&mark.path(x, y, size), &format!("fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\""));
    }

    /// A path as SVG writes it.
    pub(crate) fn path(&mut self, path: &str, style: &str) {
        let _ = writeln!(self.body, "<path d=\"{path}\"{}/>", spaced(style));
    }

    /// Marks under one title, which a reader sees when pointing at them.
    pub(crate) fn titled(&mut self, title: &str, inside: impl FnOnce(&mut Self)) {
        let _ = writeln!(self.body, "<g><title>{}</title>", escaped(title));
        inside(self);
        self.body.push_str("</g>\n");
    }

    /// The finished drawing, whose colours come from a style sheet within it.
    #[must_use]
    pub(crate) fn finish_styled(self, width: f64, height: f64, title: &str, style: &'static str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n<style>{style}</style>\n{}</svg>\n",
            escaped(title),
            self.body
        )
    }

    /// The finished drawing with a title for those who cannot see it.
    #[must_use]
    pub(crate) fn finish(self, width: f64, height: f64, title: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" font-family=\"system-ui, Roboto, 'Liberation Sans', Arial, sans-serif\" font-size=\"11\" fill=\"#1c2426\" role=\"img\">\n\
             <title>{}</title>\n<style>{DARK}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fcfbf8\"/>\n{}</svg>\n",
            escaped(title),
            self.body
        )
    }
}

/// The colours in the dark. They are looked up by what they are in the light, so that programs without style sheets draw the
/// light ones.
const DARK: &str = "@media (prefers-color-scheme: dark) { \
                    [fill='#1c2426'] { fill: #e4e7e5; } [stroke='#1c2426'] { stroke: #e4e7e5; } \
                    [fill='#56626a'] { fill: #a2adb3; } [stroke='#8a9297'] { stroke: #7b868c; } \
                    [stroke='#d8d4ca'] { stroke: #363f44; } \
                    [fill='#fcfbf8'] { fill: #15191b; } [stroke='#fcfbf8'] { stroke: #15191b; } \
                    [fill='#1c5d69'] { fill: #7fc3ce; } [stroke='#1c5d69'] { stroke: #7fc3ce; } \
                    [fill='#a4502b'] { fill: #e2936c; } [stroke='#a4502b'] { stroke: #e2936c; } \
                    [fill='#6b6100'] { fill: #d3c65a; } [stroke='#6b6100'] { stroke: #d3c65a; } }";

impl Mark {
    /// Its outline, `size` from the middle to the edge.
    #[must_use]
    pub(crate) fn path(self, x: f64, y: f64, size: f64) -> String {
        match self {
            Self::Ring | Self::Dot => {
                format!("M{:.1} {y:.1}a{size} {size} 0 1 0 {w} 0a{size} {size} 0 1 0 -{w} 0", x - size, w = 2.0 * size)
            }
            Self::Square => format!("M{:.1} {:.1}h{w}v{w}h-{w}z", x - size, y - size, w = 2.0 * size),
            Self::Diamond => format!("M{x:.1} {:.1}l{size} {size}l-{size} {size}l-{size} -{size}z", y - size),
            Self::Triangle => {
                format!("M{x:.1} {:.1}l{size} {h}h-{w}z", y - size, h = 1.8 * size, w = 2.0 * size)
            }
        }
    }
}

/// The area of a plot and its scales.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panel {
    /// The left edge.
    pub(crate) left: f64,
    /// The upper edge.
    pub(crate) top: f64,
    /// How wide it is.
    pub(crate) width: f64,
    /// How high it is.
    pub(crate) height: f64,
    /// The value at the right edge; that at the left one is 0.
    pub(crate) most_x: f64,
    /// The value at the upper edge; that at the lower one is 0.
    pub(crate) most_y: f64,
}

impl Panel {
    /// Where a pair of values stands.
    #[must_use]
    pub(crate) fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let share = |value: f64, most: f64| if most > 0.0 { (value / most).clamp(-0.02, 1.02) } else { 0.0 };
        (self.left + self.width * share(x, self.most_x), self.top + self.height * (1.0 - share(y, self.most_y)))
    }

    /// The frame with its title, and both axes with a few values; `below` and `beside` say what they measure.
    pub(crate) fn frame(&self, canvas: &mut Canvas, title: &str, below: &str, beside: &str) {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        canvas.text(self.left, self.top - 13.0, Anchor::Start, "font-weight=\"bold\" font-size=\"12\"", &cut(title));
        for value in ticks(self.most_y) {
            let y = self.place(0.0, value).1;
            canvas.line(&[(self.left, y), (right, y)], "stroke=\"#d8d4ca\"");
            canvas.text(self.left - 5.0, y + 3.8, Anchor::End, SMALL, &number(value));
        }
        for value in ticks(self.most_x) {
            let x = self.place(value, 0.0).0;
            canvas.line(&[(x, bottom), (x, bottom + 3.5)], "stroke=\"#8a9297\"");
            canvas.text(x, bottom + 14.0, Anchor::Middle, SMALL, &number(value));
        }
        canvas.line(&[(self.left, self.top), (self.left, bottom), (right, bottom)], "stroke=\"#8a9297\"");
        canvas.text(self.left + self.width / 2.0, bottom + 27.0, Anchor::Middle, "", below);
        let (x, y) = (self.left - 34.0, self.top + self.height / 2.0);
        canvas.text(x, y, Anchor::Middle, &format!("transform=\"rotate(-90 {x:.1} {y:.1})\""), beside);
    }
}

const SMALL: &str = "font-size=\"10\" fill=\"#56626a\"";

/// A number with as many digits as it needs.
#[must_use]
pub(crate) fn number(value: f64) -> String {
    let digits = if value.abs() < 1.0 { 3 } else { 2 };
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
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

/// A name that is not too long.
#[must_use]
pub(crate) fn cut(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}

fn spaced(style: &str) -> String {
    if style.is_empty() { String::new() } else { format!(" {style}") }
}

/// Text in which nothing is markup and nothing hides or turns what follows.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                safe.push(char::REPLACEMENT_CHARACTER);
            }
            hazard if hazard.is_control() => safe.push(char::REPLACEMENT_CHARACTER),
            plain => safe.push(plain),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_touch_and_stay_on_the_page() {
        assert_eq!(apart(&[1.0, 2.0, 30.0], 10.0, 100.0), [1.0, 11.0, 30.0]);
        assert_eq!(apart(&[95.0, 99.0], 10.0, 100.0), [90.0, 100.0]);
    }

    #[test]
    fn a_name_is_text_and_nothing_else() {
        let mut canvas = Canvas::default();
        canvas.text(0.0, 0.0, Anchor::Start, "", "</text><script>\u{202e}\u{1b}&\"");
        let drawn = canvas.finish(1.0, 1.0, "<b>");
        assert!(drawn.contains("&lt;/text&gt;&lt;script&gt;\u{fffd}\u{fffd}&amp;&quot;</text>"));
        assert!(drawn.contains("<title>&lt;b&gt;</title>"));
        assert_eq!(cut(&"x".repeat(100)).chars().count(), LONGEST);
    }

    #[test]
    fn places_stay_in_their_panel() {
        let panel = Panel { left: 10.0, top: 20.0, width: 100.0, height: 50.0, most_x: 2.0, most_y: 0.0 };
        assert_eq!(panel.place(1.0, 5.0), (60.0, 70.0));
        assert!((panel.place(99.0, 0.0).0 - 112.0).abs() < 1e-9);
    }
}
