//! The area of a plot: two scales with their values and names.

use super::{Anchor, Pen, Scale, cut};

/// The most columns of text that the title of a panel takes.
const TITLE: usize = 28;

/// An area with a scale along each side.
#[derive(Debug, Clone, Copy)]
pub struct Panel {
    /// From left to right.
    pub x: Scale,
    /// From bottom to top.
    pub y: Scale,
}

impl Panel {
    /// A panel at a corner of the page, for values from the least to the most in each direction.
    #[must_use]
    pub fn new((left, top): (f64, f64), (width, height): (f64, f64), x: (f64, f64), y: (f64, f64)) -> Self {
        Self { x: Scale::new(x, (left, left + width)), y: Scale::new(y, (top + height, top)) }
    }

    /// Where a pair of values stands.
    #[must_use]
    pub fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.place(x), self.y.place(y))
    }

    /// The middle of the page's piece that it takes.
    #[must_use]
    pub fn middle(&self) -> (f64, f64) {
        (f64::midpoint(self.x.from, self.x.to), f64::midpoint(self.y.from, self.y.to))
    }

    /// Lines at values, with what is written beside them.
    pub fn grid(&self, pen: &mut Pen, x: &[(f64, String)], y: &[(f64, String)]) {
        let (left, right, bottom, top) = (self.x.from, self.x.to, self.y.from, self.y.to);
        for (value, words) in y {
            let y = self.y.place(*value);
            pen.line("grid", (left, y), (right, y));
            pen.text("small quiet", (left - 6.0, y + 4.0), Anchor::End, words);
        }
        for (value, words) in x {
            let x = self.x.place(*value);
            pen.line("grid", (x, top), (x, bottom));
            pen.text("small quiet", (x, bottom + 15.0), Anchor::Middle, words);
        }
    }

    /// The lines of both axes.
    pub fn axes(&self, pen: &mut Pen) {
        let (left, right, bottom, top) = (self.x.from, self.x.to, self.y.from, self.y.to);
        pen.line("axis", (left, top), (left, bottom));
        pen.line("axis", (left, bottom), (right, bottom));
    }

    /// A title, and what is measured below and beside the panel.
    pub fn name(&self, pen: &mut Pen, title: &str, below: &str, beside: &str) {
        let (x, y) = self.middle();
        pen.text("strong", (self.x.from, self.y.to - 12.0), Anchor::Start, &cut(title, TITLE));
        pen.text("quiet", (x, self.y.from + 29.0), Anchor::Middle, below);
        pen.turned("quiet", (self.x.from - 36.0, y), beside);
    }

    /// The whole frame with a few round values.
    pub fn frame(&self, pen: &mut Pen, title: &str, below: &str, beside: &str) {
        self.grid(pen, &self.x.labelled(number), &self.y.labelled(number));
        self.axes(pen);
        self.name(pen, title, below, beside);
    }

    /// A series as a line with a few marks on it.
    pub fn curve(&self, pen: &mut Pen, series: usize, values: &[(f64, f64)]) {
        let places: Vec<(f64, f64)> = values.iter().map(|&pair| self.place(pair)).collect();
        if places.len() > 1 {
            pen.path(&format!("line s{}", series % super::SERIES.len()), &places);
        }
        for place in places.iter().step_by((values.len() / 5).max(1)) {
            pen.mark_of(series, *place, 3.2);
        }
    }
}

/// A number with as many digits as it needs.
#[must_use]
pub fn number(value: f64) -> String {
    let digits = if value.abs() < 1.0 { 3 } else { 2 };
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_stay_in_their_panel() {
        let panel = Panel::new((10.0, 20.0), (100.0, 50.0), (0.0, 2.0), (0.0, 0.0));
        assert_eq!(panel.place((1.0, 5.0)), (60.0, 70.0));
        assert_eq!(panel.place((99.0, f64::NAN)), (110.0, 70.0));
        assert_eq!([0.0, 0.25, 0.000_1, 12.345, 100.0].map(number), ["0", "0.25", "0", "12.35", "100"]);
    }
}
