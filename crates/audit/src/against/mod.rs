//! Earlier releases: what somebody learns who holds this one and another.
//!
//! Two releases that are safe apart can give a person away together. [`intersection`] asks who can be in a class of each;
//! [`difference`] asks who is left when one is subtracted from the other. [`overlap`] holds the labels of each column against
//! each other, [`meetings`] finds the classes that hold the same people, [`chance`] says what different people have in common, and
//! [`wanted`] what a release promises.
//!
//! Tokens of the same key tell exactly who is in both. Those of two keys, and dates that moved by two keys, tell nothing and are not
//! compared. A quasi-identifier of one release that the other holds otherwise, or not at all, is taken to be at the top there.
//!
//! The mask of the earlier release is read where it lies beside the folder, as `../private/mask.json`: it says what lists join.
//!
//! Limits: pairs of releases, not three at once. One who knows more than two releases and quasi-identifiers can learn
//! more. Values that changed in between hide people, which is not counted on. Memory grows with the distinct records of
//! both releases.
//!
//! Sources: Ganta, Kasiviswanathan & Smith, Composition attacks and auxiliary information in data privacy, KDD 2008;
//! Xiao & Tao, m-invariance, SIGMOD 2007; Byun et al., Secure anonymization for incremental datasets, SDM 2006.

mod chance;
mod changes;
mod difference;
mod intersection;
mod links;
mod meetings;
mod overlap;
mod shared;
mod side;
mod unions;
mod wanted;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::folder::{self, Folder};
use crate::labels::LabelSense;
use crate::manifest::{self, Claims, Column};
use crate::original::StoredMask;
use crate::table::{self, BareRecord, ReadFailure};
use crate::treatment::PSEUDONYM;
use crate::{AuditError, Check};
use meetings::Meetings;
use overlap::{ColumnOverlap, Senses};
use shared::{SharedColumns, SharedLabels};
use side::{ColumnPlaces, Combinations, Counts, ReleaseSide, sum};
use wanted::{CommonColumns, Demands};

/// A release, as it is compared.
#[derive(Clone, Copy)]
pub(crate) struct ComparedRelease<'a> {
    pub folder: &'a Folder<'a>,
    pub claims: &'a Claims,
    /// What its lists join.
    pub mask: Option<&'a StoredMask>,
}

/// Compares a release with an earlier one.
pub(crate) fn checks(release: ComparedRelease<'_>, earlier: &Path) -> Result<[Check; 2], AuditError> {
    let folder = Folder::list(earlier).map_err(|_| unreadable("there is no such folder"))?;
    let claims = manifest::read(&folder).map_err(|_| unreadable("it has no manifest that can be read"))?.claims;
    let mask = mask_beside(earlier, &claims);
    let both = [release, ComparedRelease { folder: &folder, claims: &claims, mask: mask.as_ref() }];
    let shared = SharedColumns::new([release.claims, &claims], is_same_key(both)?);
    let mut combinations = Combinations::default();
    let places = [shared.places(release.claims, |pair| pair.0), shared.places(&claims, |pair| pair.1)];
    let ours = ReleaseSide::read(release.folder, release.claims, &places[0], &mut combinations)?;
    let theirs = ReleaseSide::read(&folder, &claims, &places[1], &mut combinations)?;
    let sides = [&ours, &theirs];
    let columns = shared.labels.iter().enumerate().map(|(place, pair)| overlap(place, pair, both, sides));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let common = |places: &ColumnPlaces, unlike: Vec<usize>| CommonColumns {
        places: places.common.clone(),
        unlike,
        combinations: &combinations,
    };
    let unlike = |side: fn(&(usize, usize)) -> usize| shared.unlike.iter().map(side).collect::<Vec<_>>();
    let comparison = ReleasePair {
        sides,
        meetings: Meetings::find(sides, &columns),
        wanted: [
            &Demands::new(release.claims, &common(&places[0], unlike(|pair| pair.0)), &ours.all()),
            &Demands::new(&claims, &common(&places[1], unlike(|pair| pair.1)), &theirs.all()),
        ],
        strangers: OnceCell::new(),
    };
    Ok([intersection::check(&comparison), difference::check(&comparison)])
}

/// The mask of a release that still lies where it was written; nothing where there is none, or that of another one.
fn mask_beside(public: &Path, claims: &Claims) -> Option<StoredMask> {
    let path = public.canonicalize().ok()?.parent()?.join("private/mask.json");
    // What is no file may never end.
    let mask = path.is_file().then(|| StoredMask::read(&path).ok())??;
    mask.is_of(claims).then_some(mask)
}

fn unreadable(what: &'static str) -> AuditError {
    AuditError::Earlier { what }
}

/// Two releases held against each other; the audited one stands first everywhere.
struct ReleasePair<'a> {
    sides: [&'a ReleaseSide; 2],
    meetings: Meetings,
    wanted: [&'a Demands<'a>; 2],
    strangers: OnceCell<bool>,
}

impl ReleasePair<'_> {
    /// Whether the releases are of different people, as far as chance tells.
    fn are_strangers(&self) -> bool {
        *self.strangers.get_or_init(|| {
            let both = self.meetings.list.iter().filter(|meeting| meeting.classes.iter().all(|side| !side.is_empty()));
            chance::are_strangers(both.map(|meeting| [0, 1].map(|side: usize| self.sum(side, &meeting.classes[side]))))
        })
    }

    /// What these classes of a release hold.
    fn sum(&self, side: usize, classes: &[u32]) -> Counts {
        sum(classes.iter().filter_map(|class| Some(&self.sides.get(side)?.class(*class)?.counts)))
    }
}

/// How the labels of both releases overlap in a column, the one at this place among the shared ones.
fn overlap(
    place: usize,
    pair: &SharedLabels,
    both: [ComparedRelease<'_>; 2],
    sides: [&ReleaseSide; 2],
) -> Result<ColumnOverlap, AuditError> {
    let labels = sides.map(|side| side.labels.get(place).map_or(&[][..], Vec::as_slice));
    let column = |side: usize, place: usize| both.get(side).and_then(|one| one.claims.columns.get(place));
    let (Some(ours), Some(theirs)) = (column(0, pair.places.0), column(1, pair.places.1)) else {
        return Err(unreadable("its columns are not those of its manifest"));
    };
    let sense = |column: &'_ Column, own: usize| {
        let labels = labels.get(own).copied().unwrap_or_default();
        let masks = [both.get(own), both.get(1 - own)].map(|one| one.and_then(|one| one.mask));
        listed(column, masks, labels)
    };
    let [one, other] = [LabelSense::new(ours, sense(ours, 0)), LabelSense::new(theirs, sense(theirs, 1))];
    let (Some(one), Some(other)) = (one, other) else {
        return Err(unreadable("its labels follow rules that are not known to this audit"));
    };
    Ok(ColumnOverlap::new(labels, &Senses { both: [&one, &other], are_comparable: pair.is_alike }))
}

/// What a list joins at the level of a column: by the mask of its release, or by the other one's where that has the same labels.
fn listed(column: &Column, masks: [Option<&StoredMask>; 2], labels: &[Box<str>]) -> Option<HashMap<String, String>> {
    let level = column.level?;
    let [own, other] = masks.map(|mask| mask.and_then(|mask| mask.labels(&column.name, level)));
    let other = other.filter(|listed| {
        let known: HashSet<&str> = listed.values().map(String::as_str).collect();
        let own: HashSet<&str> = labels.iter().map(|label| &**label).filter(|label| !label.is_empty()).collect();
        known == own
    });
    own.or(other).filter(|listed| !listed.is_empty())
}

/// Whether both releases have a token in common: then their key is the same.
fn is_same_key([release, earlier]: [ComparedRelease<'_>; 2]) -> Result<bool, AuditError> {
    let [new, old] = [release.claims, earlier.claims];
    for (place, column) in new.columns.iter().enumerate().filter(|(_, column)| column.role == PSEUDONYM) {
        let is_same = |other: &Column| other.name == column.name && other.role == PSEUDONYM;
        if let Some(other) = old.columns.iter().position(is_same) {
            let mut tokens = HashSet::new();
            read(release.folder, new, |record| {
                tokens.insert(record.cell(place).into_owned());
            })?;
            tokens.remove("");
            let mut is_met = false;
            read(earlier.folder, old, |record| is_met |= tokens.contains(&*record.cell(other)))?;
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
