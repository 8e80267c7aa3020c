//! Who works on the records: this machine, or a cluster.
//!
//! The one place where that is decided. Whoever works, the results are the same: keys in no order, records in theirs, walks by
//! their seed. What depends on the order of records is done here in any case.

use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use equanym_core::method::values::{ChangedColumns, ValueMethod, ValueTask};

use crate::access::ClusterAccess;
#[cfg(feature = "cluster")]
use crate::count::Sketch;
use crate::count::{self, Keys, Places};
use crate::decide::new_values::unchanged;
use crate::decide::{Fitted, Looked};
use crate::error::{Error, Result};
use crate::machine::{Resources, Runtime};
use crate::mask::rewrite::Rewriter;
use crate::progress::Progress;
use crate::read::{Data, Reading, Source};
use crate::treat::Wanted;
use crate::write::table::SecondReading;

#[cfg(feature = "cluster")]
use crate::cluster::{Cluster, Patience, SharedTable};

/// Refuses a cluster where cells are treated: executors do not treat, and a key does not leave this machine.
pub(super) fn refuse_cluster<'a>(
    cluster: Option<&ClusterAccess>,
    treatments: impl IntoIterator<Item = Wanted<'a>>,
) -> Result<()> {
    let first = treatments.into_iter().find_map(|(name, treatments)| Some((name, treatments.first()?)));
    let Some((name, treatment)) = first.filter(|_| cluster.is_some()) else { return Ok(()) };
    let (name, treatment) = (name.escape_debug(), treatment.card().name);
    Err(Error::input(format!("a cluster cannot work on column `{name}`: it knows no `{treatment}`"))
        .hint("run without --cluster; the key of pseudonyms and moved dates never leaves this machine"))
}

/// Counts the keys of a table on this machine.
pub(super) fn count_here(
    runtime: &Runtime,
    source: &Source,
    columns: &[usize],
    progress: &dyn Progress,
) -> Result<Keys> {
    count::count(source, &columns, runtime, progress)
}

/// Who works on the records.
pub(super) struct Workers {
    /// The threads, memory and spill space here.
    pub runtime: Runtime,
    /// Whether cells must be looked at that are not counted. This machine does that.
    #[cfg_attr(not(feature = "cluster"), allow(dead_code))] // only a cluster makes a difference
    pub looks: bool,
    #[cfg(feature = "cluster")]
    cluster: Option<Cluster>,
}

impl Workers {
    /// This machine, and the cluster at an address if there is one.
    pub(super) fn start(
        resources: &Resources,
        spill: &Path,
        cluster: Option<&ClusterAccess>,
        data: Data<'_>,
        reading: &Reading,
    ) -> Result<Self> {
        #[cfg(feature = "cluster")]
        let join =
            |access| match data.path() {
                Some(path) => Cluster::join(access, path, reading, Patience::default()),
                None => Err(Error::input("a cluster cannot read what is in this machine's memory")
                    .hint("run without a cluster")),
            };
        #[cfg(feature = "cluster")]
        let cluster = cluster.map(join).transpose()?;
        #[cfg(not(feature = "cluster"))]
        if cluster.is_some() {
            let _ = (data, reading);
            return Err(Error::input("this program was built without clusters")
                .hint("build it with them: `cargo install --path crates/cli --features cluster`"));
        }
        let runtime = Runtime::start(resources, Some(spill))?;
        Ok(Self {
            runtime,
            looks: false,
            #[cfg(feature = "cluster")]
            cluster,
        })
    }

    /// This machine alone.
    #[must_use]
    pub(super) fn here(runtime: Runtime) -> Self {
        Self {
            runtime,
            looks: false,
            #[cfg(feature = "cluster")]
            cluster: None,
        }
    }

    /// Looks at identifying columns, and says what to look for in others; with a cluster only where that must be.
    #[must_use]
    #[cfg_attr(not(feature = "cluster"), allow(clippy::unused_self))] // only a cluster makes a difference
    pub(super) fn look(&self, source: &Source, identifying: &[usize], few: u64, tells_people: bool) -> Looked {
        #[cfg(feature = "cluster")]
        if self.cluster.is_some() && !self.looks {
            return Looked::nothing(few, tells_people);
        }
        Looked::new(source, identifying, few, tells_people)
    }

    /// Counts the keys of the columns at these places. A cluster looks at no others; this machine does where that must be.
    pub(super) fn count(&self, source: &Source, places: Places<'_>, progress: &dyn Progress) -> Result<Keys> {
        #[cfg(feature = "cluster")]
        if let Some(cluster) = &self.cluster {
            let (keys, filled) = cluster.count(&cluster.table, places.keys, self.runtime.memory, progress)?;
            if self.looks {
                return Ok(Keys { watched: self.watched(source, &places, progress)?, ..keys });
            }
            source.note_filled(filled);
            return Ok(keys);
        }
        count::count(source, places, &self.runtime, progress)
    }

    /// Looks at columns that are not counted. The person stands last among those that are.
    #[cfg(feature = "cluster")]
    fn watched(&self, source: &Source, places: &Places<'_>, progress: &dyn Progress) -> Result<Vec<Sketch>> {
        let tells_people = places.lookout.is_some_and(|lookout| lookout.tells_people);
        let person = places.keys.len().saturating_sub(usize::from(tells_people));
        let places = Places { keys: &places.keys[person..], ..*places };
        Ok(count::count(source, places, &self.runtime, progress)?.watched)
    }

    /// Counts the keys of another table than the one that is released. A cluster reads no databases; this machine does.
    pub(super) fn count_beside(
        &self,
        (data, reading): (&Path, &Reading),
        source: &Source,
        columns: &[usize],
        progress: &dyn Progress,
    ) -> Result<Keys> {
        #[cfg(feature = "cluster")]
        if let Some(cluster) = &self.cluster
            && let Some(table) = SharedTable::beside(data, reading)?
        {
            return Ok(cluster.count(&table, columns, self.runtime.memory, progress)?.0);
        }
        #[cfg(not(feature = "cluster"))]
        let _ = (data, reading);
        count_here(&self.runtime, source, columns, progress)
    }

    /// The rewritten records as keys, in order, handed to what `begin` makes; it is made anew when the work is begun anew.
    pub(super) fn rewrite<T>(
        &self,
        reading: &SecondReading<'_>,
        fitted: &Fitted,
        rewriter: &Arc<Rewriter>,
        mut begin: impl FnMut() -> Result<T>,
        mut take: impl FnMut(&mut T, RecordBatch) -> Result<()>,
    ) -> Result<T> {
        #[cfg(feature = "cluster")]
        if let Some(cluster) = &self.cluster {
            return cluster.rewrite(&fitted.stored.mask, &fitted.values, rewriter.guard(), begin, take);
        }
        #[cfg(not(feature = "cluster"))]
        let _ = fitted;
        let mut made = begin()?;
        reading.sorted_keys(rewriter, &self.runtime, |batch| take(&mut made, batch))?;
        Ok(made)
    }

    /// New values for columns.
    pub(super) fn change(&self, values: &ValueMethod, task: &ValueTask<'_>) -> Result<ChangedColumns> {
        #[cfg(feature = "cluster")]
        if let (Some(cluster), Some(elsewhere)) = (&self.cluster, &values.elsewhere)
            && (elsewhere.fits)(task)
        {
            return cluster.change(elsewhere, task);
        }
        self.runtime.side_by_side(|| (values.change)(task)).map_err(|error| unchanged(&error))
    }

    /// The bytes that were written to disk so far because memory ran short.
    #[must_use]
    pub(super) fn spilled(&self) -> u64 {
        #[cfg(feature = "cluster")]
        if let Some(cluster) = &self.cluster {
            return self.runtime.spilled() + cluster.spilled();
        }
        self.runtime.spilled()
    }
}
