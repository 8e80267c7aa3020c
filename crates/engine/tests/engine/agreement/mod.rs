//! All faces give one answer: the same levels, loss and records, or the same refusal in the same words.
//!
//! Every policy of `specs/`, `docs/` and `examples/` is asked of every face, at two suppression limits. What `release` says
//! is the measure. A face may refuse for a reason of its own ([`Face::own`]), but only where `release` refuses nothing that
//! all of them must refuse. Where a face disagrees, the failure names the page and the line.

mod cases;
mod faces;

use std::fs;
use std::path::PathBuf;

use equanym_core::method;
use equanym_engine::error::{Error, Kind, Result};
use equanym_engine::policy::{Policy, PolicySetting, varied};
use equanym_engine::run::live::Live;
use tempfile::TempDir;

use crate::releasing;
use crate::requests;
use cases::Case;
use faces::{FACES, Face, FaceAnswer};

const LIMITS: [f64; 2] = [0.0, 0.2];

/// Parts of the cases, each a test of its own.
const PARTS: usize = 8;

/// Cases in which faces disagree, and why. This list must become empty.
const OPEN: &[(&str, &str)] = &[];

/// What only a reading of all columns finds, because no other face looks at them.
const IN_OTHER_COLUMNS: &str = "cells or more: they are no dates";

/// A case in a folder, at one limit.
pub struct Question {
    folder: TempDir,
    name: String,
    data: PathBuf,
    text: String,
    limit: f64,
    policy: Result<Policy>,
    live: Live,
}

impl Question {
    fn new(case: &Case, limit: f64) -> Self {
        let folder = TempDir::new().unwrap();
        for (name, text) in &case.files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        // What is no policy stays none.
        let text = varied(&case.policy, &[PolicySetting::Limit(limit)]).unwrap_or_else(|_| case.policy.clone());
        let mut policy = Policy::in_folder(&text, &folder.path().join(&case.folder));
        if let (Some(digits), Ok(policy)) = (case.files.get(releasing::KEY), &mut policy) {
            let path = folder.path().join(releasing::KEY);
            releasing::write_key(&path, digits);
            policy.key = Some(path);
        }
        let (name, data) = (format!("{} at {limit}", case.name), folder.path().join(&case.data));
        let live = Live::new(&data, requests::threads(1)).unwrap();
        Self { folder, name, data, text, limit, policy, live }
    }

    /// Where the files of its policy lie.
    fn place(&self) -> PathBuf {
        self.policy.as_ref().map_or_else(|_| self.folder.path().to_owned(), |policy| policy.folder.clone())
    }

    /// Whether columns get new values.
    fn draws(&self) -> bool {
        let method = self.policy.as_ref().ok().and_then(|policy| method::find(&policy.method.name));
        method.is_some_and(|member| member.values().is_some())
    }

    /// Whether a refusal is met only by who writes a release.
    fn is_met_late(&self, refusal: &Error) -> bool {
        refusal.message.contains(IN_OTHER_COLUMNS) || self.draws()
    }

    /// Every face that says something else, with what it says.
    fn disagreements(&self) -> Vec<(&'static str, String)> {
        match &self.policy {
            Ok(policy) => {
                let released = faces::released(self, policy);
                let unlike = |face: &Face| Some((face.name, face.unlike(self, &released, &(face.ask)(self, policy)?)?));
                let balances = faces::unlike_balances(self, policy).map(|unlike| ("balance", unlike));
                FACES.iter().filter_map(unlike).chain(balances).collect()
            }
            // Only a map reads the text again.
            Err(refusal) => match faces::map(self) {
                Err(other) if other == *refusal => Vec::new(),
                answer => vec![("frontier", format!("release: {refusal}\n    here: {}", told(&answer)))],
            },
        }
    }
}

impl Face {
    /// How its answer differs from a release.
    fn unlike(
        &self,
        question: &Question,
        released: &Result<FaceAnswer>,
        answer: &Result<FaceAnswer>,
    ) -> Option<String> {
        match (released, answer) {
            (Err(refusal), _) if !self.writes && question.is_met_late(refusal) => None,
            (Ok(released), Ok(found)) => released.unlike(found),
            (Err(refusal), Err(other)) if refusal == other => None,
            // That nothing is safe is found last: a face that cannot serve says so before.
            (Ok(_) | Err(Error { kind: Kind::Unsafe, .. }), Err(other)) if self.is_own(other) => None,
            _ => Some(format!("release: {}\n    here: {}", told(released), told(answer))),
        }
    }

    fn is_own(&self, refusal: &Error) -> bool {
        refusal.kind == Kind::Input && self.own.iter().any(|own| refusal.message.contains(own))
    }
}

fn told(answer: &Result<FaceAnswer>) -> String {
    match answer {
        Ok(found) => found.to_string(),
        Err(refusal) => format!("exit {}, {refusal}", refusal.exit_code()),
    }
}

/// Asks a part of all cases, and holds what disagrees against the list of what is known to.
fn agree(part: usize) {
    let cases = cases::all();
    assert!(cases.len() > 300, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in cases.iter().skip(part).step_by(PARTS) {
        let unlike = LIMITS.map(|limit| Question::new(case, limit)).into_iter().flat_map(|question| {
            let name = question.name.clone();
            question.disagreements().into_iter().map(move |(face, unlike)| format!("{name}, {face}:\n    {unlike}"))
        });
        let unlike: Vec<String> = unlike.collect();
        match (OPEN.iter().any(|(name, _)| *name == case.name), unlike.is_empty()) {
            (true, true) => wrong.push(format!("{}: agrees; take it off the list", case.name)),
            (true, false) => {}
            (false, _) => wrong.extend(unlike),
        }
    }
    assert!(wrong.is_empty(), "{} disagreements\n\n{}\n", wrong.len(), wrong.join("\n"));
}

#[test]
fn faces_agree_1() {
    agree(0);
}

#[test]
fn faces_agree_2() {
    agree(1);
}

#[test]
fn faces_agree_3() {
    agree(2);
}

#[test]
fn faces_agree_4() {
    agree(3);
}

#[test]
fn faces_agree_5() {
    agree(4);
}

#[test]
fn faces_agree_6() {
    agree(5);
}

#[test]
fn faces_agree_7() {
    agree(6);
}

#[test]
fn faces_agree_8() {
    agree(7);
}

#[test]
fn every_open_disagreement_names_a_case() {
    let cases = cases::all();
    let absent = OPEN.iter().find(|(name, _)| cases.iter().all(|case| case.name != *name));
    assert_eq!(absent, None);
}
