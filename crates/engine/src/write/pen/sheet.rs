//! Panels in rows and columns, under one title and one legend.

use super::{Anchor, Panel, Pen, Picture, Sign, legend};

/// Panels of one size, so many in a row.
#[derive(Debug, Clone, Copy)]
pub struct Sheet {
    /// How many stand in a row.
    pub columns: usize,
    /// How wide each is.
    pub width: f64,
    /// How high each is.
    pub height: f64,
    /// Between two panels of a row, and to the right of the last one.
    pub between: f64,
}

const LEFT: f64 = 56.0;
const TOP: f64 = 92.0;
const BELOW: f64 = 84.0;
const MARGIN: f64 = 20.0;

impl Sheet {
    /// The plot: title, a line that says how to read it, what its signs mean, and so many panels.
    pub fn plot<'a>(
        &self,
        (title, note): (&str, &str),
        signs: impl IntoIterator<Item = (Sign, &'a str)>,
        panels: usize,
        inside: impl FnOnce(&mut Pen),
    ) -> Picture {
        let mut pen = Pen::default();
        pen.text("head", (MARGIN, 20.0), Anchor::Start, title);
        pen.text("quiet", (MARGIN, 38.0), Anchor::Start, note);
        let end = legend(&mut pen, (MARGIN, 58.0), signs);
        inside(&mut pen);
        let longest = (8.2 * title.chars().count() as f64).max(5.9 * note.chars().count() as f64) + 2.0 * MARGIN;
        let (columns, rows) = (self.columns.min(panels).max(1), panels.div_ceil(self.columns));
        let width = LEFT + columns as f64 * (self.width + self.between);
        let height = if panels == 0 { 64.0 } else { TOP + rows as f64 * (self.height + BELOW) - BELOW + 58.0 };
        Picture::plot(title, note, (width.max(longest).max(end), height), pen)
    }

    /// A panel by its place, for values from the least to the most in each direction.
    #[must_use]
    pub fn panel(&self, place: usize, x: (f64, f64), y: (f64, f64)) -> Panel {
        let (column, row) = ((place % self.columns) as f64, (place / self.columns) as f64);
        let corner = (LEFT + column * (self.width + self.between), TOP + row * (self.height + BELOW));
        Panel::new(corner, (self.width, self.height), x, y)
    }
}
