//! Which column tells people apart, where one person has several records.
//!
//! Only a column that is left out anyhow, is called like the number of a person, has an id in every record, and repeats.
//! Two people may share a name or a telephone; a number is theirs. Of several the one with the fewest ids is taken: whoever
//! is one person by any of them is one person then.

use equanym_core::variable::Role;

use super::DraftColumn;
use crate::read::column_name::is_number_of_person;

/// Fewer ids than this are categories, not people.
const FEWEST: u64 = 20;

/// So many ids are people, and so are fewer if they are a twentieth of the records.
const MANY: u64 = 1000;

/// The column that tells people apart.
pub(super) fn propose(columns: &[DraftColumn]) -> Option<&DraftColumn> {
    columns.iter().filter(|column| tells_people_apart(column)).min_by_key(|column| column.profile.distinct)
}

fn tells_people_apart(column: &DraftColumn) -> bool {
    let profile = &column.profile;
    let (records, ids) = (profile.records, profile.distinct);
    let are_people = ids >= FEWEST && (ids >= MANY || ids.saturating_mul(20) >= records);
    // One id in a hundred that repeats may be a slip of the pen.
    let repeats = u128::from(records - records.min(ids)) * 100 >= u128::from(records);
    let is_complete = profile.missing == 0 && !profile.capped;
    column.decision.role == Role::Identifying
        && is_number_of_person(&column.name)
        && is_complete
        && are_people
        && repeats
}
