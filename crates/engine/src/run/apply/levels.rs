//! Other levels than the mask's: those that somebody asks for, and those that would be safe.
//!
//! A mask keeps the ladders of its columns, and the bounds that the policy set. So the best safe node of
//! another table can be looked for with the mask's own ladders: by the default search and loss, at the mask's suppression
//! limit. What is found is told and not done: whoever wants it asks for it by `--level`.

use equanym_core::card::Parameters;
use equanym_core::frequency::Table;
use equanym_core::hierarchy::{Hierarchy, TOP};
use equanym_core::loss;
use equanym_core::mask::{ColumnMask, Recoding};
use equanym_core::privacy::{Guard, SensitiveVariable};
use equanym_core::search::{self, Problem};
use equanym_core::variable::{Role, Variable};

use crate::count::tabulate::{self, Spread};
use crate::count::{Keys, canonical};
use crate::decide::search::prepared;
use crate::error::{Error, Result};
use crate::mask::{StoredLadder, StoredMask};

/// Levels that would be safe.
pub(super) struct SafeLevels {
    /// For each column its level in the mask and the safe one.
    pub columns: Vec<(String, u8, u8)>,
    /// The records that would be withheld.
    pub withheld: u64,
}

/// Takes other levels for some columns.
pub(super) fn set(stored: &mut StoredMask, wanted: &[(String, u8)]) -> Result<()> {
    for (name, level) in wanted {
        let shown = name.escape_debug();
        let ladder = stored.ladders.iter().find(|ladder| ladder.variable == *name).ok_or_else(|| {
            let what =
                if stored.ladders.is_empty() { "the mask holds no ladders" } else { "no such column is recoded" };
            Error::input(format!("--level {shown}={level}: {what}")).hint(
                "name a quasi-identifying column; masks of older versions know one level only: run `equanym release`",
            )
        })?;
        let recoding = ladder.recoding(*level).filter(|_| (ladder.min..=ladder.max).contains(level));
        let recoding = recoding.ok_or_else(|| {
            Error::input(format!(
                "--level {shown}={level}: the policy allows the levels {} to {}",
                ladder.min, ladder.max
            ))
        })?;
        if let Some(column) = stored.mask.columns.iter_mut().find(|column| column.name == *name) {
            column.recoding = Some(recoding);
        }
    }
    Ok(())
}

/// The best safe levels by the ladders of the mask; none where nothing is safe, or where the mask has no ladders.
pub(super) fn find(
    stored: &StoredMask,
    counted: &Counts<'_>,
    guard: &Guard,
    allowance: u64,
) -> Result<Option<SafeLevels>> {
    let Some(table) = table(stored, counted)? else { return Ok(None) };
    let unknown = || Error::environment("the default search or loss is not there");
    let loss = prepared(loss::find(loss::DEFAULT).ok_or_else(unknown)?, &Parameters::new(), &table)?;
    let search = search::find(search::DEFAULT).ok_or_else(unknown)?;
    let found = (search.run)(&Problem::new(&table, guard, loss.as_ref(), allowance));
    // Whatever the reason, there are no levels to tell.
    let Ok(found) = found else { return Ok(None) };
    let columns = recoded(stored).zip(&found.best.node.0);
    let columns = columns.map(|((column, recoding), level)| (column.name.clone(), recoding.level, *level)).collect();
    Ok(Some(SafeLevels { columns, withheld: found.best.suppressed }))
}

/// What was counted of the other table.
pub(super) struct Counts<'a> {
    pub keys: &'a Keys,
    pub people: Option<&'a [u32]>,
    /// The sensitive variables, and what models see of them.
    pub sensitive: &'a [Spread],
    pub seen: &'a [SensitiveVariable],
}

/// The other table with the ladders of the mask.
fn table(stored: &StoredMask, counted: &Counts<'_>) -> Result<Option<Table>> {
    let Counts { keys, people, sensitive, .. } = counted;
    let (mut variables, mut columns) = (Vec::new(), Vec::new());
    for (place, (column, _)) in recoded(stored).enumerate() {
        let Some(ladder) = stored.ladders.iter().find(|ladder| ladder.variable == column.name) else { return Ok(None) };
        let Some(hierarchy) = hierarchy(column, ladder, &keys.values[place]) else { return Ok(None) };
        columns.push(tabulate::recode(&keys.columns[place], &keys.values[place], column.number, &hierarchy)?);
        let top = hierarchy.height();
        let (min_level, max_level) = (ladder.min.min(top), ladder.max.min(top));
        variables.push(Variable { name: column.name.clone(), hierarchy, min_level, max_level, weight: 0.0 });
    }
    let spreads = tabulate::spreads(sensitive, variables.len(), keys);
    tabulate::table(variables, &columns, keys.counts.clone(), spreads, *people).map(Some)
}

/// The ladder over the values of the other table; a value that a level has no label for is at the top there.
fn hierarchy(column: &ColumnMask, ladder: &StoredLadder, raw: &[String]) -> Option<Hierarchy> {
    let values: Vec<String> = raw.iter().map(|value| canonical(value, column.number)).collect();
    let values = tabulate::distinct(&values);
    let label = |recoding: &Recoding, value: &String| recoding.label(value).unwrap_or_else(|_| TOP.to_owned());
    let level = |recoding: Recoding| values.iter().map(|value| label(&recoding, value)).collect();
    let above: Vec<Vec<String>> = ladder.recodings().skip(1).map(level).collect();
    Hierarchy::of_labels(&values, &above).ok()
}

fn recoded(stored: &StoredMask) -> impl Iterator<Item = (&ColumnMask, &Recoding)> {
    let quasi = stored.mask.columns.iter().filter(|column| column.role == Role::QuasiIdentifying);
    quasi.filter_map(|column| Some((column, column.recoding.as_ref()?)))
}
