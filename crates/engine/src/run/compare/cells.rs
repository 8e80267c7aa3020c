//! The columns of a table as codes: one reading for all of them, each different cell kept once.

use arrow_array::{Array, StringArray};
use hashbrown::HashMap;

use crate::error::{Error, Result};
use crate::mask::rewrite::formula::Guard;
use crate::progress::{Progress, Step};
use crate::read::Source;
use crate::read::cells::{column_as, text};

/// What a cell takes in memory: its code, and what metrics make of it.
const BYTES_A_CELL: usize = 32;

/// What a different text takes besides its characters.
const BYTES_A_TEXT: usize = 96;

/// A column: the different cells in order, and for each record the place of its own.
#[derive(Debug, Default)]
pub(in crate::run) struct CodedColumn {
    pub cells: Vec<u32>,
    pub texts: Vec<String>,
}

impl CodedColumn {
    /// For each record what is found for its cell.
    pub(in crate::run) fn each<T: Copy>(&self, of_text: &[T]) -> Vec<T> {
        self.cells.iter().map(|cell| of_text[*cell as usize]).collect()
    }

    /// In the order of the texts: how records come must not matter.
    fn sorted(self) -> Self {
        let mut order: Vec<u32> = (0..).zip(&self.texts).map(|(code, _)| code).collect();
        order.sort_unstable_by_key(|code| self.texts[*code as usize].as_str());
        let mut rank = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, code)| rank[*code as usize] = place);
        let mut texts: Vec<String> = self.texts;
        let sorted = order.iter().map(|code| std::mem::take(&mut texts[*code as usize])).collect();
        Self { cells: self.cells.iter().map(|cell| rank[*cell as usize]).collect(), texts: sorted }
    }
}

/// Reads columns of a table, by name.
pub(in crate::run) fn read(
    source: &Source,
    names: &[&str],
    memory: usize,
    progress: &dyn Progress,
) -> Result<Vec<CodedColumn>> {
    let place = |name: &&str| source.columns().iter().position(|column| column == *name);
    let places = names.iter().map(place).collect::<Option<Vec<usize>>>();
    let places = places.ok_or_else(|| Error::environment("an internal step lost a column"))?;
    let guard = Guard::new(source.delimiter().unwrap_or(','));
    let mut columns: Vec<Reader> = names.iter().map(|_| Reader::default()).collect();
    for part in 0..source.parts() {
        for batch in source.read(part, &places)? {
            let batch = batch?;
            for (column, array) in columns.iter_mut().zip(batch.columns()) {
                column.take(column_as::<StringArray>(array)?, guard)?;
            }
            let records = columns.first().map_or(0, |column| column.found.cells.len() as u64);
            progress.at(Step::Count, records);
            if columns.iter().map(Reader::bytes).sum::<usize>() > memory {
                return Err(Error::environment("the tables do not fit the memory limit").hint("raise --memory"));
            }
        }
    }
    Ok(columns.into_iter().map(|column| column.found.sorted()).collect())
}

/// A column that is being read.
#[derive(Default)]
struct Reader {
    found: CodedColumn,
    codes: HashMap<String, u32>,
    text_bytes: usize,
}

impl Reader {
    fn take(&mut self, cells: &StringArray, guard: Guard) -> Result<()> {
        for record in 0..cells.len() {
            let cell = guard.unguarded(text(cells, record));
            let code = match self.codes.get(cell.as_ref()) {
                Some(code) => *code,
                None => self.add(cell.into_owned())?,
            };
            self.found.cells.push(code);
        }
        Ok(())
    }

    fn add(&mut self, text: String) -> Result<u32> {
        let code = u32::try_from(self.codes.len()).ok().filter(|code| *code < u32::MAX);
        let code = code.ok_or_else(|| Error::environment("a column has more than 2³² different values"))?;
        // Kept twice while it is read.
        self.text_bytes += 2 * text.len() + BYTES_A_TEXT;
        self.found.texts.push(text.clone());
        self.codes.insert(text, code);
        Ok(code)
    }

    fn bytes(&self) -> usize {
        self.found.cells.len() * BYTES_A_CELL + self.text_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_the_texts_and_not_the_records() {
        let texts = ["b", "a", "c"].map(String::from).to_vec();
        let sorted = CodedColumn { cells: vec![0, 1, 2, 0], texts }.sorted();
        assert_eq!((sorted.cells, sorted.texts), (vec![1, 0, 2, 1], ["a", "b", "c"].map(String::from).to_vec()));
    }
}
