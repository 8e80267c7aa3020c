//! The scales of a column: what each rung gives to a user, and what it keeps from an intruder.
//!
//! Protection grows to the left, utility to the right; a tick on each side is at the optimum that preferences seek. Both
//! goods are shares of the most that the column can give.

use crate::words::figure;
use crate::write::pen::{Anchor, Pen, Picture, WIDTH, bars::clamped, cut};

/// A column's rungs on the scales.
#[derive(Debug, Clone, Default)]
pub struct Scales<'a> {
    /// The column.
    pub name: &'a str,
    /// The rungs, from level 0 on.
    pub rungs: Vec<RungGoods>,
    /// The optimum; its words are not shown.
    pub optimum: RungGoods,
    /// The level that the preferences alone would choose.
    pub preferred: usize,
    /// The level that is released.
    pub released: usize,
}

/// What a rung gives.
#[derive(Debug, Clone, Default)]
pub struct RungGoods {
    /// How its labels come about.
    pub words: String,
    /// What a user learns, as a share of the most.
    pub utility: f64,
    /// What an intruder does not, as a share of the most.
    pub protection: f64,
}

/// The middle of the scales, and how far an arm reaches.
const MIDDLE: f64 = WIDTH / 2.0;
const ARM: f64 = 150.0;

/// How high a rung is: its words above its bars.
const RUNG: f64 = 31.0;

/// The most rungs that are shown.
const MOST: usize = 9;

/// Characters of a rung's words.
const COLUMNS: usize = 46;

impl Scales<'_> {
    /// The picture.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let shown = self.shown();
        let (mut pen, height) = (Pen::default(), 16.0 + shown.len() as f64 * RUNG);
        pen.text("small before", (MIDDLE - 6.0, 10.0), Anchor::End, "protection");
        pen.text("small after", (MIDDLE + 6.0, 10.0), Anchor::Start, "utility");
        for (place, (level, rung)) in shown.iter().rev().enumerate() {
            self.rung(&mut pen, *level, rung, 16.0 + place as f64 * RUNG);
        }
        Picture::new(format!("Utility and protection of the rungs of {}", self.name), self.words(), height, pen)
    }

    /// Of a long ladder the rungs that matter.
    fn shown(&self) -> Vec<(usize, &RungGoods)> {
        let last = self.rungs.len().saturating_sub(1);
        let matters = |level: usize| {
            let near = [self.preferred, self.released].iter().any(|one| level.abs_diff(*one) <= 1);
            self.rungs.len() <= MOST || level == 0 || level == last || near
        };
        self.rungs.iter().enumerate().filter(|(level, _)| matters(*level)).collect()
    }

    fn rung(&self, pen: &mut Pen, level: usize, rung: &RungGoods, top: f64) {
        let class = if level == self.released { "small strong after" } else { "small quiet" };
        let words = cut(&format!("{level}  {}", rung.words), COLUMNS - self.tag(level).len());
        pen.text(class, (0.0, top + 12.0), Anchor::Start, &format!("{words}{}", self.tag(level)));
        let (protection, utility) = (ARM * clamped(rung.protection), ARM * clamped(rung.utility));
        pen.bar("before", (MIDDLE - protection, top + 17.0), (protection, 8.0));
        pen.bar("after", (MIDDLE, top + 17.0), (utility, 8.0));
        for (share, side) in [(self.optimum.protection, -1.0), (self.optimum.utility, 1.0)] {
            let x = MIDDLE + side * ARM * clamped(share);
            pen.line("optimum", (x, top + 15.5), (x, top + 27.5));
        }
    }

    fn tag(&self, level: usize) -> &'static str {
        match (level == self.preferred, level == self.released) {
            (true, true) => " · preferred and released",
            (true, false) => " · preferred",
            (false, true) => " · released",
            (false, false) => "",
        }
    }

    fn words(&self) -> String {
        let goods = |one: &RungGoods| {
            format!("{} of utility, {} of protection", figure::percent(one.utility), figure::percent(one.protection))
        };
        let told = self
            .rungs
            .iter()
            .enumerate()
            .map(|(level, one)| format!("level {level}{}: {}", self.tag(level), goods(one)));
        told.chain([format!("the optimum: {}", goods(&self.optimum))]).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_are_told_with_both_goods() {
        let rung = |utility: f64| RungGoods { words: "w<".into(), utility, protection: 1.0 - utility };
        let scales =
            Scales { name: "a", rungs: vec![rung(1.0), rung(f64::NAN)], optimum: rung(0.5), preferred: 0, released: 1 };
        let drawn = scales.picture().svg();
        assert!(
            drawn.contains("level 0 · preferred: 100% of utility, 0% of protection") && drawn.contains("w&lt;"),
            "{drawn}"
        );
        assert!(drawn.contains("the optimum: 50% of utility"));
    }
}
