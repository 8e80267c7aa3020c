//! The risk–utility map: risk goes from left to right, loss from bottom to top, so that better is down and to the left.
//!
//! The front is a line through filled marks with their numbers; what is dominated is grey and hollow. Methods differ in their
//! shape. Every mark says what it is when it is pointed at.

use crate::words::figure::count;
use crate::write::pen::{Anchor, Mark, Panel, Pen, Picture, Scale, Sign, cut, legend, number};

/// A map.
pub(crate) struct MapPicture<'a> {
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

/// A point of the map.
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
    /// How its records are found again, and that nothing is guaranteed, where that is so.
    pub linked: Option<String>,
    /// Why there is no safe release, or why a safe one has no place.
    pub why_not: Option<&'a str>,
    pub why_unplotted: Option<&'a str>,
    /// The file with its policy.
    pub policy: String,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 500.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = WIDTH - 24.0;
const SHAPES: [Mark; 4] = [Mark::Dot, Mark::Square, Mark::Triangle, Mark::Diamond];

/// How much room a number takes beside its mark: for each digit, and from top to bottom.
const DIGIT: f64 = 7.0;
const LINE: f64 = 12.0;

/// How much room a mark takes.
const MARK: f64 = 6.0;

/// The most columns of a method's name in the legend.
const NAME: usize = 28;

impl MapPicture<'_> {
    /// The picture.
    pub(crate) fn picture(&self) -> Picture {
        let known = || self.points.iter().filter_map(|point| point.costs);
        let panel = Panel {
            x: Scale::around(known().map(|costs| costs.0), (LEFT, RIGHT)),
            y: Scale::around(known().map(|costs| costs.1), (HEIGHT - 96.0, 34.0)),
        };
        let mut pen = Pen::default();
        self.axes(&mut pen, &panel);
        let line: Vec<(f64, f64)> = self.places(&panel).map(|(_, place)| place).collect();
        if line.len() > 1 {
            pen.path("front", &line);
        }
        let (front, others): (Vec<_>, Vec<_>) = self.points.iter().partition(|point| point.on_front);
        for point in others.into_iter().chain(front) {
            if let Some(costs) = point.costs {
                let (class, size) = if point.on_front { ("on", 6.0) } else { ("off", 4.5) };
                let place = panel.place(costs);
                pen.titled(&self.in_words(point), |pen| pen.mark(class, shape(point.method), place, size));
            }
        }
        self.numbers(&mut pen, &panel);
        self.legend(&mut pen);
        let title = format!("Risk–utility map: {} points, {} on the front", self.points.len(), self.on_front());
        let words = format!("{} from left to right, {} from bottom to top", self.risk, self.loss);
        Picture::plot(title, words, (WIDTH, HEIGHT), pen).of_class("picture plot map")
    }

    /// The first point at each place of the front, with the others there.
    pub(crate) fn front(&self) -> impl Iterator<Item = (&MapPoint<'_>, &[usize])> {
        self.front.iter().filter_map(|alike| Some((self.points.get(*alike.first()?)?, alike.get(1..)?)))
    }

    pub(crate) fn on_front(&self) -> usize {
        self.front.iter().map(|alike| alike.len()).sum()
    }

    /// Where the points of the front stand.
    fn places(&self, panel: &Panel) -> impl Iterator<Item = (usize, (f64, f64))> {
        self.front().filter_map(|(point, _)| Some((point.place, panel.place(point.costs?))))
    }

    fn axes(&self, pen: &mut Pen, panel: &Panel) {
        panel.grid(pen, &panel.x.labelled(number), &panel.y.labelled(number));
        panel.axes(pen);
        let (x, y) = panel.middle();
        pen.text("strong", (x, panel.y.from + 36.0), Anchor::Middle, self.risk);
        pen.turned("strong", (LEFT - 48.0, y), self.loss);
        // The corner that no front reaches.
        let begins = [(panel.x.low > 0.0, "risk"), (panel.y.low > 0.0, "loss")];
        let begins: Vec<&str> = begins.iter().filter(|(is_so, _)| *is_so).map(|(_, name)| *name).collect();
        let begins =
            if begins.is_empty() { String::new() } else { format!(" · {} not shown from 0 on", begins.join(" and ")) };
        pen.text("small quiet", (LEFT + 8.0, panel.y.from - 9.0), Anchor::Start, &format!("↙ better{begins}"));
    }

    /// The numbers of the points on the front, where there is room.
    fn numbers(&self, pen: &mut Pen, panel: &Panel) {
        let marks = self.places(panel).map(|(_, (x, y))| Patch { x, y, wide: MARK, high: MARK });
        let mut taken: Vec<Patch> = marks.collect();
        for (number, (x, y)) in self.places(panel) {
            let number = number.to_string();
            let (wide, high) = (number.len() as f64 * DIGIT / 2.0, LINE / 2.0);
            // Above to the right where that is free, else at another side.
            let (aside, above) = (MARK + 2.0 + wide, MARK + 3.0 + high / 2.0);
            let sides = [(aside, -above), (aside, above), (-aside, above), (-aside, -above), (0.0, -above - high)];
            let patches = sides.map(|(right, down)| Patch { x: x + right, y: y + down, wide, high });
            if let Some(free) = patches.into_iter().find(|patch| taken.iter().all(|other| !patch.meets(other))) {
                pen.text("number", (free.x, free.y + 4.0), Anchor::Middle, &number);
                taken.push(free);
            }
        }
    }

    fn legend(&self, pen: &mut Pen) {
        let has_none =
            |method: usize| self.points.iter().any(|point| point.method == method && point.is_unguaranteed());
        let label = |(method, name): (usize, &&str)| {
            cut(&if has_none(method) { format!("{name}, no guarantee") } else { (*name).to_owned() }, NAME)
        };
        let names: Vec<String> = self.methods.iter().enumerate().map(label).collect();
        let methods = names.iter().enumerate().map(|(method, name)| (Sign::Mark("on", shape(method)), name.as_str()));
        legend(pen, (LEFT, HEIGHT - 24.0), methods.chain([(Sign::Mark("off", Mark::Dot), "dominated")]));
        let missing = self.points.iter().filter(|point| point.costs.is_none()).count();
        if missing > 0 {
            let has_release = self.points.iter().any(|point| point.why_unplotted.is_some());
            let why = if has_release { "no safe release, or no such loss" } else { "no safe release" };
            let words = format!("{missing} of {} not shown: {why}", self.points.len());
            pen.text("small quiet", (RIGHT, HEIGHT - 24.0), Anchor::End, &words);
        }
    }

    /// A point in a sentence.
    fn in_words(&self, point: &MapPoint<'_>) -> String {
        let (risk, loss) = point.costs.map(|(risk, loss)| (measure(risk), measure(loss))).unwrap_or_default();
        let withheld = point.suppressed.map(count).unwrap_or_default();
        let stands = if point.on_front { "on the front" } else { "dominated" };
        let linked = point.linked.as_ref().map_or_else(String::new, |linked| format!(" Found again by {linked}."));
        format!(
            "Point {}, {stands}: {}, {}. Risk {risk}, loss {loss}, {withheld} of {} records withheld.{linked}",
            point.place,
            self.methods.get(point.method).copied().unwrap_or_default(),
            point.parameters,
            count(self.records)
        )
    }
}

impl MapPoint<'_> {
    /// Whether nothing bounds what it gives away.
    fn is_unguaranteed(&self) -> bool {
        self.linked.as_ref().is_some_and(|linked| linked.ends_with("no guarantee"))
    }
}

fn shape(method: usize) -> Mark {
    SHAPES[method % SHAPES.len()]
}

/// A measure with four digits.
fn measure(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.001 { format!("{value:.2e}") } else { format!("{value:.4}") }
}

/// A patch of the page, by its middle and how far it reaches to each side.
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
