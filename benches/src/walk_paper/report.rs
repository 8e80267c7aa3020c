//! The page: what was claimed, what came out; and the same numbers as CSV and as figures.

use std::cmp::Ordering;
use std::fmt::Write;

use super::clustering::{self, CLUSTERS, LAWS};
use super::cost::{Extraction, fit};
use super::plot::{CurveFigure, CurvePanel};
use super::queries::Walker;
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
const UNORDERED: &str = "- **The order** is not among the paper's relations, and localities alone do not imply it: see \
                         `order = false` below.\n";

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
        CurveFigure {
            title: "When the published walk moves",
            x: "theta",
            y: "distortion",
            series: series.collect(),
            panels: panels(
                &self.freezing,
                |one| one.data.to_owned(),
                |own| freezing::WAYS.iter().map(|way| curve(own, *way)).collect(),
            ),
        }
    }

    fn figure_3b(&self) -> CurveFigure {
        let curve = |own: &[&clustering::Walk], sampler: &str| {
            let own = own.iter().filter(|one| one.sampler == sampler);
            let mut points: Vec<(f64, f64)> = own.map(|one| ((one.kept / 1000) as f64, one.seconds)).collect();
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            points
        };
        CurveFigure {
            title: "Figure 3b: walking a table in segments of 100",
            x: "relations kept, in thousands",
            y: "seconds of processor time",
            series: vec!["published walk, 4,000 steps".into(), "default walk, to equilibrium".into()],
            panels: panels(
                &self.walks,
                |one| titled(one.data, one.records),
                |own| vec![curve(own, "paper"), curve(own, "mixing")],
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
            series: series.collect(),
            panels: panels(
                &self.clustering,
                |one| format!("{}: {}", titled(one.data, one.records), one.sampler),
                |own| CLUSTERS.iter().flat_map(|&clusters| curves(own, clusters)).collect(),
            ),
        }
    }

    fn figure_5(&self) -> CurveFigure {
        let name = |one: &queries::QueryTrial| {
            let walk = if one.walker == Walker::Published { "published" } else { "ours" };
            format!("{}: {}, {walk}", titled(one.data, one.records), one.target)
        };
        CurveFigure {
            title: "Figure 5: relative error of averages, tuned to the same distortion or a little more",
            x: "l",
            y: "mean relative error",
            series: vec!["walk".into(), "Mondrian".into()],
            panels: panels(&self.queries, name, |own| {
                let walk = own.iter().map(|one| (one.l as f64, one.walk.mean)).collect();
                vec![walk, own.iter().map(|one| (one.l as f64, one.mondrian.mean)).collect()]
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
        let mut text = "data,partition,steps,theta,distortion,unchanged\n".to_owned();
        for one in &self.freezing {
            let numbers = (one.partition, one.steps, one.theta);
            let (partition, steps, theta) = numbers;
            let _ =
                writeln!(text, "{},{partition},{steps},{theta},{:.6},{:.6}", one.data, one.distortion, one.unchanged);
        }
        files.push(("walk-moves", text));
        let mut text = "data,records,sampler,theta,kept,seconds\n".to_owned();
        for one in &self.walks {
            let (name, records, sampler) = (one.data, one.records, one.sampler);
            let _ = writeln!(text, "{name},{records},{sampler},{},{},{}", one.theta, one.kept, one.seconds);
        }
        files.push(("walk-3b", text));
        let laws: Vec<String> = LAWS.iter().map(|(law, _)| format!("{law}_error,{law}_deviation")).collect();
        let mut text =
            format!("data,records,sampler,theta,clusters,distortion,walk_error,walk_deviation,{}\n", laws.join(","));
        for one in &self.clustering {
            let errors = [one.walk].into_iter().chain(one.noise);
            let errors: Vec<String> = errors.map(|(mean, deviation)| format!("{mean:.6},{deviation:.6}")).collect();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{:.6},{}",
                one.data,
                one.records,
                one.sampler,
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
                "{},{},{},{},{},{},{:.6},{:.6},{},{:.6},{:.6},{},{},{},{}",
                one.data,
                one.records,
                one.walker.name(),
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
        [
            self.quadratic(),
            self.linear(),
            self.moves(),
            self.clusters("paper"),
            self.clusters("mixing"),
            self.answers(Walker::Published),
            self.answers(Walker::Ours),
            UNORDERED.to_owned(),
        ]
        .concat()
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
        let published: Vec<&clustering::Walk> = self.walks.iter().filter(|one| one.sampler == "paper").collect();
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
             times of the published walk: {}. With all localities a shorter list stands for the rest, so theta = 1 has fewer \
             relations than 0.6.\n",
            word(!lines.is_empty() && lines.iter().all(|(_, share)| *share > 0.95)),
            texts.join(", ")
        )
    }

    fn moves(&self) -> String {
        let range = |partition: usize, steps: u32, data: &str| {
            let own = self.freezing.iter().filter(|one| (one.partition, one.steps) == (partition, steps));
            let own: Vec<&freezing::MoveTrial> = own.filter(|one| one.data == data).collect();
            let most = own.iter().map(|one| one.distortion).fold(0.0, f64::max);
            let least = own.iter().map(|one| one.distortion).fold(f64::INFINITY, f64::min);
            let same = own.iter().map(|one| one.unchanged).fold(0.0, f64::max);
            format!("{} to {}, at most {} unchanged", percent(least), percent(most), percent(same))
        };
        let texts: Vec<String> = names(&self.freezing, |one| one.data.to_owned())
            .iter()
            .map(|name| {
                format!(
                    "{name}: distortion {} with partitions of 100 and 4,000 steps; {} with partitions of 20 and 40,000 steps",
                    range(100, 4000, name),
                    range(20, 40_000, name)
                )
            })
            .collect();
        format!(
            "- **A walk in the region gives other values.** With the settings of Figures 3 and 4 hardly, with those of Figure 5 \
             it does, and then theta matters; fewer localities mean more distortion. {}.\n",
            texts.join(". ")
        )
    }

    fn clusters(&self, sampler: &str) -> String {
        let which = if sampler == "paper" { "the published walk, as published" } else { "our default walk" };
        let laws = (0..LAWS.len()).map(|law| {
            let own = || self.clustering.iter().filter(|one| one.sampler == sampler);
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
            let is_confirmed =
                all(Ordering::Less) > own().count() / 2 && all(Ordering::Greater) * 5 < all(Ordering::Less);
            format!(
                "- **At equal distortion clusters survive the walk better than {} noise**, with {which}. {}. {}.\n",
                LAWS[law].0,
                word(is_confirmed),
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
            let is_confirmed = lower(&alike) * 10 >= alike.len() * 9 && lower(&apart) * 10 >= apart.len() * 9;
            format!(
                "{} on {name}: lower in {} of {} cases of like distortion (within a tenth), and in {} of {} in which it \
                 cannot be brought to that of Mondrian",
                word(is_confirmed),
                lower(&alike),
                alike.len(),
                lower(&apart),
                apart.len()
            )
        };
        let all: Vec<&queries::QueryTrial> = own().collect();
        let texts: Vec<String> = names(&all, |one| titled(one.data, one.records)).iter().map(text).collect();
        format!(
            "- **At equal or slightly larger distortion averages are answered better after the walk than after Mondrian with \
             l-diversity**, with {}. {}.\n",
            walker.name(),
            texts.join(". ")
        )
    }

    /// The tables of the page.
    pub fn text(&self) -> String {
        let rows = |list: Vec<Vec<String>>, heads: &[&str]| markdown::table(heads, 2, &list);
        let clusters =
            ["data", "sampler", "theta", "clusters", "distortion", "error: walk", "normal noise", "uniform noise"];
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
             One column of 300 values, the order kept. Distortion, and the share of values that came out as they went in.\n\n{}\n\
             ## With and without the order\n\n\
             The default walk. Pairs of records that changed places within a segment, comparisons of distances that came out \
             the other way, and values found again by their rank in the segment; means over the columns.\n\n{}\n\
             ## Clusters\n\n{}\n\
             ## Averages with the published walk\n\n\
             Partitions of 20, 40,000 steps. Theta is read off the distortion of the first 600 records.\n\n{}\n\
             ## Averages with our walk\n\nPartitions of 20.\n\n{}",
            rows(
                self.freezing.iter().map(freezing_row).collect(),
                &["data", "partition", "steps", "theta", "distortion", "unchanged"]
            ),
            rows(
                self.order.iter().map(order_row).collect(),
                &["data", "order", "theta", "distortion", "pairs turned", "distances turned", "linked by rank"]
            ),
            rows(self.clustering.iter().map(clustering_row).collect(), &clusters),
            answered(Walker::Published),
            answered(Walker::Ours)
        )
    }
}

/// A table and its size.
fn titled(data: &str, records: usize) -> String {
    format!("{data} ({})", grouped(records as u128))
}

fn freezing_row(one: &freezing::MoveTrial) -> Vec<String> {
    vec![
        one.data.to_owned(),
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
        one.sampler.to_owned(),
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
