//! The faces, each as a function from a question to an answer.

use std::fs;
use std::path::PathBuf;

use equanym_core::report::Report;
use equanym_engine::error::Result;
use equanym_engine::mask::StoredMask;
use equanym_engine::policy::{FrontierPolicy, Policy};
use equanym_engine::progress::Silent;
use equanym_engine::read::text_file;
use equanym_engine::run::alternatives::{self, Alternatives};
use equanym_engine::run::apply::Adjustment;
use equanym_engine::run::balance::{self, BalanceSolution};
use equanym_engine::run::frontier::{self, FrontierRequest, Outcome};
use equanym_engine::run::in_memory::{self, ApplyBatchesRequest, ReleaseInMemory};
use equanym_engine::run::{release, sql};

use super::Question;
use crate::requests;

/// One of the ways to ask.
pub struct Face {
    pub name: &'static str,
    /// What it says where a policy can be released and the face cannot serve.
    pub own: &'static [&'static str],
    /// Whether it reads all columns and makes new values, as a release does.
    pub writes: bool,
    /// Nothing where there is nothing to ask.
    pub ask: fn(&Question, &Policy) -> Option<Result<FaceAnswer>>,
}

/// What a face finds; what it does not tell is absent.
#[derive(Debug, Default)]
pub struct FaceAnswer {
    pub levels: Vec<(String, u8)>,
    pub suppressed: u64,
    pub loss: Option<f64>,
    /// Whether the loss is the least.
    is_least: bool,
    table: Option<Vec<u8>>,
}

const SAMPLED: &str = "rests on a sample that is drawn once";
const UNSEEDED: &str = "draws new values, and nothing says from which seed";
const UNWRITTEN: &str = "cannot be written as SQL";
const UNCOUNTED: &str = "cannot be checked by counting in SQL";
const CHOICE: &[&str] = &[SAMPLED, "has no nodes", "there is nothing to choose"];

/// All ways but `release`.
pub const FACES: [Face; 7] = [
    Face { name: "alternatives", own: CHOICE, writes: false, ask: listed },
    Face { name: "alternatives of a table at hand", own: CHOICE, writes: false, ask: listed_at_hand },
    Face {
        name: "table at hand",
        own: &[SAMPLED],
        writes: false,
        ask: |question, policy| Some(at_hand(question, policy)),
    },
    Face { name: "frontier", own: &[SAMPLED, UNSEEDED], writes: false, ask: |question, _| Some(map(question)) },
    Face {
        name: "sql",
        own: &[SAMPLED, UNWRITTEN, UNCOUNTED],
        writes: false,
        ask: |question, policy| Some(written(question, policy)),
    },
    Face { name: "in memory", own: &[], writes: true, ask: |question, policy| Some(in_memory(question, policy)) },
    Face { name: "apply", own: &["cannot be applied again"], writes: true, ask: applied },
];

impl FaceAnswer {
    fn of(report: &Report) -> Self {
        Self {
            levels: report.node.0.clone(),
            suppressed: report.suppressed,
            loss: report.choice.as_ref().map(|choice| choice.loss.value),
            is_least: report.choice.as_ref().is_none_or(|choice| choice.optimal),
            table: None,
        }
    }

    fn of_memory(made: &ReleaseInMemory) -> Self {
        let table = made.public()[&made.released.manifest.data.file].to_vec();
        Self { table: Some(table), ..Self::of(&made.released.report) }
    }

    /// How another answer differs.
    pub fn unlike(&self, other: &Self) -> Option<String> {
        let is_better = !self.is_least && other.loss < self.loss;
        let same_loss = self.loss.is_none() || other.loss.is_none() || self.loss == other.loss;
        let same_table = self.table.is_none() || other.table.is_none() || self.table == other.table;
        let same_node = (&self.levels, self.suppressed) == (&other.levels, other.suppressed) && same_loss;
        match (same_node || is_better, same_table) {
            (false, _) => Some(format!("release: {self}\n    here: {other}")),
            (true, false) => Some("other bytes than release".to_owned()),
            (true, true) => None,
        }
    }
}

impl std::fmt::Display for FaceAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}, loss {:?}, {} suppressed", self.levels, self.loss, self.suppressed)
    }
}

/// The measure: a release on disk.
pub fn released(question: &Question, policy: &Policy) -> Result<FaceAnswer> {
    let out = out(question);
    let released = release::release(&requests::release(&question.data, policy, &out))?;
    let table = || fs::read(out.join("public").join(&released.manifest.data.file)).unwrap();
    // Keys and seeds that are made for a release give other bytes each time.
    let is_repeated = released.key.is_none() && (policy.method.seed.is_some() || !question.draws());
    Ok(FaceAnswer { table: is_repeated.then(table), ..FaceAnswer::of(&released.report) })
}

fn out(question: &Question) -> PathBuf {
    question.folder.path().join("release")
}

fn listed(question: &Question, policy: &Policy) -> Option<Result<FaceAnswer>> {
    let place = policy.method.choose.unwrap_or(1);
    last(policy, alternatives::alternatives(&requests::alternatives(&question.data, policy, place)))
}

fn listed_at_hand(question: &Question, policy: &Policy) -> Option<Result<FaceAnswer>> {
    let place = policy.method.choose.unwrap_or(1);
    last(policy, question.live.alternatives(policy, place, &Silent))
}

/// The node that a policy chooses; nothing if there are fewer. What a balance misses is no loss.
fn last(policy: &Policy, found: Result<Alternatives>) -> Option<Result<FaceAnswer>> {
    let told = |found: Alternatives| {
        let node = found.alternatives.get(policy.method.choose.unwrap_or(1) - 1)?;
        let loss = (found.minimised == policy.method.loss).then_some(node.loss);
        Some(FaceAnswer { levels: node.node.0.clone(), suppressed: node.suppressed, loss, ..FaceAnswer::default() })
    };
    found.map(told).transpose()
}

fn at_hand(question: &Question, policy: &Policy) -> Result<FaceAnswer> {
    question.live.best(policy, &Silent).map(|report| FaceAnswer::of(&report))
}

/// The only point of a map that varies nothing but what the policy says already.
pub fn map(question: &Question) -> Result<FaceAnswer> {
    let folder = question.place();
    let files = |name: &str| text_file::read(&folder.join(name));
    let sweeps = FrontierPolicy { limits: vec![question.limit], ..FrontierPolicy::default() };
    let request = requests::frontier(&question.data, &question.text, &folder, &files);
    let key = question.policy.as_ref().ok().and_then(|policy| policy.key.as_deref());
    let map = frontier::frontier(&FrontierRequest { sweeps, key, ..request })?;
    match &map.points[0].outcome {
        Outcome::Safe(found) => Ok(FaceAnswer {
            levels: found.node.0.clone(),
            suppressed: found.suppressed,
            loss: found.loss.as_ref().map(|loss| loss.value),
            ..FaceAnswer::default()
        }),
        Outcome::Unsafe(refusal) => Err(refusal.as_error()),
    }
}

fn written(question: &Question, policy: &Policy) -> Result<FaceAnswer> {
    sql::sql(&requests::sql(&question.data, policy, "postgres")).map(|made| FaceAnswer::of(&made.report))
}

fn in_memory(question: &Question, policy: &Policy) -> Result<FaceAnswer> {
    let made = in_memory::release_batches(&requests::release_in_memory(&question.data, policy));
    made.map(|made| FaceAnswer::of_memory(&made))
}

/// The release's own mask on the same table; nothing if there is no release.
fn applied(question: &Question, policy: &Policy) -> Option<Result<FaceAnswer>> {
    let private = out(question).join("private");
    let mut stored = StoredMask::from_json(&fs::read_to_string(private.join("mask.json")).ok()?).unwrap();
    stored.key = [private.join("key")].into_iter().find(|key| key.exists()).or_else(|| policy.key.clone());
    let adjustment = Adjustment { population: policy.population(), ..Adjustment::default() };
    let request = requests::apply_in_memory(&question.data, stored);
    let made = in_memory::apply_batches(ApplyBatchesRequest { adjustment, ..request });
    Some(made.map(|made| FaceAnswer::of_memory(&made)))
}

/// How the two ways to a balance differ, where the policy has one.
pub fn unlike_balances(question: &Question, policy: &Policy) -> Option<String> {
    policy.require_balance().ok()?;
    let told = |solved: Result<BalanceSolution>| match solved {
        Ok(solved) => serde_json::to_string(&solved.report).unwrap(),
        Err(refusal) => format!("exit {}, {refusal}", refusal.exit_code()),
    };
    let alone = told(balance::balance(&requests::balance(&question.data, policy)));
    let at_hand = told(question.live.balance(policy, &Silent));
    (alone != at_hand).then(|| format!("alone: {alone}\n    at hand: {at_hand}"))
}
