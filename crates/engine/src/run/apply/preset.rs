//! Whether other data keep the presets of a mask.
//!
//! The mask recodes as it did, so names and ladders say what they said. Cells that are released as collected are others: they
//! are looked at anew, and columns that break a preset are named as for a release. Nothing is written then.
//!
//! Limit: a mask from before presets were stored names none.

use equanym_core::mask::ColumnMask;
use equanym_core::privacy::preset::{self, ReleasedColumn};

use crate::count::{Keys, Sketch};
use crate::decide::Looked;
use crate::decide::checklist::StoredColumns;
use crate::decide::preset::{holds, refuse_breaches};
use crate::error::{Error, Result};
use crate::mask::StoredMask;

/// Whether a preset of the mask looks at cells.
pub(super) fn look_at_cells(stored: &StoredMask) -> bool {
    stored.presets.iter().filter_map(|name| preset::find(name)).any(|preset| preset.columns.is_some())
}

/// Refuses data that break a preset of the mask.
pub(super) fn check(stored: &StoredMask, columns: &StoredColumns, keys: &Keys, looked: &Looked) -> Result<()> {
    for name in &stored.presets {
        let unknown =
            || Error::input(format!("the mask keeps a preset `{}` that is unknown here", name.escape_debug()));
        let known = preset::find(name).ok_or_else(unknown)?;
        let Some(rules) = &known.columns else { continue };
        let released = stored.mask.columns.iter().map(|column| {
            let cells = columns.cells(&column.name, keys, looked);
            released(stored, column, cells)
        });
        refuse_breaches("the mask", known.card.name, rules, &released.collect::<Vec<_>>())?;
    }
    Ok(())
}

/// A column as the mask lets it out.
fn released<'a>(stored: &'a StoredMask, column: &'a ColumnMask, cells: Option<&Sketch>) -> ReleasedColumn<'a> {
    let levels: Vec<_> = column.recoding.iter().map(|recoding| (recoding.level, &recoding.rule)).collect();
    let ladder = stored.ladders.iter().filter(|ladder| ladder.variable == column.name);
    let ladder = ladder.flat_map(|ladder| &ladder.levels).map(|level| &level.rule);
    let rules = column.recoding.iter().map(|recoding| &recoding.rule).chain(ladder);
    let holds = holds(&column.name, rules, cells);
    ReleasedColumn { name: &column.name, role: column.role, holds, levels, treatments: &column.treatments }
}
