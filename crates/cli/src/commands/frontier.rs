//! `equanym frontier`: the risk–utility map.

use std::path::{Path, PathBuf};

use clap::Args;
use equanym_engine::error::Result;
use equanym_engine::policy::{FrontierPolicy, LossAxis, ParameterSweep, Policy, RiskAxis};
use equanym_engine::read::text_file;
use equanym_engine::run::frontier::{self, Frontier as FrontierMap, FrontierRequest, Outcome, Point};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::progress;
use crate::show;

/// Map risk against loss: which releases are worth a look
///
/// Every combination of the listed values is a release, computed exactly from one count of the table; without any, the usual
/// values of k and of the suppression limit are taken. Values stand in [frontier] of the policy or in flags, which replace them.
/// Nothing is released. What is shown depends on records that a release withholds: keep it to yourself.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 mapped · 1 no point has a safe release · 2 wrong use, policy or input · 3 environment

Example:
  equanym frontier data.csv --policy policy.toml --k 2,3,5,10 --limits 0,0.01,0.05 --out map
  equanym release data.csv --policy map/policy-07.toml --out release"
)]
pub struct Frontier {
    /// The table: a file or a folder
    data: PathBuf,
    /// The policy
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// Values of k, for every privacy model that has one
    #[arg(long, value_name = "K,…", value_delimiter = ',', value_parser = clap::value_parser!(i64).range(1..))]
    k: Vec<i64>,
    /// Suppression limits
    #[arg(long, value_name = "SHARE,…", value_delimiter = ',', value_parser = share)]
    limits: Vec<f64>,
    /// Methods
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    methods: Vec<String>,
    /// Weights of utility, for a search by preferences; that of privacy is the rest to 1
    #[arg(long, value_name = "SHARE,…", value_delimiter = ',', value_parser = share)]
    alpha: Vec<f64>,
    /// Values of a parameter of a privacy model, method or loss, such as t-closeness.t=0.1,0.2; may be given again
    #[arg(long, value_name = "MEMBER.PARAMETER=V,…", value_parser = sweep)]
    sweep: Vec<ParameterSweep>,
    /// The risk to draw: mean, highest or at-risk [default: mean]
    #[arg(long, value_name = "NAME", value_parser = risk)]
    risk: Option<RiskAxis>,
    /// The loss to draw: loss, detail, withheld, or a utility metric of `compare` [default: one that all methods have]
    #[arg(long, value_name = "NAME", value_parser = loss)]
    loss: Option<LossAxis>,
    /// Make a folder with the map as page, drawing and table, and a policy for each point of the front
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep points that are known in this file, and go on from there; it holds no cell values
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Draw new values from this seed; methods that draw need one
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// The key of dates that move, as `release` is given it: levels may depend on it
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Let messages show the beginnings of values that do not fit their hierarchy
    #[arg(long)]
    show_values: bool,
    #[command(flatten)]
    reading: ReadingFlags,
}

fn share(text: &str) -> std::result::Result<f64, &'static str> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    // A negative zero is a zero; adding turns it into one.
    share.map(|share: f64| share + 0.0).ok_or("must be a share between 0 and 1")
}

fn sweep(text: &str) -> std::result::Result<ParameterSweep, &'static str> {
    ParameterSweep::parse(text).ok_or("must be MEMBER.PARAMETER=VALUE,VALUE")
}

fn risk(text: &str) -> std::result::Result<RiskAxis, String> {
    let words = RiskAxis::names();
    RiskAxis::named(text).ok_or_else(|| format!("must be one of: {}", words.join(", ")))
}

fn loss(text: &str) -> std::result::Result<LossAxis, String> {
    LossAxis::named(text).ok_or_else(|| format!("must be one of: {}", LossAxis::names().join(", ")))
}

impl Frontier {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let text = text_file::read_by_hand(&self.policy)?;
        let folder = self.policy.parent().unwrap_or(Path::new(""));
        let files = |name: &str| text_file::read(&folder.join(name));
        let policy = Policy::parse(&text, &files)?;
        let found = frontier::frontier(&FrontierRequest {
            data: (&self.data).into(),
            text: &text,
            folder,
            files: &files,
            reading: &|reading| self.reading.over(reading),
            sweeps: self.over(policy.frontier),
            seed: self.seed,
            key: self.key.as_deref(),
            resume: self.resume.as_deref(),
            resources: shared.resources(),
            show_values: self.show_values,
            progress: progress::listen(console),
        })?;
        if let Some(out) = &self.out {
            found.write(out, (&self.data).into(), folder)?;
        }
        console.result(&found, || self.text(&found))?;
        let is_safe = |point: &Point| matches!(point.outcome, Outcome::Safe(_));
        Ok(if found.points.iter().any(is_safe) { Ending::Done } else { Ending::CheckFailed })
    }

    /// What a policy goes over, except where a flag says otherwise.
    fn over(&self, policy: FrontierPolicy) -> FrontierPolicy {
        fn or<T: Clone>(flag: &[T], policy: Vec<T>) -> Vec<T> {
            if flag.is_empty() { policy } else { flag.to_vec() }
        }
        FrontierPolicy {
            k: or(&self.k, policy.k),
            limits: or(&self.limits, policy.limits),
            methods: or(&self.methods, policy.methods),
            alpha: or(&self.alpha, policy.alpha),
            parameters: or(&self.sweep, policy.parameters),
            risk: self.risk.or(policy.risk),
            loss: self.loss.or(policy.loss),
        }
    }

    fn text(&self, found: &FrontierMap) -> String {
        let safe = found.points.iter().filter(|point| matches!(point.outcome, Outcome::Safe(_))).count();
        let heading = format!(
            "{} of {} on the front",
            show::count(found.front.len() as u64),
            show::counted(found.points.len() as u64, "point", "points")
        );
        let without = match found.points.len() - safe {
            0 => String::new(),
            missing => format!("; {} without a safe release", show::count(missing as u64)),
        };
        let axes = [("risk", found.axes.risk.measures.to_owned()), ("loss", found.axes.loss.measures.to_owned())];
        let (axes, unplotted) = (show::facts(&axes), unplotted(found));
        format!("{}{without}\n\n{axes}\n{}{unplotted}\n{}", show::strong(&heading), front(found), self.next(found))
    }

    fn next(&self, found: &FrontierMap) -> String {
        let [data, policy] = [&self.data, &self.policy].map(|path| show::shell_word(path));
        match (&self.out, found.front.first()) {
            (Some(out), Some(first)) => {
                let one = show::shell_word(&out.join(found.policy_name(*first)));
                let command = show::command(&format!("equanym release {data} --policy {one} --out DIR"));
                format!("The map is in {}; release the first of them: {command}\n", show::path(out))
            }
            (Some(out), None) => format!("The map is in {}.\n", show::path(out)),
            (None, _) => {
                let command = show::command(&format!("equanym frontier {data} --policy {policy} --out DIR"));
                format!("Draw it, and write a policy for each of them: {command}\n")
            }
        }
    }
}

/// The points on the front.
fn front(found: &FrontierMap) -> String {
    if found.front.is_empty() {
        return reasons(found);
    }
    let mut header = vec![">point", "method", "parameters", ">risk", ">loss", ">withheld", ">smallest", "levels"];
    let rows = found.places().into_iter().filter_map(|alike| Some(row(alike, found.points.get(*alike.first()?)?)));
    let mut rows: Vec<Vec<String>> = rows.collect();
    let linked: Vec<Option<String>> =
        found.places().iter().map(|alike| found.points.get(*alike.first()?).and_then(Point::linked)).collect();
    if linked.iter().any(Option::is_some) {
        header.insert(4, "found again by");
        for (row, linked) in rows.iter_mut().zip(linked) {
            row.insert(4, linked.map_or_else(|| "class".to_owned(), |linked| show::plain(&linked)));
        }
    }
    show::table(&header, &rows)
}

/// Safe releases that have no place on the map, and why.
fn unplotted(found: &FrontierMap) -> String {
    let mut reasons: Vec<(&str, u64)> = Vec::new();
    for reason in found.points.iter().filter_map(|point| point.why_unplotted) {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason, 1)),
        }
    }
    let loss = found.axes.loss.name;
    let words = |(reason, count): (&str, u64)| {
        let points = show::counted(count, "safe release has", "safe releases have");
        show::paragraph(&format!("{points} no {loss}, and no place on the map: {reason}."), 0)
    };
    let words: String = reasons.into_iter().map(words).collect();
    if words.is_empty() { words } else { format!("\n{words}") }
}

/// A point, and the others that stand at its place.
fn row(alike: &[usize], point: &Point) -> Vec<String> {
    let place = match alike {
        [first] => first.to_string(),
        [first, others @ ..] => format!("{first} (+{})", others.len()),
        [] => String::new(),
    };
    let (risk, loss) =
        point.plotted.map(|place| (show::percent(place.risk), show::percent(place.loss))).unwrap_or_default();
    let mut row = vec![place, point.method().to_owned(), show::plain(&point.in_words()), risk, loss];
    if let Outcome::Safe(release) = &point.outcome {
        let levels = release.node.0.iter().map(|(_, level)| level.to_string()).collect::<Vec<_>>().join(" ");
        row.extend([show::count(release.suppressed), show::count(release.classes.min), levels]);
    }
    row
}

/// Why there is nothing to show.
fn reasons(found: &FrontierMap) -> String {
    let mut reasons: Vec<&str> = Vec::new();
    for point in &found.points {
        if let Outcome::Unsafe(refusal) = &point.outcome
            && !reasons.contains(&refusal.why_not.as_str())
        {
            reasons.push(&refusal.why_not);
        }
    }
    reasons.iter().fold(String::new(), |shown, reason| shown + &show::paragraph(&show::plain(reason), 2))
}
