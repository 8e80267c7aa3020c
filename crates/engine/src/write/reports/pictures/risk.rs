//! Risk before and after, with the thresholds that others set.
//!
//! The thresholds are marks, not verdicts: each was set for a purpose, and which one applies is for people to judge.

use crate::words::figure;
use crate::write::pen::{Anchor, Pen, Picture, bars};

/// A threshold for the highest risk of a person, and who set it.
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    /// The risk.
    pub risk: f64,
    /// The number as people know it.
    pub number: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Who set it.
    pub source: &'static str,
}

/// Thresholds that are in use, from the strictest on.
pub const THRESHOLDS: &[Threshold] = &[
    Threshold {
        risk: 0.09,
        number: "0.09",
        about: "clinical reports that are published for everybody; classes of 12 and more stay below",
        source: "European Medicines Agency, external guidance on the implementation of Policy 0070; Health Canada, Public \
                 Release of Clinical Information",
    },
    Threshold {
        risk: 1.0 / 11.0,
        number: "1/11",
        about: "tables of public programmes: no cell of 1 to 10 people is shown",
        source: "US Centers for Medicare & Medicaid Services, cell size suppression policy",
    },
    Threshold {
        risk: 0.2,
        number: "0.2",
        about: "data shared under a contract, classes of five; the highest risk that is commonly accepted",
        source: "El Emam, Guide to the De-Identification of Personal Health Information, 2013",
    },
];

/// The risks of a release, perhaps beside those of the original.
#[derive(Debug, Clone)]
pub struct Risks<'a> {
    /// The measures.
    pub risks: Vec<RiskPair<'a>>,
    /// The marks.
    pub thresholds: &'a [Threshold],
}

/// A measure of risk.
#[derive(Debug, Clone)]
pub struct RiskPair<'a> {
    /// What is measured.
    pub name: &'a str,
    /// Before, where the reader may know.
    pub before: Option<f64>,
    /// After; none where it would tell of few people.
    pub after: Option<f64>,
}

/// Marks that are nearer than this on the page share one label; labels that would touch lean away from each other.
const NEAR: f64 = 6.0;
const TOUCH: f64 = 30.0;

impl Risks<'_> {
    /// The picture: bars on one scale, and a line at each threshold.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let has_before = self.risks.iter().any(|one| one.before.is_some());
        let top = if has_before { 34.0 } else { 18.0 };
        let (mut pen, mut y) = (Pen::default(), top);
        let scale = self.scale();
        if has_before {
            bars::legend(&mut pen, 0.0, &[("before", "original"), ("after", "release")]);
        }
        for one in &self.risks {
            let before = one.before.map(|risk| (("before", risk / scale), figure::percent(risk)));
            let after = (("after", one.after.unwrap_or(0.0) / scale), shown(one.after));
            let bars: Vec<_> = before.into_iter().chain([after]).collect();
            bars::row(&mut pen, y, one.name, &bars);
            y += bars::height(bars.len());
        }
        self.marks(&mut pen, scale, (top - 6.0, y));
        Picture::new("Risk of recognition", self.words(), y + 4.0, pen)
    }

    /// Small risks are drawn larger.
    fn scale(&self) -> f64 {
        let most = self.risks.iter().flat_map(|one| [one.before, one.after]).flatten().fold(0.0, f64::max);
        if most <= 0.3 { 0.3 } else { 1.0 }
    }

    fn marks(&self, pen: &mut Pen, scale: f64, (top, bottom): (f64, f64)) {
        let mut last = f64::NEG_INFINITY;
        let places = self.thresholds.iter().filter(|one| one.risk <= scale);
        let places: Vec<(f64, &str)> =
            places.map(|one| (bars::LEFT + bars::LONGEST * one.risk / scale, one.number)).collect();
        let far = places.last().map_or(0.0, |(x, _)| *x);
        for (x, number) in places {
            pen.line("mark", (x, top), (x, bottom));
            if x - last < NEAR {
                continue;
            }
            let anchor = match (x - last < TOUCH, x < far && far - x < TOUCH) {
                (true, _) => Anchor::Start,
                (_, true) => Anchor::End,
                _ => Anchor::Middle,
            };
            pen.text("small quiet", (x, top - 3.0), anchor, number);
            last = x;
        }
    }

    fn words(&self) -> String {
        let of_risk = |one: &RiskPair<'_>| {
            let before = one.before.map(|risk| format!("{} before, ", figure::percent(risk))).unwrap_or_default();
            format!("{}: {before}{} in the release", one.name, shown(one.after))
        };
        let marks = self.thresholds.iter().map(|one| one.number).collect::<Vec<_>>().join(", ");
        let marks = (!marks.is_empty()).then(|| format!("marks at {marks}"));
        self.risks.iter().map(of_risk).chain(marks).collect::<Vec<_>>().join("; ")
    }
}

fn shown(risk: Option<f64>) -> String {
    risk.map_or_else(|| "not shown".to_owned(), figure::percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_risks_are_drawn_larger_and_the_original_only_where_given() {
        let risk = |before, after| RiskPair { name: "highest", before, after: Some(after) };
        let of = |risks| Risks { risks, thresholds: THRESHOLDS };
        let small = of(vec![risk(None, 0.2)]);
        assert!((small.scale() - 0.3).abs() < 1e-9 && !small.picture().svg().contains("before"));
        let both = of(vec![risk(Some(1.0), 0.2)]);
        let drawn = both.picture().svg();
        assert!((both.scale() - 1.0).abs() < 1e-9 && drawn.contains("100% before, 20% in the release"), "{drawn}");
        // Two thresholds that nearly meet share a label.
        assert!(drawn.contains(">0.09</text>") && !drawn.contains(">1/11</text>"));
        assert!(of(vec![RiskPair { name: "x", before: None, after: None }]).picture().svg().contains("not shown"));
    }
}
