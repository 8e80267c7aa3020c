//! The risk–utility map as a drawing and as a page for the owner.
//!
//! Risk goes from left to right, loss from bottom to top: better is down and to the left. The front is a line through filled marks
//! with their numbers; what is dominated is grey and hollow. Methods differ in their shape. Every mark says what it is when it is
//! pointed at, and the page has all of it as tables.
//!
//! Colours come from a style sheet within the drawing, for light, dark and paper, so it looks the same wherever it is shown. Names
//! are hostile and escaped on their way in.

use super::figure::{count, percent, share};
use super::html::Html;
use super::page::{self, Frame, section, table};
use crate::write::scale::Scale;
use crate::write::svg::{Anchor, Canvas, Mark, cut, number};

/// A map to draw.
pub(crate) struct Map<'a> {
    pub points: Vec<MapPoint<'a>>,
    /// The methods, in the order of the points.
    pub methods: Vec<&'a str>,
    /// The points on the front, from the least risk on; those that stand at one place together.
    pub front: Vec<&'a [usize]>,
    /// What the risk measures.
    pub risk: &'static str,
    /// What the loss measures.
    pub loss: &'static str,
    pub records: u64,
}

impl Map<'_> {
    /// The first point at each place of the front, with the others there.
    fn front(&self) -> impl Iterator<Item = (&MapPoint<'_>, &[usize])> {
        self.front.iter().filter_map(|alike| Some((self.points.get(*alike.first()?)?, alike.get(1..)?)))
    }

    fn on_front(&self) -> usize {
        self.front.iter().map(|alike| alike.len()).sum()
    }
}

/// A point to draw.
pub(crate) struct MapPoint<'a> {
    pub place: usize,
    /// The place of its method.
    pub method: usize,
    /// Its parameters in words.
    pub parameters: String,
    /// Its risk and loss; none where there is no safe release.
    pub costs: Option<(f64, f64)>,
    pub on_front: bool,
    pub suppressed: Option<u64>,
    pub levels: &'a [(String, u8)],
    pub why_not: Option<&'a str>,
    /// The file with its policy.
    pub policy: String,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 500.0;
const MARKS: [Mark; 4] = [Mark::Dot, Mark::Square, Mark::Triangle, Mark::Diamond];

/// How much room a number takes beside its mark: for each digit, and from top to bottom.
const DIGIT: f64 = 7.0;
const LINE: f64 = 12.0;

/// How much room a mark takes.
const MARK: f64 = 6.0;

/// The look of the drawing, for pages that may hold no style of their own.
pub const STYLE: &str = include_str!("map.css");

/// The drawing.
pub(crate) fn svg(map: &Map<'_>) -> String {
    let known = || map.points.iter().filter_map(|point| point.costs);
    let area = Area {
        risk: Scale::around(known().map(|costs| costs.0), (66.0, WIDTH - 24.0)),
        loss: Scale::around(known().map(|costs| costs.1), (HEIGHT - 96.0, 34.0)),
    };
    let mut canvas = Canvas::default();
    canvas.path(&format!("M0 0h{WIDTH}v{HEIGHT}h-{WIDTH}z"), "class=\"sheet\"");
    axes(&mut canvas, &area, map);
    let place = |point: &MapPoint<'_>| point.costs.map(|costs| area.place(costs));
    let line: Vec<(f64, f64)> = map.front().filter_map(|(point, _)| place(point)).collect();
    canvas.line(&line, "class=\"front\"");
    let (front, others): (Vec<_>, Vec<_>) = map.points.iter().partition(|point| point.on_front);
    for point in others.into_iter().chain(front) {
        if let Some((x, y)) = place(point) {
            canvas.titled(&in_words(point, map), |canvas| mark(canvas, point, x, y));
        }
    }
    numbers(&mut canvas, map, &place);
    legend(&mut canvas, map);
    let title = format!("Risk–utility map: {} points, {} on the front", map.points.len(), map.on_front());
    canvas.finish_styled(WIDTH, HEIGHT, &title, include_str!("map.css"))
}

/// Where points are drawn.
struct Area {
    risk: Scale,
    loss: Scale,
}

impl Area {
    fn place(&self, (risk, loss): (f64, f64)) -> (f64, f64) {
        (self.risk.place(risk), self.loss.place(loss))
    }
}

fn axes(canvas: &mut Canvas, area: &Area, map: &Map<'_>) {
    let Area { risk, loss } = area;
    let (left, right, bottom, top) = (risk.from, risk.to, loss.from, loss.to);
    for value in loss.ticks() {
        let y = loss.place(value);
        canvas.line(&[(left, y), (right, y)], "class=\"grid\"");
        canvas.text(left - 7.0, y + 4.0, Anchor::End, "class=\"tick\"", &number(value));
    }
    for value in risk.ticks() {
        let x = risk.place(value);
        canvas.line(&[(x, top), (x, bottom)], "class=\"grid\"");
        canvas.text(x, bottom + 16.0, Anchor::Middle, "class=\"tick\"", &number(value));
    }
    canvas.line(&[(left, top), (left, bottom), (right, bottom)], "class=\"axis\"");
    canvas.text(f64::midpoint(left, right), bottom + 36.0, Anchor::Middle, "class=\"name\"", map.risk);
    let (x, y) = (18.0, f64::midpoint(top, bottom));
    let turned = format!("class=\"name\" transform=\"rotate(-90 {x:.1} {y:.1})\"");
    canvas.text(x, y, Anchor::Middle, &turned, map.loss);
    // The corner that no front reaches.
    let begins = [(risk.low > 0.0, "risk"), (loss.low > 0.0, "loss")];
    let begins: Vec<&str> = begins.iter().filter(|(is_so, _)| *is_so).map(|(_, name)| *name).collect();
    let begins =
        if begins.is_empty() { String::new() } else { format!(" · {} not drawn from 0 on", begins.join(" and ")) };
    canvas.text(left + 8.0, bottom - 9.0, Anchor::Start, "class=\"note\"", &format!("↙ better{begins}"));
}

fn mark(canvas: &mut Canvas, point: &MapPoint<'_>, x: f64, y: f64) {
    let (size, class) = if point.on_front { (6.0, "class=\"on\"") } else { (4.5, "class=\"off\"") };
    canvas.path(&shape(point.method).path(x, y, size), class);
}

fn shape(method: usize) -> Mark {
    MARKS[method % MARKS.len()]
}

/// The numbers of the points on the front, where there is room.
fn numbers(canvas: &mut Canvas, map: &Map<'_>, place: &impl Fn(&MapPoint<'_>) -> Option<(f64, f64)>) {
    let marks = map.front().filter_map(|(point, _)| place(point));
    let mut taken: Vec<Patch> = marks.map(|(x, y)| Patch { x, y, wide: MARK, high: MARK }).collect();
    for (point, _) in map.front() {
        let Some((x, y)) = place(point) else { continue };
        let number = point.place.to_string();
        let (wide, high) = (number.len() as f64 * DIGIT / 2.0, LINE / 2.0);
        // Above to the right where that is free, else at another side.
        let (aside, above) = (MARK + 2.0 + wide, MARK + 3.0 + high / 2.0);
        let sides = [(aside, -above), (aside, above), (-aside, above), (-aside, -above), (0.0, -above - high)];
        let patches = sides.map(|(right, down)| Patch { x: x + right, y: y + down, wide, high });
        if let Some(free) = patches.into_iter().find(|patch| taken.iter().all(|other| !patch.meets(other))) {
            canvas.text(free.x, free.y + 4.0, Anchor::Middle, "class=\"number\"", &number);
            taken.push(free);
        }
    }
}

/// A patch of the drawing, by its middle and how far it reaches to each side.
struct Patch {
    x: f64,
    y: f64,
    wide: f64,
    high: f64,
}

impl Patch {
    fn meets(&self, other: &Self) -> bool {
        (self.x - other.x).abs() < self.wide + other.wide && (self.y - other.y).abs() < self.high + other.high
    }
}

fn legend(canvas: &mut Canvas, map: &Map<'_>) {
    let (mut x, y) = (66.0, HEIGHT - 24.0);
    for (place, name) in map.methods.iter().enumerate() {
        canvas.path(&shape(place).path(x + 6.0, y - 4.0, 5.0), "class=\"on\"");
        canvas.text(x + 17.0, y, Anchor::Start, "", &cut(name));
        x += 34.0 + 6.6 * cut(name).chars().count() as f64;
    }
    canvas.path(&Mark::Dot.path(x + 6.0, y - 4.0, 4.5), "class=\"off\"");
    canvas.text(x + 17.0, y, Anchor::Start, "", "dominated");
    let missing = map.points.iter().filter(|point| point.costs.is_none()).count();
    if missing > 0 {
        let words = format!("{missing} of {} not drawn: no safe release", map.points.len());
        canvas.text(WIDTH - 24.0, y, Anchor::End, "class=\"note\"", &words);
    }
}

/// A point in a sentence.
fn in_words(point: &MapPoint<'_>, map: &Map<'_>) -> String {
    let (risk, loss) = point.costs.map(|(risk, loss)| (measure(risk), measure(loss))).unwrap_or_default();
    let withheld = point.suppressed.map(count).unwrap_or_default();
    let stands = if point.on_front { "on the front" } else { "dominated" };
    format!(
        "Point {}, {stands}: {}, {}. Risk {risk}, loss {loss}, {withheld} of {} records withheld.",
        point.place,
        map.methods.get(point.method).copied().unwrap_or_default(),
        point.parameters,
        count(map.records)
    )
}

/// A measure with four digits.
fn measure(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.001 { format!("{value:.2e}") } else { format!("{value:.4}") }
}

/// The page.
pub(crate) fn html(map: &Map<'_>) -> String {
    let frame = Frame { title: "Risk–utility map", reader: "For the owner of the data", class: "private" };
    let mut html = Html::default();
    html.own("<!doctype html>\n");
    html.element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| page::head(html, &frame));
        html.element("body", &[("class", frame.class)], |html| {
            html.element("header", &[], |html| {
                html.leaf("p", &[("class", "reader")], frame.reader);
                html.leaf("h1", &[], frame.title);
            });
            html.element("main", &[], |html| body(html, map));
            html.element("footer", &[], |html| {
                html.paragraph(&format!("Written by equanym {}.", env!("CARGO_PKG_VERSION")));
            });
        });
    });
    html.finish()
}

fn body(html: &mut Html, map: &Map<'_>) {
    let unsafe_points = map.points.iter().filter(|point| point.why_not.is_some()).count();
    html.leaf("p", &[("class", "lead")], &lead(map, unsafe_points));
    // A narrow window shows a part of it, and a keyboard reaches the rest.
    let figure =
        [("style", "margin: 0; overflow-x: auto"), ("tabindex", "0"), ("role", "group"), ("aria-label", "The map")];
    html.element("figure", &figure, |html| html.drawing(&svg(map)));
    html.paragraph(
        "Every point is a release: what it would risk and lose is computed from the table, exactly. A point is on the front if \
         no other has less of one without more of the other. The numbers depend on records that a release withholds: keep them.",
    );
    section(html, "The front", |html| {
        let caption = "From the least risk on. `equanym release` with the policy of a point makes its release.";
        let headings = ["point", "release", "risk", "loss", "withheld"];
        table(html, "points", caption, &headings, |html| {
            map.front().for_each(|(point, others)| row(html, point, map, Some(others)));
        });
    });
    let others: Vec<_> = map.points.iter().filter(|point| !point.on_front && point.why_not.is_none()).collect();
    if !others.is_empty() {
        section(html, "Dominated points", |html| {
            let headings = ["point", "release", "risk", "loss", "withheld"];
            let caption = "For each of them another point has less risk or less loss, and no more of the other.";
            table(html, "points", caption, &headings, |html| {
                for point in others {
                    row(html, point, map, None);
                }
            });
        });
    }
    if unsafe_points > 0 {
        section(html, "No safe release", |html| {
            table(html, "points", "", &["point", "release", "why"], |html| {
                map.points.iter().for_each(|point| refusal(html, point, map));
            });
        });
    }
}

fn lead(map: &Map<'_>, unsafe_points: usize) -> String {
    let points = count(map.points.len() as u64);
    let without = match unsafe_points {
        0 => String::new(),
        1 => "; one has no safe release".to_owned(),
        many => format!("; {} have no safe release", count(many as u64)),
    };
    format!(
        "Of {points} releases of {} records, {} are worth a look: no other has less risk without more loss{without}.",
        count(map.records),
        count(map.on_front() as u64)
    )
}

/// A point; on the front with its policy and the others that stand there.
fn row(html: &mut Html, point: &MapPoint<'_>, map: &Map<'_>, others: Option<&[usize]>) {
    html.element("tr", &[], |html| {
        first_cells(html, point, map, others);
        let (risk, loss) = point.costs.map(|(risk, loss)| (percent(risk), percent(loss))).unwrap_or_default();
        html.leaf("td", &[], &risk);
        html.leaf("td", &[], &loss);
        let withheld = point.suppressed.map(|records| percent(share(records, map.records)));
        html.leaf("td", &[], &withheld.unwrap_or_default());
    });
}

/// The levels of a point, and who else stands at its place.
fn beside(point: &MapPoint<'_>, others: &[usize]) -> String {
    let levels = point.levels.iter().map(|(name, level)| format!("{name} {level}")).collect::<Vec<_>>().join(", ");
    let others = others.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let others = if others.is_empty() { others } else { format!(" (the same risk and loss: {others})") };
    format!(" {levels}{others}")
}

fn first_cells(html: &mut Html, point: &MapPoint<'_>, map: &Map<'_>, others: Option<&[usize]>) {
    html.leaf("th", &[("scope", "row")], &point.place.to_string());
    html.element("td", &[], |html| {
        let method = map.methods.get(point.method).copied().unwrap_or_default();
        html.text(&format!("{method}, {}", point.parameters));
        if let Some(others) = others {
            html.element("p", &[("class", "parameters")], |html| {
                html.leaf("code", &[], &point.policy);
                html.leaf("small", &[], &beside(point, others));
            });
        }
    });
}

fn refusal(html: &mut Html, point: &MapPoint<'_>, map: &Map<'_>) {
    if let Some(why_not) = point.why_not {
        html.element("tr", &[], |html| {
            first_cells(html, point, map, None);
            html.leaf("td", &[], why_not);
        });
    }
}
