//! Levels of the mask's own ladders that would be safe.
//!
//! A mask keeps the ladders of its columns, and the bounds that the policy set. So the best safe node of
//! another table can be looked for with the mask's own ladders: by the default search and loss, at the mask's suppression
//! limit. What is found is told and not done: whoever wants it asks for it by `--level`.

use equanym_core::card::Parameters;
use equanym_core::frequency::Table;
use equanym_core::hierarchy::{Hierarchy, TOP};
use equanym_core::loss;
use equanym_core::mask::{ColumnMask, Recoding};
use equanym_core::privacy::Guard;
use equanym_core::search::{self, Problem};
use equanym_core::variable::Variable;

use super::recoded;
use crate::count::counted_table::Case;
use crate::count::{KeyRows, canonical, tabulate};
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

/// The best safe levels by the ladders of the mask; none where nothing is safe, or where the mask has no ladders.
pub(super) fn find(
    case: &Case<'_>,
    rows: &KeyRows,
    guard: &Guard,
    (stored, allowance): (&StoredMask, u64),
) -> Result<Option<SafeLevels>> {
    let Some(table) = table(stored, case, rows)? else { return Ok(None) };
    let unknown = || Error::environment("the default search or loss is not there");
    let loss = prepared(loss::find(loss::DEFAULT).ok_or_else(unknown)?, &Parameters::new(), &table)?;
    let search = search::find(search::DEFAULT).ok_or_else(unknown)?;
    let found = (search.run)(&Problem::new(&table, guard, loss.as_ref(), allowance));
    // Whatever the reason, there are no levels to tell.
    let Ok(found) = found else { return Ok(None) };
    let columns = recoded(stored).into_iter().zip(&found.best.node.0);
    let columns = columns.map(|((column, recoding), level)| (column.name.clone(), recoding.level, *level)).collect();
    Ok(Some(SafeLevels { columns, withheld: found.best.suppressed }))
}

/// The other table with the ladders of the mask.
fn table(stored: &StoredMask, case: &Case<'_>, rows: &KeyRows) -> Result<Option<Table>> {
    let (mut variables, mut columns) = (Vec::new(), Vec::new());
    let raw = case.values.quasi.iter().zip(&rows.codes.quasi);
    for ((column, _), (values, codes)) in recoded(stored).into_iter().zip(raw) {
        let Some(ladder) = stored.ladders.iter().find(|ladder| ladder.variable == column.name) else { return Ok(None) };
        let Some(hierarchy) = hierarchy(column, ladder, values) else { return Ok(None) };
        columns.push(tabulate::recode(codes, values, column.number, &hierarchy)?);
        let top = hierarchy.height();
        let (min_level, max_level) = (ladder.min.min(top), ladder.max.min(top));
        variables.push(Variable { name: column.name.clone(), hierarchy, min_level, max_level, weight: 0.0 });
    }
    let spreads = tabulate::spreads(&case.columns.spread, &case.values, rows);
    tabulate::table(variables, &columns, spreads, rows).map(Some)
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
