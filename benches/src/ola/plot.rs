//! Small multiples as SVG: one row for each measure, one panel for each data set, one line for each search.
//!
//! Colours are those of Okabe and Ito, which people with colour blindness tell apart, and each search has its own mark.
//! Lines are labelled where they end, in the last panel of a row.

use std::fmt::Write;

use equanym_engine::write::svg::apart;

/// A row of panels with one scale.
pub struct Row {
    /// What is measured.
    pub title: String,
    /// The vertical scale.
    pub scale: Scale,
    /// From left to right.
    pub panels: Vec<Panel>,
}

/// A panel.
pub struct Panel {
    /// The data set.
    pub title: String,
    /// The lines; the first ones are drawn first.
    pub series: Vec<Series>,
}

/// A line.
pub struct Series {
    /// Its label.
    pub name: String,
    /// k and a value.
    pub points: Vec<(u32, f64)>,
}

/// A vertical scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Shares from 0 to this, written in per cent.
    Share(f64),
    /// Powers of ten from 1 to ten to this.
    Log(i32),
}

impl Scale {
    /// The scale on which all shares fit.
    pub fn share(panels: &[Panel]) -> Self {
        let largest = values(panels).fold(0.0, f64::max);
        Self::Share([0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0].into_iter().find(|top| *top >= largest).unwrap_or(1.2))
    }

    /// The scale on which all counts fit.
    pub fn log(panels: &[Panel]) -> Self {
        let largest = values(panels).fold(1.0, f64::max);
        Self::Log((1..20).find(|power| 10_f64.powi(*power) >= largest).unwrap_or(20))
    }

    /// Where a value stands, from 0 at the bottom to 1 at the top.
    fn place(self, value: f64) -> f64 {
        match self {
            Self::Share(top) => value / top,
            Self::Log(top) => value.max(1.0).log10() / f64::from(top),
        }
    }

    /// The values with a line, and how they are written.
    fn ticks(self) -> Vec<(f64, String)> {
        match self {
            Self::Share(top) => [0.0, 0.5, 1.0].map(|part| (part * top, tick(part * top))).to_vec(),
            Self::Log(top) => (0..=top).map(|power| (10_f64.powi(power), power_of_ten(power))).collect(),
        }
    }
}

fn tick(share: f64) -> String {
    format!("{} %", format!("{:.1}", share * 100.0).trim_end_matches(".0"))
}

fn power_of_ten(power: i32) -> String {
    let number = 10_u64.pow(power.unsigned_abs().min(19));
    if number < 1000 { number.to_string() } else { format!("{}k", number / 1000) }
}

fn values(panels: &[Panel]) -> impl Iterator<Item = f64> {
    panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points).map(|(_, value)| *value)
}

const WIDTH: f64 = 168.0;
const HEIGHT: f64 = 92.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 46.0;
const BETWEEN: f64 = 22.0;
const BELOW: f64 = 46.0;
const LABELS: f64 = 72.0;

/// Colours by place: vermilion, green, black, blue.
const COLOURS: [&str; 4] = ["#d55e00", "#009e73", "#222222", "#0072b2"];

/// Draws rows of panels over these values of k.
pub fn svg(rows: &[Row], ks: &[u32]) -> String {
    let columns = rows.first().map_or(0, |row| row.panels.len());
    let width = LEFT + columns as f64 * (WIDTH + BETWEEN) - BETWEEN + LABELS;
    let height = TOP + rows.len() as f64 * (HEIGHT + BELOW) - 8.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"10\" fill=\"#444\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (number, row) in rows.iter().enumerate() {
        let top = TOP + number as f64 * (HEIGHT + BELOW);
        text += &draw_row(row, top, ks, number == 0, number + 1 == rows.len());
    }
    text + "</svg>\n"
}

fn draw_row(row: &Row, top: f64, ks: &[u32], is_first: bool, is_last: bool) -> String {
    let mut text = format!("<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{}</text>\n", top - 9.0, row.title);
    for (number, panel) in row.panels.iter().enumerate() {
        let left = LEFT + number as f64 * (WIDTH + BETWEEN);
        if is_first {
            let middle = left + WIDTH / 2.0;
            let y = top - 28.0;
            let _ = writeln!(
                text,
                "<text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"12\">{}</text>",
                panel.title
            );
        }
        let area = Area { left, top, scale: row.scale, ks };
        text += &area.grid(number == 0, is_last);
        for (place, series) in panel.series.iter().enumerate() {
            text += &area.line(series, place);
        }
        if number + 1 == row.panels.len() {
            text += &area.labels(&panel.series);
        }
    }
    text
}

/// Where a panel stands.
struct Area<'a> {
    left: f64,
    top: f64,
    scale: Scale,
    ks: &'a [u32],
}

impl Area<'_> {
    fn x(&self, k: u32) -> f64 {
        let place = self.ks.iter().position(|one| *one == k).unwrap_or_default();
        self.left + 8.0 + (WIDTH - 16.0) * place as f64 / (self.ks.len().max(2) - 1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        self.top + HEIGHT * (1.0 - self.scale.place(value).clamp(0.0, 1.05))
    }

    /// Lines of the scale; its numbers only at the left and at the bottom.
    fn grid(&self, has_values: bool, has_ks: bool) -> String {
        let mut text = String::new();
        let (right, beside) = (self.left + WIDTH, self.left - 5.0);
        for (value, label) in self.scale.ticks() {
            let y = self.y(value);
            let _ = writeln!(text, "<path d=\"M{} {y:.1}H{right}\" stroke=\"#ddd\"/>", self.left);
            if has_values {
                let _ = writeln!(text, "<text x=\"{beside}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", y + 3.5);
            }
        }
        for k in self.ks.iter().filter(|_| has_ks) {
            let name = if Some(k) == self.ks.first() { format!("k = {k}") } else { k.to_string() };
            let (x, y) = (self.x(*k), self.top + HEIGHT + 14.0);
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{name}</text>");
        }
        text
    }

    fn line(&self, series: &Series, place: usize) -> String {
        let colour = COLOURS[place % COLOURS.len()];
        let points: Vec<(f64, f64)> = series.points.iter().map(|&(k, value)| (self.x(k), self.y(value))).collect();
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let mut text =
            format!("<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>\n", path.join("L"));
        let marks: String = points.iter().map(|(x, y)| mark(place, *x, *y)).collect();
        let fill = fill(place);
        let _ = writeln!(text, "<path d=\"{marks}\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.2\"/>");
        text
    }

    /// Labels at the ends of the lines, pushed apart where they would touch.
    fn labels(&self, series: &[Series]) -> String {
        let end = |(place, one): (usize, &Series)| {
            one.points.last().map(|&(_, value)| (self.y(value), place, one.name.clone()))
        };
        let mut ends: Vec<(f64, usize, String)> = series.iter().enumerate().filter_map(end).collect();
        ends.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let heights = apart(&ends.iter().map(|end| end.0).collect::<Vec<_>>(), 11.0, self.top + HEIGHT);
        let mut text = String::new();
        for ((_, place, name), y) in ends.iter().zip(heights) {
            let (x, colour) = (self.left + WIDTH + 4.0, COLOURS[place % COLOURS.len()]);
            let _ = writeln!(
                text,
                "<text x=\"{x}\" y=\"{:.1}\" fill=\"{colour}\" font-weight=\"bold\">{name}</text>",
                y + 3.5
            );
        }
        text
    }
}

/// Squares, triangles, open diamonds, circles.
fn mark(place: usize, x: f64, y: f64) -> String {
    match place % 4 {
        0 => format!("M{:.1} {:.1}h5v5h-5z", x - 2.5, y - 2.5),
        1 => format!("M{x:.1} {:.1}l3 5.4h-6z", y - 3.4),
        2 => format!("M{x:.1} {:.1}l4 4l-4 4l-4 -4z", y - 4.0),
        _ => format!("M{:.1} {y:.1}a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0", x - 2.4),
    }
}

/// The mark of the best there is stays open, so that whoever finds it shows inside.
fn fill(place: usize) -> &'static str {
    if place % 4 == 2 { "none" } else { COLOURS[place % COLOURS.len()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(values: &[f64]) -> Panel {
        let points = [2, 5].into_iter().zip(values.iter().copied()).collect();
        Panel { title: "data".to_owned(), series: vec![Series { name: "any".to_owned(), points }] }
    }

    #[test]
    fn scales_hold_what_is_drawn() {
        assert_eq!(Scale::share(&[panel(&[0.01, 0.15])]), Scale::Share(0.2));
        assert_eq!(Scale::log(&[panel(&[3.0, 1001.0])]), Scale::Log(4));
        assert_eq!([0, 2, 3, 5].map(power_of_ten), ["1", "100", "1k", "100k"]);
        assert!((Scale::Log(4).place(100.0) - 0.5).abs() < 1e-9);
        assert!((Scale::Share(0.2).place(0.05) - 0.25).abs() < 1e-9);
    }

    #[test]
    fn a_plot_has_a_line_and_a_mark_for_each_point() {
        let panels = vec![panel(&[0.2, 0.4])];
        let drawn = svg(&[Row { title: "loss".to_owned(), scale: Scale::share(&panels), panels }], &[2, 5]);
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        assert_eq!(drawn.matches("h5v5h-5z").count(), 2);
        assert_eq!(drawn.matches("fill=\"none\" stroke=\"#d55e00\"").count(), 1);
        assert!(drawn.contains(">any</text>") && drawn.contains(">40 %</text>"));
    }
}
