//! Curves in panels, with one legend above them.

use equanym_engine::write::pen::{Panel, Pen, Picture, Sheet, Sign};

/// A figure.
pub struct CurveFigure {
    pub title: &'static str,
    /// What the axes are.
    pub x: &'static str,
    pub y: &'static str,
    /// Whether round numbers stand below a panel, in place of those that were measured.
    pub rounded: bool,
    /// The names of the curves, the same in each panel.
    pub series: Vec<String>,
    pub panels: Vec<CurvePanel>,
}

/// A name, and for each series its points.
pub struct CurvePanel {
    pub title: String,
    pub curves: Vec<Vec<(f64, f64)>>,
}

const SHEET: Sheet = Sheet { columns: 3, width: 300.0, height: 130.0, between: 66.0 };

/// The most values that are written below a panel.
const MOST_TICKS: usize = 7;

/// Plots a figure.
pub fn plot(figure: &CurveFigure) -> Picture {
    let sheet = Sheet { columns: SHEET.columns.min(figure.panels.len()).max(1), ..SHEET };
    let signs = figure.series.iter().enumerate().map(|(series, name)| (Sign::Curve(series), name.as_str()));
    let note = format!("{} by {}", figure.y, figure.x);
    sheet.plot((figure.title, &note), signs, figure.panels.len(), |pen| {
        for (place, curves) in figure.panels.iter().enumerate() {
            let (x, y) = curves.extent();
            curves.plot(pen, figure, &sheet.panel(place, x, y));
        }
    })
}

impl CurvePanel {
    /// The least and the most of both axes; the upper one begins at 0.
    fn extent(&self) -> ((f64, f64), (f64, f64)) {
        let points = || self.curves.iter().flatten();
        let low = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
        let high = points().map(|point| point.0).fold(0.0, f64::max);
        let margin = if high > low { (high - low) * 0.03 } else { 0.5 };
        let most = points().map(|point| point.1).fold(f64::MIN_POSITIVE, f64::max);
        ((low - margin, high + margin), (0.0, 1.05 * most))
    }

    fn plot(&self, pen: &mut Pen, figure: &CurveFigure, panel: &Panel) {
        let mut measured: Vec<f64> = self.curves.first().into_iter().flatten().map(|point| point.0).collect();
        measured.dedup();
        let every = measured.len().div_ceil(MOST_TICKS).max(1);
        let x: Vec<(f64, String)> = measured.iter().rev().step_by(every).map(|x| (*x, number(*x))).collect();
        let x = if figure.rounded { panel.x.labelled(number) } else { x };
        panel.grid(pen, &x, &panel.y.labelled(number));
        panel.name(pen, &self.title, figure.x, figure.y);
        for (series, curve) in self.curves.iter().enumerate() {
            panel.curve(pen, series, curve);
        }
    }
}

fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_has_a_curve_for_each_series() {
        let curves = vec![vec![(1.0, 2.0), (2.0, 3.0)], vec![(1.0, 1.0), (2.0, 0.5)]];
        let panels = vec![CurvePanel { title: "data".into(), curves }];
        let series = vec!["one".into(), "other".into()];
        let file = plot(&CurveFigure { title: "title", x: "x", y: "y", rounded: false, series, panels }).file();
        assert_eq!((file.matches("class=\"line s1\"").count(), file.matches("class=\"mark s1\"").count()), (2, 3));
        assert_eq!([0.0, 0.25, 100.0].map(number), ["0", "0.25", "100"]);
    }
}
