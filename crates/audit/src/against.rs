//! The intersection with an earlier release: what somebody learns who holds both.
//!
//! Two releases that are safe apart can give a person away together: whoever knows a person's quasi-identifiers finds a
//! class in each, and only people who fit both remain. Nothing in a release names a person, so what remains is counted
//! by the columns that both releases hold as collected: of two classes with `n₁(v)` and `n₂(v)` records of the values
//! `v`, at most `Σ min(n₁(v), n₂(v))` people can be in both with unchanged values. The check passes when every pair of
//! classes that one person may be in leaves nobody, or as many people as k-anonymity promises (of the release that is
//! audited), with as many distinct values as l-diversity promises among them.
//!
//! Two keys fit together when the cells of each column that has the same rule in both releases are the same. A column
//! whose rules differ is taken to fit always: the check then compares more pairs than there are, and errs on the safe
//! side. Lists that somebody wrote count as the same rule when level and height are the same.
//!
//! Limits: pairs of releases, not three at once. The number is an upper bound, as an intruder with the two releases
//! has it; one who knows more can learn more. Values that changed in between hide people, which is not counted on. Memory
//! grows with the distinct records of both releases.
//!
//! Sources: Ganta, Kasiviswanathan & Smith, Composition attacks and auxiliary information in data privacy, KDD 2008;
//! Xiao & Tao, m-invariance, SIGMOD 2007.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use csv::StringRecord;

use crate::folder::{self, Folder};
use crate::manifest::{self, Claims, Column};
use crate::privacy::Model;
use crate::table::{Table, Unreadable};
use crate::{AuditError, Check, INTERSECTION, formula, spelling};

/// More pairs of classes than this are not compared: the check fails instead.
const MOST_PAIRS: u64 = 200_000_000;

/// Texts that stand for one.
type Cells = Box<[Box<str>]>;

/// The classes of a release that share the cells which can be compared: for each the rest of its key, and how often each
/// combination of common values occurs in it.
type Classes = HashMap<Cells, HashMap<Cells, HashMap<Cells, u64>>>;

/// Compares the release in `public` with an earlier one.
pub(crate) fn check(public: &Folder, claims: &Claims, earlier: &Path) -> Result<Check, AuditError> {
    let older = Folder::list(earlier).map_err(|_| unreadable("there is no such folder"))?;
    let older_claims = manifest::read(&older).map_err(|_| unreadable("it has no manifest that can be read"))?.claims;
    let shared = Shared::of(claims, &older_claims);
    let wanted = Wanted::of(claims, &shared);
    let mut found = Found::default();
    let ours = shared.classes(public, claims, |columns| columns.0)?;
    let theirs = shared.classes(&older, &older_claims, |columns| columns.1)?;
    for (key, classes) in &ours {
        let Some(others) = theirs.get(key) else { continue };
        found.pairs = found.pairs.saturating_add((classes.len() as u64).saturating_mul(others.len() as u64));
        if found.pairs > MOST_PAIRS {
            return Ok(wanted.check(&found));
        }
        for class in classes.values() {
            for other in others.values() {
                found.compare(class, other, &wanted);
            }
        }
    }
    Ok(wanted.check(&found))
}

fn unreadable(what: &'static str) -> AuditError {
    AuditError::Earlier { what }
}

/// The columns that both releases hold, by their places in the new and in the earlier one.
struct Shared {
    /// Quasi-identifiers with the same rule.
    comparable: Vec<(usize, usize)>,
    /// Columns as collected.
    common: Vec<(usize, usize)>,
}

impl Shared {
    fn of(new: &Claims, old: &Claims) -> Self {
        let pairs = new.columns.iter().enumerate().filter_map(|(place, column)| {
            let other = old.columns.iter().position(|other| other.name == column.name)?;
            Some((place, other, column, old.columns.get(other)?))
        });
        let pairs: Vec<_> = pairs.collect();
        let places = |wanted: fn(&Column, &Column) -> bool| {
            let chosen = pairs.iter().filter(|(.., new, old)| wanted(new, old));
            chosen.map(|(new, old, ..)| (*new, *old)).collect()
        };
        Self {
            comparable: places(|new, old| new.is_recoded() && old.is_recoded() && is_same_rule(new, old)),
            common: places(|new, old| !new.is_quasi() && !old.is_quasi()),
        }
    }

    /// Groups the records of a release; `side` tells which of two places is its own.
    fn classes(
        &self,
        folder: &Folder,
        claims: &Claims,
        side: fn(&(usize, usize)) -> usize,
    ) -> Result<Classes, AuditError> {
        let path = folder.path(&claims.data.file).ok_or_else(|| unreadable("its data file is absent"))?;
        if !folder::digest(&path)?.sha256.eq_ignore_ascii_case(&claims.data.sha256) {
            return Err(unreadable("its data file is not the one that its manifest tells of"));
        }
        let comparable: Vec<usize> = self.comparable.iter().map(side).collect();
        let common: Vec<usize> = self.common.iter().map(side).collect();
        let quasi = claims.columns.iter().enumerate().filter(|(_, column)| column.is_recoded());
        let rest: Vec<usize> = quasi.map(|(place, _)| place).filter(|place| !comparable.contains(place)).collect();
        let failed = |error| match error {
            Unreadable::Io(kind) => AuditError::Io { what: "a release", kind },
            Unreadable::Content { .. } => unreadable("its data cannot be read"),
        };
        let mut table = Table::open(&path, &claims.data.format).map_err(failed)?;
        let csv = table.is_csv();
        let mut classes = Classes::new();
        let mut record = StringRecord::new();
        while table.next(&mut record).map_err(failed)? {
            let cells = |places: &[usize]| -> Cells { places.iter().map(|place| cell(&record, *place, csv)).collect() };
            let class = classes.entry(cells(&comparable)).or_default().entry(cells(&rest)).or_default();
            *class.entry(cells(&common)).or_default() += 1;
        }
        Ok(classes)
    }
}

/// What a reader sees in a cell.
fn spelt(cell: &str) -> String {
    let mut seen = String::new();
    spelling::read(cell, &mut seen);
    seen
}

/// A cell without the guard that a CSV may need.
fn cell(record: &StringRecord, place: usize, csv: bool) -> Box<str> {
    let text = record.get(place).unwrap_or_default();
    if csv { formula::unguarded(text).into() } else { text.into() }
}

/// Whether equal cells mean the same in both releases, and different cells different people.
fn is_same_rule(new: &Column, old: &Column) -> bool {
    fn rule(column: &Column) -> Option<impl PartialEq + '_> {
        let labels = column.labels.as_ref()?;
        Some((column.level, column.levels, &labels.rule, &labels.width, labels.keep, &labels.grain))
    }
    let is_apart = |column: &Column| column.labels.as_ref().is_some_and(|labels| !labels.or_top);
    rule(new).is_some() && rule(new) == rule(old) && is_apart(new) && is_apart(old)
}

/// What the audited release promises, in terms of the common columns.
struct Wanted {
    people: u64,
    /// Places among the common columns, with the number of distinct values.
    distinct: Vec<(usize, u64)>,
}

impl Wanted {
    fn of(claims: &Claims, shared: &Shared) -> Self {
        let mut wanted = Self { people: 2, distinct: Vec::new() };
        for model in claims.privacy.iter().map(|claim| Model::of(claim, &claims.columns)) {
            match model {
                Model::KAnonymity { k } => wanted.people = wanted.people.max(k),
                Model::DistinctDiversity { variable, l, .. } => {
                    let place = shared.common.iter().position(|(new, _)| *new == variable);
                    wanted.distinct.extend(place.map(|place| (place, l)));
                }
                Model::Unknown { .. } => {}
            }
        }
        wanted
    }

    fn check(&self, found: &Found) -> Check {
        let claim = format!(
            "whoever is in this and in an earlier release hides among {} people or more{}",
            self.people,
            if self.distinct.is_empty() { "" } else { ", with as many distinct sensitive values as promised" }
        );
        let passed = found.pairs <= MOST_PAIRS && found.few == 0 && found.alike == 0;
        let text = match () {
            () if found.pairs > MOST_PAIRS => format!("more than {MOST_PAIRS} pairs of classes: too many to compare"),
            () if passed => format!("all of {} pairs of classes with people in common", found.met),
            () => format!(
                "of {} pairs of classes with people in common, {} hold fewer people and {} fewer values",
                found.met, found.few, found.alike
            ),
        };
        Check::new(INTERSECTION, passed, claim, text)
    }
}

#[derive(Default)]
struct Found {
    /// Pairs that were or would have been compared.
    pairs: u64,
    /// Pairs with people in common.
    met: u64,
    /// Of those, pairs with too few people.
    few: u64,
    /// Of those, pairs with too few distinct values.
    alike: u64,
}

impl Found {
    fn compare(&mut self, class: &HashMap<Cells, u64>, other: &HashMap<Cells, u64>, wanted: &Wanted) {
        let (small, large) = if class.len() <= other.len() { (class, other) } else { (other, class) };
        let both = small.iter().filter_map(|(values, count)| Some((values, *count.min(large.get(values)?))));
        let mut people = 0;
        let mut distinct: Vec<HashSet<String>> = wanted.distinct.iter().map(|_| HashSet::new()).collect();
        for (values, count) in both {
            people += count;
            for ((place, _), seen) in wanted.distinct.iter().zip(&mut distinct) {
                seen.extend(values.get(*place).map(|value| spelt(value)));
            }
        }
        if people == 0 {
            return;
        }
        self.met += 1;
        self.few += u64::from(people < wanted.people);
        let alike = wanted.distinct.iter().zip(&distinct).any(|((_, least), seen)| (seen.len() as u64) < *least);
        self.alike += u64::from(alike);
    }
}
