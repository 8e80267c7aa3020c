//! The comparison as small multiples: a row for each measure, a panel for each data set, a curve for each search.

use equanym_engine::write::pen::{Panel, Picture, Sheet, Sign};

/// A row of panels with one scale.
pub struct MeasureRow {
    /// What is measured.
    pub title: String,
    /// Whether its values are counts, which stand on a scale of powers of ten; else they are shares.
    pub counts: bool,
    /// From left to right.
    pub panels: Vec<SetPanel>,
}

/// What was measured on a data set.
pub struct SetPanel {
    /// The data set.
    pub title: String,
    /// For each search k and a value.
    pub curves: Vec<Vec<(u32, f64)>>,
}

impl MeasureRow {
    /// The upper end of its scale: a round share, or a power of ten.
    fn top(&self) -> f64 {
        let values = self.panels.iter().flat_map(|panel| &panel.curves).flatten().map(|(_, value)| *value);
        let largest = values.fold(0.0, f64::max);
        if self.counts {
            return largest.max(10.0).log10().ceil();
        }
        [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0].into_iter().find(|top| *top >= largest).unwrap_or(1.2)
    }

    /// Where a value stands on the scale.
    fn scaled(&self, value: f64) -> f64 {
        if self.counts { value.max(1.0).log10() } else { value }
    }

    /// The lines of the scale, and how they are written.
    fn ticks(&self, panel: &Panel) -> Vec<(f64, String)> {
        if self.counts { panel.y.labelled(power_of_ten) } else { panel.y.labelled(percent) }
    }
}

fn percent(share: f64) -> String {
    format!("{} %", format!("{:.1}", share * 100.0).trim_end_matches(".0"))
}

fn power_of_ten(power: f64) -> String {
    let number = 10_f64.powf(power);
    if number < 1000.0 { format!("{number:.0}") } else { format!("{:.0}k", number / 1000.0) }
}

/// Rows of panels over these values of k, with the names of the searches.
pub fn plot(rows: &[MeasureRow], names: &[String], ks: &[u32]) -> Picture {
    let columns = rows.first().map_or(1, |row| row.panels.len().max(1));
    let sheet = Sheet { columns, width: 168.0, height: 92.0, between: 62.0 };
    let signs = names.iter().enumerate().map(|(series, name)| (Sign::Curve(series), name.as_str()));
    let words = ("Searches compared", "Information loss and counted nodes by k.");
    sheet.plot(words, signs, columns * rows.len(), |pen| {
        let panels = rows.iter().flat_map(|row| row.panels.iter().map(move |panel| (row, panel)));
        for (place, (row, set)) in panels.enumerate() {
            let panel = sheet.panel(place, (-0.3, ks.len() as f64 - 0.7), (0.0, row.top()));
            let x: Vec<(f64, String)> = (0_u32..).zip(ks).map(|(at, k)| (f64::from(at), k.to_string())).collect();
            panel.grid(pen, &x, &row.ticks(&panel));
            panel.name(pen, &format!("{}, {}", row.title, set.title), "k", "");
            for (series, curve) in set.curves.iter().enumerate() {
                panel.curve(pen, series, &places(row, curve, ks));
            }
        }
    })
}

/// Where the values of a curve stand: each k has a place of its own.
fn places(row: &MeasureRow, curve: &[(u32, f64)], ks: &[u32]) -> Vec<(f64, f64)> {
    let place = |k: u32| ks.iter().position(|one| *one == k).unwrap_or_default() as f64;
    curve.iter().map(|&(k, value)| (place(k), row.scaled(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(counts: bool, values: [f64; 2]) -> MeasureRow {
        let curves = vec![[2, 5].into_iter().zip(values).collect()];
        MeasureRow { title: "loss".to_owned(), counts, panels: vec![SetPanel { title: "data".to_owned(), curves }] }
    }

    #[test]
    fn scales_hold_what_is_plotted() {
        assert!((row(false, [0.01, 0.15]).top() - 0.2).abs() < 1e-9);
        assert!((row(true, [3.0, 1001.0]).top() - 4.0).abs() < 1e-9);
        assert_eq!([0.0, 2.0, 3.0, 5.0].map(power_of_ten), ["1", "100", "1k", "100k"]);
        assert!((row(true, [3.0, 9.0]).scaled(100.0) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_plot_has_a_curve_with_a_mark_for_each_point() {
        let file = plot(&[row(false, [0.2, 0.4])], &["any".to_owned()], &[2, 5]).file();
        // One mark more is in the legend.
        assert_eq!(file.matches("class=\"mark s0\"").count(), 3);
        assert!(file.contains(">any</text>") && file.contains(">40 %</text>"), "{file}");
    }
}
