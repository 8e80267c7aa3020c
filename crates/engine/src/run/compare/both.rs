//! Both tables as numbers: which columns can be compared, and what their cells mean.

use std::fs;
use std::path::{Path, PathBuf};

use arrow_array::{Array, StringArray};
use equanym_core::hierarchy::TOP;
use equanym_core::hierarchy::decimal::Decimal;
use equanym_core::utility::{MeasuredColumn, MeasuredTable};
use equanym_core::variable::Role;
use equanym_core::walk::Scale;
use hashbrown::{HashMap, HashSet};

use super::RecordCounts;
use crate::error::{Error, Result};
use crate::policy::{Policy, ValueKind};
use crate::read::Source;
use crate::read::cells::{column_as, text};
use crate::write::rewrite::formula::unguarded;

/// What a cell takes in memory.
const BYTES_A_CELL: usize = 64;

/// A category with more values than this chooses no groups.
const MOST_CATEGORIES: usize = 1000;

/// Where the released table is, and in which order it claims to be.
pub(super) struct ReleasedTable {
    pub data: PathBuf,
    /// The claimed order; nothing where there is no manifest.
    pub order: Option<String>,
}

impl ReleasedTable {
    /// Finds the table of a release folder; anything else is a table itself.
    pub(super) fn find(path: &Path) -> Result<Self> {
        let folders = [path.join("public"), path.to_path_buf()];
        let Some(folder) = folders.iter().find(|folder| folder.join("manifest.json").is_file()) else {
            return Ok(Self { data: path.to_path_buf(), order: None });
        };
        let broken = || Error::input("the manifest of the release cannot be read").hint("`equanym audit` tells more");
        let manifest = fs::read(folder.join("manifest.json")).map_err(|_| broken())?;
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).map_err(|_| broken())?;
        let claim = |key: &str| manifest.get("data")?.get(key)?.as_str().map(str::to_owned);
        let file =
            claim("file").filter(|file| matches!(file.as_str(), "data.csv" | "data.parquet")).ok_or_else(broken)?;
        Ok(Self { data: folder.join(file), order: claim("order") })
    }
}

/// Both tables as far as they can be compared.
pub(super) struct BothTables {
    pub before: MeasuredTable,
    pub after: MeasuredTable,
    pub records: RecordCounts,
    pub persons: Option<u64>,
    pub left_out: Vec<String>,
    pub category: Option<String>,
}

impl BothTables {
    /// Reads the columns that both tables have.
    pub(super) fn read(original: &Source, released: &Source, policy: Option<&Policy>, memory: usize) -> Result<Self> {
        let shared: Vec<&String> = released.columns().iter().filter(|name| original.columns().contains(name)).collect();
        if shared.is_empty() {
            return Err(Error::input("the tables have no column in common")
                .hint("give the original first and its release second; --delimiter says how the original is read"));
        }
        let mut found = Self {
            before: MeasuredTable::default(),
            after: MeasuredTable::default(),
            records: RecordCounts { original: 0, released: 0 },
            persons: policy
                .and_then(|policy| policy.person.as_ref())
                .map(|name| people(original, name, memory))
                .transpose()?,
            left_out: Vec::new(),
            category: None,
        };
        let mut categories = Vec::new();
        for name in shared {
            let (before, after) = (cells(original, name, memory)?, cells(released, name, memory)?);
            found.records = RecordCounts { original: before.len() as u64, released: after.len() as u64 };
            if found.records.original == 0 || found.records.released == 0 {
                return Err(Error::unsafe_release("0 records: there is nothing to compare"));
            }
            let numbers = match scale(policy, name) {
                Some(scale) => positions(name, scale, &before, &after),
                None if is_text(policy, name) => None,
                None => numbers(name, &before, &after),
            };
            if let Some((before, after)) = numbers {
                found.before.columns.push(before);
                found.after.columns.push(after);
            } else {
                found.left_out.push(name.clone());
                categories.extend(category(&before, &after).map(|codes| (name.clone(), codes)));
            }
        }
        found.choose_category(categories, policy);
        if found.before.columns.is_empty() {
            return Err(Error::input(
                "no column is numeric before and numeric or in ranges after: nothing can be compared",
            ));
        }
        Ok(found)
    }

    /// A sensitive column if there is one, otherwise the first that kept its values.
    fn choose_category(&mut self, mut candidates: Vec<(String, [Vec<u32>; 2])>, policy: Option<&Policy>) {
        let is_sensitive =
            |name: &str| policy.is_some_and(|policy| policy.of_role(Role::Sensitive).any(|one| one.name == name));
        let place = candidates.iter().position(|(name, _)| is_sensitive(name)).unwrap_or(0);
        if place < candidates.len() {
            let (name, [before, after]) = candidates.swap_remove(place);
            (self.before.category, self.after.category) = (Some(before), Some(after));
            self.category = Some(name);
        }
    }
}

/// How many people a table has, told apart by this column.
fn people(source: &Source, name: &str, memory: usize) -> Result<u64> {
    if !source.columns().iter().any(|column| column == name) {
        return Err(Error::input(format!(
            "the original has no column `{}`, which names the person",
            name.escape_debug()
        ))
        .hint("give the original first and its release second, or another policy"));
    }
    let ids: HashSet<String> = cells(source, name, memory)?.into_iter().collect();
    Ok(ids.len() as u64)
}

/// Whether the policy says that a quasi-identifier is text, whatever it looks like: codes are no numbers.
fn is_text(policy: Option<&Policy>, name: &str) -> bool {
    let variable = policy.and_then(|policy| policy.variables.iter().find(|variable| variable.name == name));
    variable.is_some_and(|one| one.role == Role::QuasiIdentifying && one.kind == ValueKind::Text)
}

/// What the policy says about a column of dates or ordered words that gets new values.
fn scale<'p>(policy: Option<&'p Policy>, name: &str) -> Option<&'p Scale> {
    let variable = policy?.variables.iter().find(|variable| variable.name == name)?;
    variable.marked.as_ref().map(|marked| &marked.scale).filter(|scale| !scale.has_zero())
}

/// A column of dates or ordered words before and after, as positions.
fn positions(
    name: &str,
    scale: &Scale,
    before: &[String],
    after: &[String],
) -> Option<(MeasuredColumn, MeasuredColumn)> {
    let float = |cell: &String| match scale.position(cell) {
        _ if cell.is_empty() => Some(f64::NAN),
        position => Some(position?.mantissa() as f64),
    };
    let column = |cells: &[String]| {
        let values = cells.iter().map(float).collect::<Option<Vec<f64>>>()?;
        Some(MeasuredColumn { has_zero: false, ..MeasuredColumn::exact(name, values) })
    };
    Some((column(before)?, column(after)?))
}

/// All cells of a column.
fn cells(source: &Source, name: &str, memory: usize) -> Result<Vec<String>> {
    let place = source.columns().iter().position(|column| column == name);
    let place = place.ok_or_else(|| Error::environment("an internal step lost a column"))?;
    let mut cells = Vec::new();
    for part in 0..source.parts() {
        for batch in source.read(part, &[place])? {
            let batch = batch?;
            let column = column_as::<StringArray>(batch.column(0))?;
            cells.extend((0..column.len()).map(|record| unguarded(text(column, record)).into_owned()));
            if cells.len().saturating_mul(BYTES_A_CELL * source.columns().len()) > memory {
                return Err(Error::environment("the tables do not fit the memory limit").hint("raise --memory"));
            }
        }
    }
    Ok(cells)
}

/// A column as numbers before and as numbers or ranges after, if it is that.
fn numbers(name: &str, before: &[String], after: &[String]) -> Option<(MeasuredColumn, MeasuredColumn)> {
    let values = before.iter().map(|cell| if cell.is_empty() { Some(f64::NAN) } else { float(cell) });
    let values = values.collect::<Option<Vec<f64>>>()?;
    let there = || values.iter().copied().filter(|value| !value.is_nan());
    let whole = (there().reduce(f64::min)?, there().reduce(f64::max)?);
    let ranges = after.iter().map(|cell| range(cell, whole)).collect::<Option<Vec<(f64, f64)>>>()?;
    let is_exact = ranges.iter().all(|(low, high)| low.total_cmp(high).is_eq());
    let after = if is_exact {
        MeasuredColumn::exact(name, ranges.into_iter().map(|(low, _)| low).collect())
    } else {
        MeasuredColumn::ranges(name, ranges)
    };
    Some((MeasuredColumn::exact(name, values), after))
}

fn float(text: &str) -> Option<f64> {
    Decimal::parse(text)?;
    text.parse().ok()
}

/// What a released cell says about a number.
fn range(cell: &str, whole: (f64, f64)) -> Option<(f64, f64)> {
    if cell.is_empty() {
        return Some((f64::NAN, f64::NAN));
    }
    if cell == TOP {
        return Some(whole);
    }
    if let Some(number) = float(cell) {
        return Some((number, number));
    }
    let inner = cell.strip_prefix('[').and_then(|rest| rest.strip_suffix(['[', ']']))?;
    let (low, high) = inner.split_once(", ")?;
    Some((float(low)?, float(high)?))
}

/// The same codes for equal texts before and after, if the release kept the values of a column.
fn category(before: &[String], after: &[String]) -> Option<[Vec<u32>; 2]> {
    let mut codes: HashMap<&str, u32> = HashMap::new();
    for cell in before {
        let next = u32::try_from(codes.len()).ok()?;
        codes.entry(cell.as_str()).or_insert(next);
        if codes.len() > MOST_CATEGORIES {
            return None;
        }
    }
    if codes.len() < 2 {
        return None;
    }
    let in_codes =
        |cells: &[String]| cells.iter().map(|cell| codes.get(cell.as_str()).copied()).collect::<Option<Vec<u32>>>();
    Some([in_codes(before)?, in_codes(after)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_mean_numbers_or_ranges() {
        let whole = (0.0, 9.0);
        assert_eq!(range("[20, 30[", whole), Some((20.0, 30.0)));
        assert_eq!(range("[-2.5, 3]", whole), Some((-2.5, 3.0)));
        assert_eq!((range("7", whole), range("*", whole)), (Some((7.0, 7.0)), Some(whole)));
        assert_eq!((range("young", whole), range("[1,2]", whole), range("NaN", whole)), (None, None, None));
        assert!(range("", whole).is_some_and(|(low, high)| low.is_nan() && high.is_nan()));
    }

    #[test]
    fn a_recoded_column_is_no_category() {
        let texts = |cells: &[&str]| cells.iter().map(ToString::to_string).collect::<Vec<_>>();
        let before = texts(&["a", "b", "a"]);
        assert_eq!(category(&before, &texts(&["b", "a"])), Some([vec![0, 1, 0], vec![1, 0]]));
        assert_eq!(category(&before, &texts(&["*"])), None);
    }
}
