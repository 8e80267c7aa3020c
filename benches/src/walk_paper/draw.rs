//! Line plots as SVG: panels side by side, one line for each series.
//!
//! Colours are those of Okabe and Ito, which people with colour blindness tell apart. The legend stands above the panels.

use std::fmt::Write;

/// A figure.
pub struct Figure {
    pub title: &'static str,
    /// What the axes are.
    pub x: &'static str,
    pub y: &'static str,
    /// The names of the lines, the same in each panel.
    pub series: Vec<String>,
    pub panels: Vec<Panel>,
}

/// A panel: a name, and for each series its points.
pub struct Panel {
    pub title: String,
    pub lines: Vec<Vec<(f64, f64)>>,
}

const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#222222", "#e69f00"];
const WIDTH: f64 = 210.0;
const HEIGHT: f64 = 130.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 66.0;
const BETWEEN: f64 = 58.0;
const BELOW: f64 = 74.0;
const COLUMNS: usize = 4;

/// Draws a figure.
pub fn svg(figure: &Figure) -> String {
    let columns = figure.panels.len().clamp(1, COLUMNS);
    let rows = figure.panels.len().div_ceil(COLUMNS);
    let legend: f64 = figure.series.iter().map(|name| legend_width(name)).sum();
    let width = (LEFT + columns as f64 * (WIDTH + BETWEEN) - BETWEEN + 24.0).max(LEFT + legend);
    let height = TOP + rows as f64 * (HEIGHT + BELOW) - 20.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"10\" fill=\"#444\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"18\" font-size=\"13\" font-weight=\"bold\">{}</text>\n",
        figure.title
    );
    let mut x = LEFT;
    for (place, name) in figure.series.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let _ = writeln!(text, "<path d=\"M{x} 32h16\" stroke=\"{colour}\" stroke-width=\"2\"{}/>", dash(place));
        let _ = writeln!(text, "<text x=\"{}\" y=\"35.5\" fill=\"{colour}\">{name}</text>", x + 20.0);
        x += legend_width(name);
    }
    for (place, panel) in figure.panels.iter().enumerate() {
        let left = LEFT + (place % COLUMNS) as f64 * (WIDTH + BETWEEN);
        let top = TOP + (place / COLUMNS) as f64 * (HEIGHT + BELOW);
        text += &draw(figure, panel, left, top);
    }
    text + "</svg>\n"
}

/// How much room the name of a line takes above the panels, with its sample.
fn legend_width(name: &str) -> f64 {
    34.0 + 5.4 * name.chars().count() as f64
}

fn draw(figure: &Figure, panel: &Panel, left: f64, top: f64) -> String {
    let points = || panel.lines.iter().flatten();
    let low_x = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let high_x = points().map(|point| point.0).fold(0.0, f64::max);
    let width = if high_x > low_x { high_x - low_x } else { 1.0 };
    let ticks = ticks(points().map(|point| point.1).fold(0.0, f64::max));
    let high_y = ticks.last().copied().unwrap_or(1.0);
    let (at_x, at_y) =
        (|x: f64| left + 6.0 + (WIDTH - 12.0) * (x - low_x) / width, |y: f64| top + HEIGHT * (1.0 - y / high_y));
    let mut text = format!("<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">{}</text>\n", top - 8.0, panel.title);
    for tick in &ticks {
        let (y, beside, right) = (at_y(*tick), left - 5.0, left + WIDTH);
        let _ = writeln!(text, "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>");
        let _ =
            writeln!(text, "<text x=\"{beside}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", y + 3.5, number(*tick));
    }
    let mut xs: Vec<f64> = panel.lines.first().map_or_else(Vec::new, |line| line.iter().map(|point| point.0).collect());
    xs.dedup();
    let every = xs.len().div_ceil(7).max(1);
    for x in xs.iter().rev().step_by(every) {
        let place = at_x(*x);
        let below = top + HEIGHT + 14.0;
        let _ = writeln!(text, "<text x=\"{place:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{}</text>", number(*x));
    }
    let (middle, below) = (left + WIDTH / 2.0, top + HEIGHT + 28.0);
    let _ =
        writeln!(text, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\" fill=\"#777\">{}</text>", figure.x);
    let (beside, centre) = (left - 44.0, top + HEIGHT / 2.0);
    let _ = writeln!(
        text,
        "<text transform=\"translate({beside} {centre}) rotate(-90)\" text-anchor=\"middle\" fill=\"#777\">{}</text>",
        figure.y
    );
    for (place, line) in panel.lines.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let path: Vec<String> = line.iter().map(|(x, y)| format!("{:.1} {:.1}", at_x(*x), at_y(*y))).collect();
        if !path.is_empty() {
            let path = path.join("L");
            let dash = dash(place);
            let _ =
                writeln!(text, "<path d=\"M{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dash}/>");
        }
        for (x, y) in line {
            let _ =
                writeln!(text, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.2\" fill=\"{colour}\"/>", at_x(*x), at_y(*y));
        }
    }
    text
}

/// Every second line is dashed: it is compared with the one before.
fn dash(place: usize) -> &'static str {
    if place % 2 == 1 { " stroke-dasharray=\"5 3\"" } else { "" }
}

/// Round numbers from 0 to beyond the largest value.
fn ticks(largest: f64) -> Vec<f64> {
    let largest = if largest > 0.0 { largest } else { 1.0 };
    let power = 10_f64.powf((largest / 4.0).log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|part| part * power).find(|step| step * 5.0 >= largest);
    let step = step.unwrap_or(power * 10.0);
    (0..=5).map(|number| f64::from(number) * step).take_while(|tick| *tick < largest + step).collect()
}

fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_reach_beyond_the_largest_value() {
        for largest in [0.013, 0.4, 1.0, 7.3, 912.0] {
            let ticks = ticks(largest);
            assert!((3..=6).contains(&ticks.len()) && ticks[ticks.len() - 1] >= largest, "{largest}: {ticks:?}");
        }
        assert_eq!([0.0, 0.25, 100.0].map(number), ["0", "0.25", "100"]);
    }

    #[test]
    fn a_figure_has_a_line_and_marks_for_each_series() {
        let lines = vec![vec![(1.0, 2.0), (2.0, 3.0)], vec![(1.0, 1.0), (2.0, 0.5)]];
        let panels = vec![Panel { title: "data".into(), lines }];
        let series = vec!["one".into(), "other".into()];
        let drawn = svg(&Figure { title: "title", x: "x", y: "y", series, panels });
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        assert_eq!((drawn.matches("<circle").count(), drawn.matches("fill=\"none\"").count()), (4, 2));
    }
}
