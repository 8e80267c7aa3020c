//! The page: what was claimed, what came out; and the same numbers as CSV and as figures.

use std::cmp::Ordering;
use std::fmt::Write;

use super::clustering::{self, CLUSTERS};
use super::cost::{Extraction, Substitution, fit};
use super::draw::{Figure, Panel};
use super::queries;
use crate::figures::{grouped, percent, short};
use crate::markdown;

/// Everything that was measured.
#[derive(Default)]
pub struct Results {
    pub extraction: Vec<Extraction>,
    pub substitution: Vec<Substitution>,
    pub clustering: Vec<clustering::Trial>,
    pub queries: Vec<queries::Trial>,
}

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

impl Results {
    /// The figures, each with the name of its file.
    pub fn figures(&self) -> Vec<(&'static str, Figure)> {
        let mut figures =
            vec![("walk-3a", self.figure_3a()), ("walk-3b", self.figure_3b()), ("walk-4", self.figure_4())];
        if !self.queries.is_empty() {
            figures.push(("walk-5", self.figure_5()));
        }
        figures
    }

    fn figure_3a(&self) -> Figure {
        let panel = |name: &String| {
            let own = self.extraction.iter().filter(|one| one.data == name);
            Panel { title: name.clone(), lines: vec![own.map(|one| (one.size as f64, one.seconds * 1e3)).collect()] }
        };
        Figure {
            title: "Figure 3a: listing the localities of a segment",
            x: "records of a segment",
            y: "ms",
            series: vec!["extraction".into()],
            panels: names(&self.extraction, |one| one.data.to_owned()).iter().map(panel).collect(),
        }
    }

    fn figure_3b(&self) -> Figure {
        let panel = |name: &String| {
            let own = || self.substitution.iter().filter(|one| one.data == name);
            let literal = own().map(|one| (one.theta, one.literal)).collect();
            let default = own().map(|one| (one.theta, one.default)).collect();
            Panel { title: name.clone(), lines: vec![literal, default] }
        };
        Figure {
            title: "Figure 3b: walking a table in segments of 100",
            x: "theta",
            y: "seconds of processor time",
            series: vec!["published walk, 4,000 steps".into(), "default walk, to equilibrium".into()],
            panels: names(&self.substitution, |one| one.data.to_owned()).iter().map(panel).collect(),
        }
    }

    fn figure_4(&self) -> Figure {
        let panels = names(&self.clustering, |one| format!("{}: {}", one.data, one.sampler));
        let panel = |title: &String| {
            let own = || self.clustering.iter().filter(|one| format!("{}: {}", one.data, one.sampler) == *title);
            let lines = CLUSTERS.iter().flat_map(|&clusters| {
                let of = move || own().filter(move |one| one.clusters == clusters);
                [of().map(|one| (one.theta, one.walk.0)).collect(), of().map(|one| (one.theta, one.noise.0)).collect()]
            });
            Panel { title: title.clone(), lines: lines.collect() }
        };
        let series = CLUSTERS.iter().flat_map(|count| [format!("walk, {count} clusters"), format!("noise, {count}")]);
        Figure {
            title: "Figure 4: clustering error after the walk, and after noise of the same distortion",
            x: "theta",
            y: "clustering error",
            series: series.collect(),
            panels: panels.iter().map(panel).collect(),
        }
    }

    fn figure_5(&self) -> Figure {
        let panels = names(&self.queries, |one| format!("{}: average {}", one.data, one.target));
        let panel = |title: &String| {
            let own = || self.queries.iter().filter(|one| format!("{}: average {}", one.data, one.target) == *title);
            let walk = own().map(|one| (one.l as f64, one.walk.mean)).collect();
            let mondrian = own().map(|one| (one.l as f64, one.mondrian.mean)).collect();
            Panel { title: title.clone(), lines: vec![walk, mondrian] }
        };
        Figure {
            title: "Figure 5: relative error of averages, at equal distortion",
            x: "l",
            y: "mean relative error",
            series: vec!["walk".into(), "Mondrian".into()],
            panels: panels.iter().map(panel).collect(),
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
        let mut text = "data,theta,kept,published_seconds,default_seconds\n".to_owned();
        for one in &self.substitution {
            let _ = writeln!(text, "{},{},{},{},{}", one.data, one.theta, one.kept, one.literal, one.default);
        }
        files.push(("walk-3b", text));
        let mut text = "data,sampler,theta,clusters,walk_distortion,noise_distortion,walk_error,walk_deviation,noise_error,noise_deviation\n".to_owned();
        for one in &self.clustering {
            let (walk, noise) = (one.walk, one.noise);
            let _ = writeln!(
                text,
                "{},{},{},{},{:.6},{:.6},{:.6},{:.6},{:.6},{:.6}",
                one.data,
                one.sampler,
                one.theta,
                one.clusters,
                one.distortions.0,
                one.distortions.1,
                walk.0,
                walk.1,
                noise.0,
                noise.1
            );
        }
        files.push(("walk-4", text));
        let mut text = "data,l,average,classes,mondrian_distortion,walk_distortion,reached_by,mondrian_error,walk_error,mondrian_emptied,walk_emptied,asked,skipped\n".to_owned();
        for one in &self.queries {
            let _ = writeln!(
                text,
                "{},{},{},{},{:.6},{:.6},{},{:.6},{:.6},{},{},{},{}",
                one.data,
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
        [self.quadratic(), self.linear(), self.clusters("mixing"), self.clusters("paper"), self.answers()].concat()
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
        let line = |name: &String| {
            let own = self.substitution.iter().filter(|one| one.data == name);
            let points: Vec<(f64, f64)> = own.map(|one| (one.kept as f64, one.literal)).collect();
            (name.clone(), fit(&points).2)
        };
        let lines: Vec<(String, f64)> = names(&self.substitution, |one| one.data.to_owned()).iter().map(line).collect();
        let texts: Vec<String> = lines.iter().map(|(name, share)| format!("{name} {}", percent(*share))).collect();
        format!(
            "- **Walking takes time linear in the relations kept.** {}: a straight line explains of the variance of the \
             times of the published walk: {}.\n",
            word(!lines.is_empty() && lines.iter().all(|(_, share)| *share > 0.95)),
            texts.join(", ")
        )
    }

    fn clusters(&self, sampler: &str) -> String {
        let own = || self.clustering.iter().filter(|one| one.sampler == sampler);
        let count =
            |name: &str, wanted: Ordering| own().filter(|one| one.data == name && one.verdict() == wanted).count();
        let texts: Vec<String> = names(&self.clustering, |one| one.data.to_owned())
            .iter()
            .map(|name| {
                let [less, same, more] =
                    [Ordering::Less, Ordering::Equal, Ordering::Greater].map(|way| count(name, way));
                let distortions: Vec<f64> = own().filter(|one| one.data == name).map(|one| one.distortions.0).collect();
                let (low, high) = distortions
                    .iter()
                    .fold((f64::INFINITY, 0.0_f64), |(low, high), one| (low.min(*one), high.max(*one)));
                format!(
                    "{name}: lower in {less}, no different in {same}, higher in {more} (distortion {} to {})",
                    short(low),
                    short(high)
                )
            })
            .collect();
        let all = |wanted: Ordering| own().filter(|one| one.verdict() == wanted).count();
        let is_confirmed = all(Ordering::Less) > own().count() / 2 && all(Ordering::Greater) * 5 < all(Ordering::Less);
        let which = if sampler == "paper" { "the published walk, 4,000 steps" } else { "the default walk" };
        format!(
            "- **At equal distortion clusters survive the walk better than noise**, with {which}. {}. {}. A difference counts \
             when it exceeds the standard deviation over starts and half a per cent.\n",
            word(is_confirmed),
            texts.join("; ")
        )
    }

    fn answers(&self) -> String {
        if self.queries.is_empty() {
            return "- **Averages are answered better after the walk than after Mondrian.** Not looked at: no table with a sensitive \
                    variable is at hand.\n"
                .to_owned();
        }
        let lower = |list: &[&queries::Trial]| list.iter().filter(|one| one.walk.mean < one.mondrian.mean).count();
        let text = |name: &String| {
            let own = self.queries.iter().filter(|one| one.data == name);
            let (alike, apart): (Vec<&queries::Trial>, Vec<&queries::Trial>) = own.partition(|one| one.is_comparable());
            let is_confirmed = lower(&alike) * 10 >= alike.len() * 9 && lower(&apart) * 10 >= apart.len() * 9;
            format!(
                "{} on {name}: lower in {} of {} cases of like distortion, and in {} of {} in which the walk cannot be brought \
                 down to the distortion of Mondrian",
                word(is_confirmed),
                lower(&alike),
                alike.len(),
                lower(&apart),
                apart.len()
            )
        };
        let texts: Vec<String> = names(&self.queries, |one| one.data.to_owned()).iter().map(text).collect();
        format!(
            "- **At equal or slightly larger distortion averages are answered better after the walk than after Mondrian with \
             l-diversity.** {}.\n",
            texts.join(". ")
        )
    }

    /// The tables of the page.
    pub fn text(&self) -> String {
        let clustering: Vec<Vec<String>> = self.clustering.iter().map(clustering_row).collect();
        let queries: Vec<Vec<String>> = self.queries.iter().map(query_row).collect();
        let heads = (
            ["data", "sampler", "theta", "clusters", "distortion: walk", "noise", "error: walk", "noise"],
            [
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
            ],
        );
        format!(
            "## Clusters\n\n{}\n## Averages\n\n{}",
            markdown::table(&heads.0, 2, &clustering),
            markdown::table(&heads.1, 2, &queries)
        )
    }
}

fn word(confirmed: bool) -> &'static str {
    if confirmed { "Confirmed" } else { "Not confirmed" }
}

fn clustering_row(one: &clustering::Trial) -> Vec<String> {
    vec![
        one.data.to_owned(),
        one.sampler.to_owned(),
        one.theta.to_string(),
        one.clusters.to_string(),
        format!("{:.4}", one.distortions.0),
        format!("{:.4}", one.distortions.1),
        format!("{:.3} ± {:.3}", one.walk.0, one.walk.1),
        format!("{:.3} ± {:.3}", one.noise.0, one.noise.1),
    ]
}

fn query_row(one: &queries::Trial) -> Vec<String> {
    vec![
        one.data.to_owned(),
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
