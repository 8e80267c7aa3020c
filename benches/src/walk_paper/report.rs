//! The page: what was claimed, what came out; and the same numbers as CSV and as figures.

use std::cmp::Ordering;
use std::fmt::Write;

use super::clustering::{self, CLUSTERS, LAWS};
use super::conditions::{ClaimOutcome, Walker};
use super::cost::{Extraction, fit};
use super::plot::{CurveFigure, CurvePanel};
use super::{freezing, order, queries};
use crate::figures::{grouped, percent, short};
use crate::markdown;

/// Everything that was measured.
#[derive(Default)]
pub struct Results {
    pub extraction: Vec<Extraction>,
    pub freezing: Vec<freezing::MoveTrial>,
    pub order: Vec<order::OrderTrial>,
    pub walks: Vec<clustering::Walk>,
    pub clustering: Vec<clustering::ClusterTrial>,
    pub queries: Vec<queries::QueryTrial>,
}

/// What the paper does not measure.
const UNORDERED: &str = "- **The order** is not among the paper's relations, and localities alone do not imply it: what is lost \
                         and won without it stands below.\n";

/// The names of things in the order in which they were met.
fn names<T>(list: &[T], name: impl Fn(&T) -> String) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for one in list {
        let name = name(one);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A panel for each name, with the curves of what has that name.
fn panels<T>(
    list: &[T],
    name: impl Fn(&T) -> String,
    curves: impl Fn(&[&T]) -> Vec<Vec<(f64, f64)>>,
) -> Vec<CurvePanel> {
    let panel = |title: String| {
        let own: Vec<&T> = list.iter().filter(|one| name(one) == title).collect();
        CurvePanel { curves: curves(&own), title }
    };
    names(list, &name).into_iter().map(panel).collect()
}

impl Results {
    /// The figures, each with the name of its file.
    pub fn figures(&self) -> Vec<(&'static str, CurveFigure)> {
        let mut figures =
            vec![("walk-moves", self.figure_moves()), ("walk-3a", self.figure_3a()), ("walk-3b", self.figure_3b())];
        figures.push(("walk-4", self.figure_4()));
        if !self.queries.is_empty() {
            figures.push(("walk-5", self.figure_5()));
        }
        figures
    }

    fn figure_3a(&self) -> CurveFigure {
        CurveFigure {
            title: "Figure 3a: listing the localities of a segment",
            x: "records of a segment",
            y: "ms",
            rounded: false,
            series: vec!["extraction".into()],
            panels: panels(
                &self.extraction,
                |one| one.data.to_owned(),
                |own| vec![own.iter().map(|one| (one.size as f64, one.seconds * 1e3)).collect()],
            ),
        }
    }

    fn figure_moves(&self) -> CurveFigure {
        let curve = |own: &[&freezing::MoveTrial], way: (usize, u32)| {
            let own = own.iter().filter(|one| (one.partition, one.steps) == way);
            own.map(|one| (one.theta, one.distortion)).collect()
        };
        let series = freezing::WAYS
            .iter()
            .map(|(partition, steps)| format!("partitions of {partition}, {} steps", grouped(u128::from(*steps))));
        let name = |one: &freezing::MoveTrial| {
            let paper = one.walker == Walker::Published;
            format!("{}, {} conditions", one.data, if paper { "the paper's" } else { "our" })
        };
        CurveFigure {
            title: "When the published walk moves",
            x: "theta",
            y: "distortion",
            rounded: false,
            series: series.collect(),
            panels: panels(&self.freezing, name, |own| freezing::WAYS.iter().map(|way| curve(own, *way)).collect()),
        }
    }

    fn figure_3b(&self) -> CurveFigure {
        let curve = |own: &[&clustering::Walk], walker: Walker| {
            let own = own.iter().filter(|one| one.walker == walker);
            let mut points: Vec<(f64, f64)> = own.map(|one| ((one.kept / 1000) as f64, one.seconds)).collect();
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            points
        };
        CurveFigure {
            title: "Figure 3b: walking a table in segments of 100",
            x: "relations kept, in thousands",
            y: "seconds of processor time",
            rounded: false,
            series: Walker::ALL.map(|walker| walker.name().to_owned()).into(),
            panels: panels(
                &self.walks,
                |one| titled(one.data, one.records),
                |own| Walker::ALL.map(|walker| curve(own, walker)).into(),
            ),
        }
    }

    fn figure_4(&self) -> CurveFigure {
        let curves = |own: &[&clustering::ClusterTrial], clusters: usize| {
            let own = || own.iter().filter(move |one| one.clusters == clusters);
            let walk = own().map(|one| (one.theta, one.walk.0)).collect();
            [walk, own().map(|one| (one.theta, one.noise[0].0)).collect()]
        };
        let series =
            CLUSTERS.iter().flat_map(|count| [format!("walk, {count} clusters"), format!("normal noise, {count}")]);
        CurveFigure {
            title: "Figure 4: clustering error after the walk, and after noise of the same distortion",
            x: "theta",
            y: "clustering error",
            rounded: false,
            series: series.collect(),
            panels: panels(
                &self.clustering,
                |one| format!("{}: {}", titled(one.data, one.records), one.walker.name()),
                |own| CLUSTERS.iter().flat_map(|&clusters| curves(own, clusters)).collect(),
            ),
        }
    }

    fn figure_5(&self) -> CurveFigure {
        let name = |one: &queries::QueryTrial| format!("{}: {}, {}", one.data, one.target, one.walker.name());
        let curve = |own: &[&queries::QueryTrial], point: fn(&queries::QueryTrial) -> (f64, f64)| {
            let mut points: Vec<(f64, f64)> = own.iter().map(|one| point(one)).collect();
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            points
        };
        CurveFigure {
            title: "Figure 5: relative error of averages",
            x: "distortion reached",
            y: "mean relative error",
            rounded: true,
            series: vec!["walk".into(), "Mondrian".into()],
            panels: panels(&self.queries, name, |own| {
                let walk = curve(own, |one| (one.distortions.1, one.walk.mean));
                vec![walk, curve(own, |one| (one.distortions.0, one.mondrian.mean))]
            }),
        }
    }

    /// The numbers of each figure as CSV.
    pub fn tables(&self) -> Vec<(&'static str, String)> {
        let mut files = Vec::new();
        let mut text = "data,records,distinct,localities,seconds\n".to_owned();
        for one in &self.extraction {
            let _ = writeln!(text, "{},{},{},{},{}", one.data, one.size, one.distinct, one.listed, one.seconds);
        }
        files.push(("walk-3a", text));
        let mut text = "data,walk,partition,steps,theta,distortion,unchanged\n".to_owned();
        for one in &self.freezing {
            let numbers = (one.partition, one.steps, one.theta);
            let (partition, steps, theta) = numbers;
            let walk = quoted(one.walker);
            let _ = writeln!(
                text,
                "{},{walk},{partition},{steps},{theta},{:.6},{:.6}",
                one.data, one.distortion, one.unchanged
            );
        }
        files.push(("walk-moves", text));
        let mut text = "data,records,walk,theta,kept,seconds\n".to_owned();
        for one in &self.walks {
            let (name, records, walk) = (one.data, one.records, quoted(one.walker));
            let _ = writeln!(text, "{name},{records},{walk},{},{},{}", one.theta, one.kept, one.seconds);
        }
        files.push(("walk-3b", text));
        let laws: Vec<String> = LAWS.iter().map(|(law, _)| format!("{law}_error,{law}_deviation")).collect();
        let mut text =
            format!("data,records,walk,theta,clusters,distortion,walk_error,walk_deviation,{}\n", laws.join(","));
        for one in &self.clustering {
            let errors = [one.walk].into_iter().chain(one.noise);
            let errors: Vec<String> = errors.map(|(mean, deviation)| format!("{mean:.6},{deviation:.6}")).collect();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{:.6},{}",
                one.data,
                one.records,
                quoted(one.walker),
                one.theta,
                one.clusters,
                one.distortion,
                errors.join(",")
            );
        }
        files.push(("walk-4", text));
        let mut text = "data,records,walk,l,average,classes,mondrian_distortion,walk_distortion,reached_by,mondrian_error,walk_error,mondrian_emptied,walk_emptied,asked,skipped\n".to_owned();
        for one in &self.queries {
            let _ = writeln!(
                text,
                "\"{}\",{},{},{},{},{},{:.6},{:.6},{},{:.6},{:.6},{},{},{},{}",
                one.data,
                one.records,
                quoted(one.walker),
                one.l,
                one.target,
                one.classes,
                one.distortions.0,
                one.distortions.1,
                one.reached_by,
                one.mondrian.mean,
                one.walk.mean,
                one.mondrian.emptied,
                one.walk.emptied,
                one.walk.asked,
                one.walk.skipped
            );
        }
        if !self.queries.is_empty() {
            files.push(("walk-5", text));
        }
        files
    }

    /// What was claimed and what came out.
    pub fn verdict(&self) -> String {
        let costs = [self.quadratic(), self.linear(), self.moves()].concat();
        let clusters = Walker::ALL.map(|walker| self.clusters(walker)).concat();
        let answers = Walker::ALL.map(|walker| self.answers(walker)).concat();
        [costs, clusters, answers, UNORDERED.to_owned()].concat()
    }

    fn quadratic(&self) -> String {
        let slope = |name: &String| {
            let own = self.extraction.iter().filter(|one| one.data == name);
            let points: Vec<(f64, f64)> = own.map(|one| (one.distinct.ln(), one.seconds.ln())).collect();
            format!("{name} {:.2}", fit(&points).0)
        };
        let slopes: Vec<String> = names(&self.extraction, |one| one.data.to_owned()).iter().map(slope).collect();
        let is_confirmed = self.slope_of("synthetic").is_some_and(|slope| (1.7..2.3).contains(&slope));
        format!(
            "- **Listing localities takes quadratic time.** {}: the exponent of the time by the distinct values of a segment, \
             100 to 900 records: {}. Equal values are one unknown, so segments of few distinct values cost less than their \
             records would suggest.\n",
            word(is_confirmed),
            slopes.join(", ")
        )
    }

    fn slope_of(&self, name: &str) -> Option<f64> {
        let own = self.extraction.iter().filter(|one| one.data == name);
        let points: Vec<(f64, f64)> = own.map(|one| (one.distinct.ln(), one.seconds.ln())).collect();
        (points.len() > 2).then(|| fit(&points).0)
    }

    fn linear(&self) -> String {
        let published: Vec<&clustering::Walk> =
            self.walks.iter().filter(|one| one.walker == Walker::Published).collect();
        let line = |name: &String| {
            let own = published.iter().filter(|one| titled(one.data, one.records) == *name);
            let points: Vec<(f64, f64)> = own.map(|one| (one.kept as f64, one.seconds)).collect();
            (name.clone(), fit(&points).2)
        };
        let all = names(&published, |one| titled(one.data, one.records));
        let lines: Vec<(String, f64)> = all.iter().map(line).collect();
        let texts: Vec<String> = lines.iter().map(|(name, share)| format!("{name} {}", percent(*share))).collect();
        format!(
            "- **Walking takes time linear in the relations kept.** {}: a straight line explains of the variance of the \
             times of the published walk under the paper's conditions: {}. Where the order is kept a shorter list stands for all \
             localities, so that theta = 1 has fewer relations than 0.6.\n",
            word(!lines.is_empty() && lines.iter().all(|(_, share)| *share > 0.95)),
            texts.join(", ")
        )
    }

    fn moves(&self) -> String {
        let range = |way: (usize, u32), walker: Walker, data: &str| {
            let is_meant = |one: &&freezing::MoveTrial| {
                ((one.partition, one.steps), one.walker) == (way, walker) && one.data == data
            };
            let own: Vec<&freezing::MoveTrial> = self.freezing.iter().filter(is_meant).collect();
            let most = own.iter().map(|one| one.distortion).fold(0.0, f64::max);
            let least = own.iter().map(|one| one.distortion).fold(f64::INFINITY, f64::min);
            let same = own.iter().map(|one| one.unchanged).fold(0.0, f64::max);
            format!("{} to {}, at most {} unchanged", percent(least), percent(most), percent(same))
        };
        let text = |walker: Walker| {
            let of = |name: &String| {
                let [large, small] = [(100, 4000), (20, 40_000)].map(|way| range(way, walker, name));
                format!(
                    "{name}: distortion {large} with partitions of 100 and 4,000 steps; {small} with partitions of 20 and 40,000"
                )
            };
            let texts: Vec<String> = names(&self.freezing, |one| one.data.to_owned()).iter().map(of).collect();
            format!("  - {}. {}.\n", walker.in_words(), texts.join(". "))
        };
        format!(
            "- **A walk in the region gives other values.** Fewer localities mean more distortion; the domain and the order matter \
             as much as theta does.\n{}",
            [Walker::Published, Walker::Ordered].map(text).concat()
        )
    }

    fn clusters(&self, walker: Walker) -> String {
        let laws = (0..LAWS.len()).map(|law| {
            let own = || self.clustering.iter().filter(|one| one.walker == walker);
            let count = |name: &str, wanted: Ordering| {
                own().filter(|one| titled(one.data, one.records) == name && one.verdict(law) == wanted).count()
            };
            let texts: Vec<String> = names(&self.clustering, |one| titled(one.data, one.records))
                .iter()
                .map(|name| {
                    let [less, same, more] =
                        [Ordering::Less, Ordering::Equal, Ordering::Greater].map(|way| count(name, way));
                    let own = own().filter(|one| titled(one.data, one.records) == *name).map(|one| one.distortion);
                    let (low, high) =
                        own.fold((f64::INFINITY, 0.0_f64), |(low, high), one| (low.min(one), high.max(one)));
                    format!(
                        "{name}: lower in {less}, no different in {same}, higher in {more} (distortion {} to {})",
                        short(low),
                        short(high)
                    )
                })
                .collect();
            let all = |wanted: Ordering| own().filter(|one| one.verdict(law) == wanted).count();
            let (lower, differing) = (all(Ordering::Less), all(Ordering::Less) + all(Ordering::Greater));
            // Where no case differs there is nothing to compare: the walk hardly moved, or both lose everything.
            let outcome = match differing {
                0 => ClaimOutcome::NotComparable,
                _ if lower * 2 > own().count() && (differing - lower) * 5 < lower => ClaimOutcome::Confirmed,
                _ => ClaimOutcome::NotConfirmed,
            };
            format!(
                "- **At equal distortion clusters survive the walk better than {} noise**, with {}. {}. {}.\n",
                LAWS[law].0,
                walker.in_words(),
                outcome.word(),
                texts.join("; ")
            )
        });
        laws.collect::<String>()
            + "  A difference counts when it exceeds the standard deviation over starts and half a per cent.\n"
    }

    fn answers(&self, walker: Walker) -> String {
        let own = || self.queries.iter().filter(|one| one.walker == walker);
        if own().count() == 0 {
            return "- **Averages are answered better after the walk than after Mondrian.** Not looked at: no table with a sensitive \
                    variable is at hand.\n"
                .to_owned();
        }
        let lower = |list: &[&queries::QueryTrial]| list.iter().filter(|one| one.walk.mean < one.mondrian.mean).count();
        let text = |name: &String| {
            let own = own().filter(|one| titled(one.data, one.records) == *name);
            let (alike, apart): (Vec<&queries::QueryTrial>, Vec<&queries::QueryTrial>) =
                own.partition(|one| one.is_comparable());
            let more = apart.iter().filter(|one| one.distortions.1 > one.distortions.0).count();
            let outcome = ClaimOutcome::by_nine_of_ten(lower(&alike), alike.len());
            let apart = match apart.len() {
                0 => String::new(),
                all => format!(
                    "; {all} cannot be compared, {more} of them because the walk distorts more whatever theta (lower in {} all the same)",
                    lower(&apart)
                ),
            };
            let all = alike.len();
            format!("{} on {name}: lower in {} of {all} cases of like distortion{apart}", outcome.word(), lower(&alike))
        };
        let all: Vec<&queries::QueryTrial> = own().collect();
        let texts: Vec<String> = names(&all, |one| titled(one.data, one.records)).iter().map(text).collect();
        format!(
            "- **At equal or slightly larger distortion averages are answered better after the walk than after Mondrian with \
             l-diversity**, with {}. {}.\n",
            walker.in_words(),
            texts.join(". ")
        )
    }

    /// The tables of the page.
    pub fn text(&self) -> String {
        let rows = |list: Vec<Vec<String>>, heads: &[&str]| markdown::table(heads, 2, &list);
        let clusters =
            ["data", "walk", "theta", "clusters", "distortion", "error: walk", "normal noise", "uniform noise"];
        let averages = [
            "data",
            "average",
            "l",
            "classes",
            "distortion: Mondrian",
            "walk",
            "reached by",
            "error: Mondrian",
            "walk",
            "answered",
        ];
        let answered = |walker: Walker| {
            let own = self.queries.iter().filter(|one| one.walker == walker);
            rows(own.map(query_row).collect(), &averages)
        };
        format!(
            "## When the published walk moves\n\n\
             One column of 300 values. Distortion, and the share of values that came out as they went in.\n\n{}\n\
             ## With and without the order\n\n\
             The default walk. Pairs of records that changed places within a segment, comparisons of distances that came out \
             the other way, and values found again by their rank in the segment; means over the columns.\n\n{}\n\
             ## Clusters\n\n{}\n\
             ## Averages with the published walk, under the paper's conditions\n\n\
             Partitions of 20, 40,000 steps. Theta is read off the distortion of the first 1,000 records.\n\n{}\n\
             ## Averages with the published walk, under our conditions\n\n{}\n\
             ## Averages with our walk\n\nPartitions of 20.\n\n{}",
            rows(
                self.freezing.iter().map(freezing_row).collect(),
                &["data", "walk", "partition", "steps", "theta", "distortion", "unchanged"]
            ),
            rows(
                self.order.iter().map(order_row).collect(),
                &["data", "order", "theta", "distortion", "pairs turned", "distances turned", "linked by rank"]
            ),
            rows(self.clustering.iter().map(clustering_row).collect(), &clusters),
            answered(Walker::Published),
            answered(Walker::Ordered),
            answered(Walker::Ours)
        )
    }
}

/// The walk as a cell of a CSV.
fn quoted(walker: Walker) -> String {
    format!("\"{}\"", walker.name())
}

/// A table and its size.
fn titled(data: &str, records: usize) -> String {
    format!("{data} ({})", grouped(records as u128))
}

fn freezing_row(one: &freezing::MoveTrial) -> Vec<String> {
    vec![
        one.data.to_owned(),
        one.walker.name().to_owned(),
        one.partition.to_string(),
        grouped(u128::from(one.steps)),
        one.theta.to_string(),
        percent(one.distortion),
        percent(one.unchanged),
    ]
}

fn order_row(one: &order::OrderTrial) -> Vec<String> {
    let kept = if one.order { "kept" } else { "not kept" };
    let mut row = vec![titled(one.data, one.records), kept.to_owned(), one.theta.to_string()];
    row.extend([one.distortion, one.turned, one.broken, one.linked].map(percent));
    row
}

fn word(confirmed: bool) -> &'static str {
    if confirmed { "Confirmed" } else { "Not confirmed" }
}

fn clustering_row(one: &clustering::ClusterTrial) -> Vec<String> {
    vec![
        titled(one.data, one.records),
        one.walker.name().to_owned(),
        one.theta.to_string(),
        one.clusters.to_string(),
        format!("{:.4}", one.distortion),
        format!("{:.3} ± {:.3}", one.walk.0, one.walk.1),
        format!("{:.3} ± {:.3}", one.noise[0].0, one.noise[0].1),
        format!("{:.3} ± {:.3}", one.noise[1].0, one.noise[1].1),
    ]
}

fn query_row(one: &queries::QueryTrial) -> Vec<String> {
    vec![
        titled(one.data, one.records),
        one.target.clone(),
        one.l.to_string(),
        grouped(one.classes as u128),
        format!("{:.4}", one.distortions.0),
        format!("{:.4}", one.distortions.1),
        one.reached_by.clone(),
        format!("{:.4}", one.mondrian.mean),
        format!("{:.4}", one.walk.mean),
        grouped(one.walk.asked as u128),
    ]
}
