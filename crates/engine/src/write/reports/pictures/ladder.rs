//! The ladder of a column: its rungs in words, and where the release stands.
//!
//! The value as collected is at the foot, the single label for all at the head. A second dot shows the rung that preferences
//! alone would have chosen. Of a long ladder the rungs that matter are shown, and how many lie between.

use crate::write::pen::{Anchor, Pen, Picture, cut, wrapped};

/// A column's ladder.
#[derive(Debug, Clone, Default)]
pub struct LadderPicture<'a> {
    /// The column.
    pub name: &'a str,
    /// The rungs, from level 0 on.
    pub rungs: Vec<LadderRung>,
    /// The level that is released.
    pub released: usize,
    /// The level that the preferences alone would choose.
    pub preferred: Option<usize>,
}

/// A rung.
#[derive(Debug, Clone, Default)]
pub struct LadderRung {
    /// How its labels come about; none where the reader does not learn it.
    pub words: Option<String>,
    /// What it makes of a made-up value.
    pub example: Option<String>,
}

/// The most rungs that are shown.
const MOST: usize = 9;

/// Where the rail is, and the words beside it.
const RAIL: f64 = 12.0;
const WORDS: f64 = 30.0;

/// Characters that fit beside the rail.
const COLUMNS: usize = 44;

/// How high a line of text is.
const LINE: f64 = 15.0;

/// A rung on the page, or so many that are left out.
enum LadderPart {
    Rung { level: usize, lines: Vec<String> },
    Between(usize),
}

impl LadderPicture<'_> {
    /// The picture.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let parts = self.parts();
        let heights: Vec<f64> = parts.iter().map(|one| self.height(one)).collect();
        let total: f64 = heights.iter().sum();
        let mut pen = Pen::default();
        // From the head to the foot.
        let mut top = 0.0;
        let mut places = Vec::new();
        for (one, height) in parts.iter().zip(&heights).rev() {
            places.push((one, top, top + 9.0));
            top += height;
        }
        let y_of = |wanted: usize| {
            let is_it = |(one, _, _): &&(&LadderPart, f64, f64)| matches!(one, LadderPart::Rung { level, .. } if *level == wanted);
            places.iter().find(is_it).map(|(_, _, y)| *y)
        };
        let (head, foot) = (places.first().map_or(0.0, |one| one.2), places.last().map_or(0.0, |one| one.2));
        pen.line("rail", (RAIL, head), (RAIL, foot));
        if let Some(here) = y_of(self.released) {
            pen.line("climb", (RAIL, here), (RAIL, foot));
        }
        for (one, top, y) in &places {
            self.rung(&mut pen, one, (*top, *y));
        }
        if let (Some(from), Some(to)) = (self.preferred.and_then(y_of), y_of(self.released)) {
            arrow(&mut pen, from, to);
        }
        Picture::new(format!("The ladder of {}", self.name), self.words(), total, pen)
    }

    fn rung(&self, pen: &mut Pen, one: &LadderPart, (top, y): (f64, f64)) {
        let (level, lines) = match one {
            LadderPart::Between(rungs) => {
                let noun = if *rungs == 1 { "level" } else { "levels" };
                return pen.text("small quiet", (WORDS, y + 4.0), Anchor::Start, &format!("{rungs} {noun} between"));
            }
            LadderPart::Rung { level, lines } => (*level, lines),
        };
        let is_here = level == self.released;
        pen.dot(if is_here { "after" } else { "rung" }, (RAIL, y), if is_here { 6.0 } else { 4.0 });
        if self.preferred == Some(level) {
            pen.dot(if is_here { "ring" } else { "before" }, (RAIL, y), if is_here { 3.0 } else { 5.0 });
        }
        let class = if is_here { "strong after" } else { "quiet" };
        for (place, line) in lines.iter().enumerate() {
            pen.text(class, (WORDS, top + 13.0 + place as f64 * LINE), Anchor::Start, line);
        }
        if let Some(example) = self.example(level) {
            let y = top + 13.0 + lines.len() as f64 * LINE;
            pen.text("code name", (WORDS, y), Anchor::Start, &cut(&example, COLUMNS));
        }
    }

    fn example(&self, level: usize) -> Option<String> {
        self.rungs.get(level).and_then(|rung| rung.example.clone())
    }

    fn height(&self, one: &LadderPart) -> f64 {
        match one {
            LadderPart::Between(_) => LINE + 8.0,
            LadderPart::Rung { level, lines } => {
                let lines = lines.len() + usize::from(self.example(*level).is_some());
                lines as f64 * LINE + 8.0
            }
        }
    }

    fn parts(&self) -> Vec<LadderPart> {
        let last = self.rungs.len().saturating_sub(1);
        let matters = |level: usize| {
            let is_near = |wanted: usize| level.abs_diff(wanted) <= 1;
            self.rungs.len() <= MOST
                || level == 0
                || level == last
                || is_near(self.released)
                || self.preferred.is_some_and(is_near)
        };
        let mut parts: Vec<LadderPart> = Vec::new();
        for level in 0..self.rungs.len() {
            if matters(level) {
                parts.push(LadderPart::Rung { level, lines: wrapped(&self.line(level), COLUMNS, 2) });
            } else if let Some(LadderPart::Between(rungs)) = parts.last_mut() {
                *rungs += 1;
            } else {
                parts.push(LadderPart::Between(1));
            }
        }
        parts
    }

    /// A rung in words, and what it is.
    fn line(&self, level: usize) -> String {
        let words = self.rungs.get(level).and_then(|rung| rung.words.as_deref());
        let words = words.map_or_else(|| format!("level {level}"), |words| format!("{level}  {words}"));
        let (is_here, is_preferred) = (level == self.released, self.preferred == Some(level));
        match (is_preferred, is_here) {
            (true, true) => format!("{words} · preferred and released"),
            (true, false) => format!("{words} · preferred"),
            (false, true) => format!("{words} · released"),
            (false, false) => words,
        }
    }

    fn words(&self) -> String {
        let of_level = |level: usize| {
            let example = self.example(level).map(|example| format!(" ({example})")).unwrap_or_default();
            format!("{}{example}", self.line(level))
        };
        let shown = self.parts();
        let told = shown.iter().map(|one| match one {
            LadderPart::Between(rungs) => format!("{rungs} between"),
            LadderPart::Rung { level, .. } => of_level(*level),
        });
        told.collect::<Vec<_>>().join("; ")
    }
}

/// From what was preferred to what is released, left of the rail.
fn arrow(pen: &mut Pen, from: f64, to: f64) {
    if (from - to).abs() < 1.0 {
        return;
    }
    let side = if to < from { 1.0 } else { -1.0 };
    let end = to + 9.0 * side;
    pen.path("before", &[(RAIL - 8.0, from - 2.0 * side), (RAIL - 8.0, end)]);
    pen.path("before", &[(RAIL - 11.0, end + 4.0 * side), (RAIL - 8.0, end), (RAIL - 5.0, end + 4.0 * side)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder(rungs: usize, released: usize, preferred: Option<usize>) -> String {
        let rung = |level: usize| LadderRung { words: Some(format!("words {level}")), example: Some("<x>".into()) };
        LadderPicture { name: "a", rungs: (0..rungs).map(rung).collect(), released, preferred }.picture().svg()
    }

    #[test]
    fn the_released_rung_and_the_preferred_one_are_marked() {
        let drawn = ladder(4, 2, Some(0));
        assert!(drawn.contains("2  words 2 · released") && drawn.contains("0  words 0 · preferred"), "{drawn}");
        assert!(drawn.contains("&lt;x&gt;") && drawn.contains("<path"));
        assert!(ladder(4, 2, Some(2)).contains("preferred and released") && !ladder(4, 2, Some(2)).contains("<path"));
    }

    #[test]
    fn of_a_long_ladder_the_rungs_that_matter_are_drawn() {
        let drawn = ladder(250, 100, None);
        assert!(drawn.contains("98 levels between") && drawn.contains("147 levels between"), "{drawn}");
        assert!(ladder(0, 0, None).contains("role=\"img\"") && ladder(1, 7, Some(9)).contains("words 0"));
    }
}
