//! The risk–utility map: what releases under many policies would risk and lose, and which of them are worth a look.
//!
//! The table is counted once. Each point is a policy that differs from the given one in a few settings
//! ([`FrontierPolicy`]), and tells what `release` with that policy finds: the same node, loss, suppression and risk.
//! Methods that recode are answered from the counts (`decide::frontier`). Methods that make new values, and utility metrics, need
//! the records: such points are released in memory, audited, and dropped.
//!
//! What is found depends on records that a release withholds: a map is for the owner.
//!
//! Source: Duncan, Keller-McNulty & Stokes 2001, Disclosure risk vs. data utility: the R–U confidentiality map.

mod axes;
mod checkpoint;
mod folder;
mod point;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use equanym_core::card::Parameters;
use equanym_core::method::{self, MethodWork};
use equanym_core::options::front;
use serde::Serialize;

pub use crate::decide::prospect::{Outcome, Prospect, Refusal};
pub use axes::{Axes, Axis, MapPlace};
pub use point::Point;

use super::compare::{self, AfterTable, CompareRequest};
use super::in_memory::{BatchesRequest, ReleaseInMemory, release_batches};
use crate::count::counted_table::{Brief, CountedTable, Look, TableCount};
use crate::decide::fitted::FittedTables;
use crate::error::{Error, Kind, Result};
use crate::inquiry::points::Points;
use crate::inquiry::{TreatedTable, admit};
use crate::machine::stopwatch::Stopwatch;
use crate::machine::{Resources, Runtime};
use crate::policy::{FrontierPolicy, LossAxis, Policy, PolicySetting, varied};
use crate::progress::{Progress, Step};
use crate::read::{Data, Reading};
use crate::write::pen::Picture;
use crate::write::reports::map;
use checkpoint::Checkpoint;

/// What is asked.
pub struct FrontierRequest<'a> {
    /// The table.
    pub data: Data<'a>,
    /// The text of the policy.
    pub text: &'a str,
    /// The folder that the tables it names are looked for from.
    pub folder: &'a Path,
    /// Gives the text of a hierarchy file by the name that the policy uses.
    pub files: &'a dyn Fn(&str) -> Result<String>,
    /// How the table is read, given how the policy says.
    pub reading: &'a dyn Fn(&Reading) -> Result<Reading>,
    /// What the map goes over, where it is otherwise than the policy says.
    pub sweeps: FrontierPolicy,
    /// Where draws come from, for methods that make any.
    pub seed: Option<u64>,
    /// The file of the key for dates that move, where levels depend on them.
    pub key: Option<&'a Path>,
    /// A file that keeps the points that are known, so that a map which was stopped goes on where it was.
    pub resume: Option<&'a Path>,
    /// Threads and memory.
    pub resources: Resources,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
    /// Hears how far it has come.
    pub progress: Arc<dyn Progress>,
}

/// A risk–utility map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frontier {
    /// The number of records.
    pub records: u64,
    /// What is drawn.
    pub axes: Axes,
    /// The points, in the order of what is gone over.
    pub points: Vec<Point>,
    /// The places of the points that none dominates, from the least risk on.
    pub front: Vec<usize>,
    /// The policy of each point.
    #[serde(skip)]
    pub policies: Vec<String>,
}

/// Computes the map of a table.
pub fn frontier(request: &FrontierRequest<'_>) -> Result<Frontier> {
    let runtime = Runtime::in_temporary_folder(&request.resources)?;
    let plan = MapPlan::new(request)?;
    let policy = plan.counting()?;
    let source = TreatedTable::open_to_ask(request.data, policy)?.source;
    let (progress, watch) = (request.progress.as_ref(), Stopwatch::start(policy.loading));
    let brief = Brief { policy, source: &source, show_values: request.show_values, progress, watch: &watch };
    let count = TableCount::new(brief, Look::ForPresets, &runtime)?;
    let counted = count.into_table(Brief { progress: plan.heard.as_ref(), ..brief });
    plan.map(&counted, None, &runtime)
}

/// A hierarchy file is read once.
fn remembered(
    known: &RefCell<BTreeMap<String, String>>,
    name: &str,
    read: &dyn Fn(&str) -> Result<String>,
) -> Result<String> {
    if let Some(text) = known.borrow().get(name) {
        return Ok(text.clone());
    }
    let text = read(name)?;
    known.borrow_mut().insert(name.to_owned(), text.clone());
    Ok(text)
}

/// What is known of a point: what a release would be, and what a metric finds in it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PointFinding {
    outcome: Outcome,
    /// The metric that was measured, and what it found; nothing where it cannot be measured.
    measured: Option<(&'static str, Option<f64>)>,
}

/// The points that are asked for.
pub(super) struct MapPlan<'a> {
    request: &'a FrontierRequest<'a>,
    hierarchies: BTreeMap<String, String>,
    axes: Axes,
    settings: Vec<Vec<PolicySetting>>,
    texts: Vec<String>,
    policies: Vec<Policy>,
    /// Hears how many points are known.
    pub heard: Arc<PointProgress>,
}

impl<'a> MapPlan<'a> {
    /// Every point must be a policy that can be released, before anything is computed.
    pub(super) fn new(request: &'a FrontierRequest<'a>) -> Result<Self> {
        let hierarchies = RefCell::new(BTreeMap::new());
        let files = |name: &str| remembered(&hierarchies, name, request.files);
        let base = Policy::parse(request.text, &files)?;
        base.refuse_sampling("there is no map")?;
        let sweeps = request.sweeps.clone().or_usual(&base);
        let axes = Axes::new(&sweeps, &base);
        let settings = sweeps.points(&base)?;
        let text = |settings: &Vec<PolicySetting>| {
            let draws = work(settings).is_some_and(|work| matches!(work, MethodWork::Values(_)));
            let seed = request.seed.filter(|_| draws).map(PolicySetting::Seed);
            varied(request.text, &settings.iter().cloned().chain(seed).collect::<Vec<_>>())
        };
        let texts = settings.iter().map(text).collect::<Result<Vec<_>>>()?;
        let policy = |text: &String| {
            let mut policy = Policy::parse(text, &files)?;
            policy.data = (request.reading)(&policy.data)?;
            request.folder.clone_into(&mut policy.folder);
            policy.key = request.key.map(Path::to_owned);
            Ok(policy)
        };
        let policies = texts.iter().map(policy).collect::<Result<Vec<_>>>()?;
        let heard = PointProgress { inner: Arc::clone(&request.progress), done: AtomicU64::new(0) }.into();
        let plan = Self { request, hierarchies: hierarchies.into_inner(), axes, settings, texts, policies, heard };
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<()> {
        for (place, policy) in self.policies.iter().enumerate() {
            admit::policy(policy)?;
            if self.draws(place) && policy.method.seed.is_none() {
                return Err(Error::input(format!("`{}` draws new values, and nothing says from which seed", policy.method.name))
                    .hint("give --seed, or `seed` in [method], and keep it to yourself: the policy of a point then makes the same release"));
            }
        }
        Ok(())
    }

    /// A policy whose counted columns hold those of all others that are answered from counts.
    pub(super) fn counting(&self) -> Result<&Policy> {
        self.policies.get(self.widest()).ok_or_else(Error::internal)
    }

    /// The map, from the counts of the policy that counts the most columns. There is none where no policy is admitted.
    pub(super) fn map(
        &self,
        counted: &CountedTable<'_>,
        fitted: Option<&FittedTables>,
        runtime: &Runtime,
    ) -> Result<Frontier> {
        let mut kept = match self.request.resume {
            Some(path) => Checkpoint::open(path, counted.case.source, &self.hierarchies)?,
            None => Checkpoint::none(),
        };
        let findings = self.findings(Points::new(counted, fitted, runtime), &mut kept)?;
        refuse_unadmitted(&findings)?;
        let points = self.settings.iter().cloned().zip(findings);
        let mut points: Vec<Point> = points.map(|(settings, found)| Point::new(settings, found, self.axes)).collect();
        let front = front(&points.iter().map(Point::costs).collect::<Vec<_>>());
        points.iter_mut().enumerate().for_each(|(place, point)| point.dominated &= !front.contains(&place));
        Ok(Frontier { records: counted.case.records, axes: self.axes, points, front, policies: self.texts.clone() })
    }

    /// Whether a point gives columns new values.
    fn draws(&self, place: usize) -> bool {
        self.work(place).is_some_and(|work| matches!(work, MethodWork::Values(_)))
    }

    fn work(&self, place: usize) -> Option<&'static MethodWork> {
        work(self.settings.get(place)?)
    }

    /// A point whose counted columns hold those of all others that are answered from counts.
    fn widest(&self) -> usize {
        let of = |is_meant: fn(&MethodWork) -> bool| {
            (0..self.texts.len()).find(|&place| self.work(place).is_some_and(is_meant))
        };
        let levels = of(|work| matches!(work, MethodWork::Levels));
        levels.or_else(|| of(|work| matches!(work, MethodWork::Classes(_)))).unwrap_or(0)
    }

    /// What each point is, in their order. Higher limits are asked for first: what they find may serve lower ones.
    fn findings<'p>(&'p self, mut releases: Points<'p>, kept: &mut Checkpoint) -> Result<Vec<PointFinding>> {
        let mut order: Vec<usize> = (0..self.texts.len()).collect();
        order.sort_by(|&one, &other| self.limit(other).total_cmp(&self.limit(one)));
        let mut found: Vec<Option<PointFinding>> = vec![None; order.len()];
        self.heard.begin(order.len());
        for place in order {
            let text = self.texts.get(place).ok_or_else(Error::internal)?;
            let known = kept.known(text).filter(|known| self.is_enough(known));
            let one = if let Some(known) = known {
                known
            } else {
                let one = self.find(place, &mut releases)?;
                kept.keep(text, &one)?;
                one
            };
            found[place] = Some(one);
            self.heard.step();
        }
        found.into_iter().map(|one| one.ok_or_else(Error::internal)).collect()
    }

    fn limit(&self, place: usize) -> f64 {
        let limit =
            |setting: &PolicySetting| if let PolicySetting::Limit(limit) = setting { Some(*limit) } else { None };
        self.settings.get(place).and_then(|settings| settings.iter().find_map(limit)).unwrap_or(0.0)
    }

    /// The metric that is drawn.
    fn metric(&self) -> Option<&'static str> {
        if let LossAxis::Metric(name) = self.axes.loss.which { Some(name) } else { None }
    }

    fn is_enough(&self, known: &PointFinding) -> bool {
        let is_safe = matches!(known.outcome, Outcome::Safe(_));
        !is_safe || self.metric().is_none_or(|metric| known.measured.is_some_and(|(name, _)| name == metric))
    }

    fn find<'p>(&'p self, place: usize, releases: &mut Points<'p>) -> Result<PointFinding> {
        let policy = self.policies.get(place).ok_or_else(Error::internal)?;
        let draws = self.draws(place);
        let outcome = if draws { None } else { Some(releases.under(policy)?) };
        let metric = self.metric().filter(|_| !matches!(outcome, Some(Outcome::Unsafe(_))));
        if let (Some(outcome), None) = (&outcome, metric) {
            return Ok(PointFinding { outcome: outcome.clone(), measured: None });
        }
        let made = self.release(policy);
        let measured = match (metric, &made) {
            (Some(metric), Ok(made)) => Some((metric, self.measure(metric, made, policy)?)),
            _ => None,
        };
        let prospect = || Outcome::from_release(made.map(|made| Prospect::of_report(&made.released.report)));
        Ok(PointFinding { outcome: outcome.map_or_else(prospect, Ok)?, measured })
    }

    fn release(&self, policy: &Policy) -> Result<ReleaseInMemory> {
        let FrontierRequest { data, resources, show_values, .. } = self.request;
        release_batches(&BatchesRequest {
            data: *data,
            policy,
            against: &[],
            resources: resources.clone(),
            show_values: *show_values,
            progress: Arc::<PointProgress>::clone(&self.heard),
        })
    }

    /// What a metric finds: its number of the table, or the mean over columns.
    fn measure(&self, metric: &str, made: &ReleaseInMemory, policy: &Policy) -> Result<Option<f64>> {
        let compared = compare::compare(&CompareRequest {
            original: self.request.data,
            release: AfterTable::Release(made),
            policy: Some(policy),
            reading: &policy.data,
            same_order: false,
            target: None,
            parameters: Parameters::new(),
            show_values: false,
            resources: self.request.resources.clone(),
            progress: self.request.progress.as_ref(),
        })?;
        let figures = compared.metrics.into_iter().filter(|one| one.metric == metric).flat_map(|one| one.figures);
        let (of_table, others): (Vec<_>, Vec<_>) = figures.partition(|figure| figure.of.is_none());
        let mean = others.iter().map(|figure| figure.value).sum::<f64>() / others.len() as f64;
        Ok(of_table
            .first()
            .map(|figure| figure.value)
            .or((!others.is_empty()).then_some(mean))
            .filter(|it| it.is_finite()))
    }
}

/// Where no policy is admitted there is no map: the first says why, as its release would.
fn refuse_unadmitted(findings: &[PointFinding]) -> Result<()> {
    let is_admitted = |one: &PointFinding| match &one.outcome {
        Outcome::Safe(_) => true,
        Outcome::Unsafe(refusal) => refusal.kind != Kind::Input,
    };
    match findings.first().map(|first| &first.outcome) {
        Some(Outcome::Unsafe(first)) if !findings.iter().any(is_admitted) => Err(first.as_error()),
        _ => Ok(()),
    }
}

/// How the method of a point works.
fn work(settings: &[PolicySetting]) -> Option<&'static MethodWork> {
    let name =
        |setting: &PolicySetting| if let PolicySetting::Method(name) = setting { Some(name.clone()) } else { None };
    Some(&method::find(&settings.iter().find_map(name)?)?.work)
}

/// Tells of points, whatever the steps within them tell.
pub(super) struct PointProgress {
    inner: Arc<dyn Progress>,
    done: AtomicU64,
}

impl PointProgress {
    fn begin(&self, points: usize) {
        self.inner.whole(Step::Map, points as u64);
        self.inner.at(Step::Map, 0);
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.inner.at(Step::Map, done);
    }
}

impl Progress for PointProgress {
    fn at(&self, _: Step, _: u64) {
        // Whoever hears it may stop the run.
        self.inner.at(Step::Map, self.done.load(Ordering::Relaxed));
    }
}

impl Frontier {
    /// The picture.
    #[must_use]
    pub fn picture(&self) -> Picture {
        self.map().picture()
    }

    /// The page for the owner.
    #[must_use]
    pub fn html(&self) -> String {
        map::html(&self.map())
    }

    /// The points of the front, those that stand at one place together.
    #[must_use]
    pub fn places(&self) -> Vec<&[usize]> {
        let costs = |place: &usize| self.points.get(*place).and_then(Point::costs);
        self.front.chunk_by(|one, other| costs(one) == costs(other)).collect()
    }

    /// Writes map, table and one policy for each point of the front into a new folder, in one step or not at all.
    pub fn write(&self, target: &Path, data: Data<'_>, policies: &Path) -> Result<()> {
        folder::write(self, target, data, policies)
    }
}
