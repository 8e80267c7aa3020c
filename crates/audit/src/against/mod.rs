//! Earlier releases: what somebody learns who holds this one and another.
//!
//! Two releases that are safe apart can give a person away together. [`intersection`] asks who can be in a class of each;
//! [`difference`] asks who is left when one is subtracted from the other. [`meeting`] brings keys of different levels
//! together, [`chance`] says what different people have in common, and [`wanted`] what the release promises.
//!
//! Tokens of the same key tell exactly who is in both. Those of two keys, and dates that moved by two keys, tell nothing and are not
//! compared.
//!
//! Limits: pairs of releases, not three at once. One who knows more than two releases and quasi-identifiers can learn
//! more. Values that changed in between hide people, which is not counted on. Memory grows with the distinct records of
//! both releases.
//!
//! Sources: Ganta, Kasiviswanathan & Smith, Composition attacks and auxiliary information in data privacy, KDD 2008;
//! Xiao & Tao, m-invariance, SIGMOD 2007; Byun et al., Secure anonymization for incremental datasets, SDM 2006.

mod chance;
mod difference;
mod intersection;
mod meeting;
mod wanted;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::folder::{self, Folder};
use crate::manifest::{self, Claims, Column};
use crate::table::{self, BareRecord, ReadFailure};
use crate::treatment::{self, PSEUDONYM};
use crate::{AuditError, Check, spelling};
use wanted::Demands;

/// Texts that stand for one.
type Cells = Box<[Box<str>]>;

/// How often each combination of common values occurs.
type CombinationCounts = HashMap<Cells, u64>;

/// The records of a release by their keys, where those of both releases meet.
type Groups = HashMap<Cells, CombinationCounts>;

/// The classes of a release that share the cells which can be compared: for each the rest of its key, and how often each
/// combination of common values occurs in it.
type Classes = HashMap<Cells, HashMap<Cells, CombinationCounts>>;

/// Compares the release in `public` with an earlier one.
pub(crate) fn checks(public: &Folder<'_>, claims: &Claims, earlier: &Path) -> Result<[Check; 2], AuditError> {
    let older = Folder::list(earlier).map_err(|_| unreadable("there is no such folder"))?;
    let older_claims = manifest::read(&older).map_err(|_| unreadable("it has no manifest that can be read"))?.claims;
    let is_same_key = is_same_key([public, &older], [claims, &older_claims])?;
    let shared = SharedColumns::new(claims, &older_claims, is_same_key);
    let ours = shared.classes(public, claims, |columns| columns.0)?;
    let theirs = shared.classes(&older, &older_claims, |columns| columns.1)?;
    let wanted = Demands::new(claims, &shared, [&ours, &theirs]);
    let meeting = meeting::Meeting::new([claims, &older_claims], &shared);
    let (mine, yours) = (meeting.groups(&ours, 0), meeting.groups(&theirs, 1));
    let are_strangers = chance::are_strangers(&mine, &yours);
    Ok([intersection::check(&ours, &theirs, are_strangers, &wanted), difference::check(&mine, &yours, &wanted)])
}

fn unreadable(what: &'static str) -> AuditError {
    AuditError::Earlier { what }
}

/// The columns that both releases hold, by their places in the new and in the earlier one.
struct SharedColumns {
    is_same_key: bool,
    /// Quasi-identifiers with the same rule.
    comparable: Vec<(usize, usize)>,
    /// Columns as collected.
    common: Vec<(usize, usize)>,
}

impl SharedColumns {
    fn new(new: &Claims, old: &Claims, is_same_key: bool) -> Self {
        let pairs = new.columns.iter().enumerate().filter_map(|(place, column)| {
            let other = old.columns.iter().position(|other| other.name == column.name)?;
            Some((place, other, column, old.columns.get(other)?))
        });
        // Equal cells mean the same only where the same happened to them.
        let pairs: Vec<_> = pairs.filter(|(.., new, old)| is_treated_alike(new, old, is_same_key)).collect();
        let places = |wanted: fn(&Column, &Column) -> bool| {
            let chosen = pairs.iter().filter(|(.., new, old)| wanted(new, old));
            chosen.map(|(new, old, ..)| (*new, *old)).collect()
        };
        Self {
            is_same_key,
            comparable: places(|new, old| new.is_recoded() && old.is_recoded() && is_same_rule(new, old)),
            common: places(|new, old| !new.is_quasi() && !old.is_quasi()),
        }
    }

    /// Whether the same happened to the cells of two columns before all else.
    fn is_treated_alike(&self, new: &Column, old: &Column) -> bool {
        is_treated_alike(new, old, self.is_same_key)
    }

    /// The places of the recoded columns of a release that have no counterpart with the same rule.
    fn rest(&self, claims: &Claims, side: fn(&(usize, usize)) -> usize) -> Vec<usize> {
        let is_comparable = |place: &usize| self.comparable.iter().any(|pair| side(pair) == *place);
        let quasi = claims.columns.iter().enumerate().filter(|(_, column)| column.is_recoded());
        quasi.map(|(place, _)| place).filter(|place| !is_comparable(place)).collect()
    }

    /// Groups the records of a release; `side` tells which of two places is its own.
    fn classes(
        &self,
        folder: &Folder<'_>,
        claims: &Claims,
        side: fn(&(usize, usize)) -> usize,
    ) -> Result<Classes, AuditError> {
        let comparable: Vec<usize> = self.comparable.iter().map(side).collect();
        let common: Vec<usize> = self.common.iter().map(side).collect();
        let rest = self.rest(claims, side);
        let mut classes = Classes::new();
        read(folder, claims, |record| {
            let cells = |places: &[usize]| -> Cells { places.iter().map(|place| record.cell(*place).into()).collect() };
            let class = classes.entry(cells(&comparable)).or_default().entry(cells(&rest)).or_default();
            *class.entry(cells(&common)).or_default() += 1;
        })?;
        Ok(classes)
    }
}

/// Whether the same happened to the cells of two columns. Tokens and moved dates of two keys have nothing in common.
fn is_treated_alike(new: &Column, old: &Column, is_same_key: bool) -> bool {
    let is_keyed = treatment::read(new).is_ok_and(|treatments| treatments.iter().any(|one| one.is_keyed));
    new.treatments == old.treatments && (is_same_key || !is_keyed)
}

/// Whether both releases have a token in common: then their key is the same.
fn is_same_key(folders: [&Folder<'_>; 2], claims: [&Claims; 2]) -> Result<bool, AuditError> {
    let [new, old] = claims;
    for (place, column) in new.columns.iter().enumerate().filter(|(_, column)| column.role == PSEUDONYM) {
        let is_same = |other: &Column| other.name == column.name && other.role == PSEUDONYM;
        if let Some(other) = old.columns.iter().position(is_same) {
            let mut tokens = HashSet::new();
            read(folders[0], new, |record| {
                tokens.insert(record.cell(place).into_owned());
            })?;
            tokens.remove("");
            let mut is_met = false;
            read(folders[1], old, |record| is_met |= tokens.contains(&*record.cell(other)))?;
            if is_met {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Shows every record of a release.
fn read(folder: &Folder<'_>, claims: &Claims, see: impl FnMut(&BareRecord<'_>)) -> Result<(), AuditError> {
    let content = folder.file(&claims.data.file).ok_or_else(|| unreadable("its data file is absent"))?;
    if !folder::digest(&content)?.sha256.eq_ignore_ascii_case(&claims.data.sha256) {
        return Err(unreadable("its data file is not the one that its manifest tells of"));
    }
    table::read(&content, claims, see).map_err(|error| match error {
        ReadFailure::Io(kind) => AuditError::Io { what: "a release", kind },
        ReadFailure::Content { .. } => unreadable("its data cannot be read"),
    })
}

/// What a reader sees in a cell.
fn spelt(cell: &str) -> String {
    let mut seen = String::new();
    spelling::read(cell, &mut seen);
    seen
}

/// Whether equal cells mean the same in both releases, and different cells different people.
fn is_same_rule(new: &Column, old: &Column) -> bool {
    fn rule(column: &Column) -> Option<impl PartialEq + '_> {
        let labels = column.labels.as_ref()?;
        Some((
            column.level,
            column.levels,
            &labels.rule,
            ["width", "keep", "grain"].map(|key| labels.parameters.value(key)),
        ))
    }
    let is_apart = |column: &Column| column.labels.as_ref().is_some_and(|labels| !labels.or_top);
    rule(new).is_some() && rule(new) == rule(old) && is_apart(new) && is_apart(old)
}
