//! A table that was taken from a population, as the core sees both.
//!
//! Keys of the table and of the population are laid out alike, so that both climb together ([`crate::contents`]). The population
//! must hold everybody of the table, key by key: models take shares of it.

use crate::contents::{ClassPopulation, RowCounts};
use crate::frequency::grouping::Grouping;
use crate::frequency::packing::Packing;
use crate::frequency::{FrequencySet, Table, TableError};
use crate::hierarchy::Code;

impl Table {
    /// The same table with the population that it was taken from, which must have as many people of every key.
    pub fn within(mut self, rows: &RowCounts<'_>) -> Result<Self, TableError> {
        let (keys, all) = (self.keys.len(), self.keys.len().saturating_add(rows.counts.len()));
        if u32::try_from(all).is_err() {
            return Err(TableError::TooManyKeys { limit: u32::MAX });
        }
        if !rows.fit(&self.variables) {
            return Err(TableError::Inconsistent);
        }
        let column = |(variable, more): (usize, &Vec<Code>)| {
            (0..keys).map(|key| self.value(&self.keys, key, variable)).chain(more.iter().copied()).collect()
        };
        let columns: Vec<Vec<Code>> = rows.columns.iter().enumerate().map(column).collect();
        let packing = Packing::new(&self.variables, &columns);
        let packed = packing.pack(&columns, all);
        let Grouping { class_of, firsts, .. } = Grouping::new(&packed, &vec![0; all]);
        let first_of = |word: &Vec<u64>| firsts.iter().map(|&key| word[key as usize]).collect();
        let mut packed: Vec<Vec<u64>> = packed.iter().map(first_of).collect();
        let mut population = ClassPopulation::count(firsts.len(), &class_of[keys..], rows);
        population.absent = packed.iter_mut().map(|word| word.split_off(keys)).collect();
        let lack = population.lack(self.keys.people());
        if lack.keys > 0 {
            return Err(TableError::NotInPopulation { keys: lack.keys, people: lack.people });
        }
        let contents = self.keys.contents.within(population);
        self.keys = FrequencySet { packed, places: packing.places(), contents, ..self.keys }.sorted();
        self.packing = packing;
        Ok(self)
    }
}
