//! Counted tables for the searches: published data sets with their ladders, or keys that a generator made.
//!
//! A published data set is a folder with `<name>.csv` and `hierarchies/<column>.csv`; every column is a quasi-identifier.
//! Here its records become keys one by one and the core merges them, on one thread and in the order of the file, so that
//! instruction counts of two runs can be compared. How fast the engine counts is measured in [`crate::growth`].

use std::collections::HashMap;
use std::path::Path;

use equanym_core::frequency::Table;
use equanym_core::hierarchy::Builder;
use equanym_core::hierarchy::csv::HierarchyFile;
use equanym_core::variable::Variable;
use equanym_engine::count::encode::{Coder, Dictionary};
use equanym_engine::count::parts::KeyParts;
use equanym_engine::count::{KeyRows, Keys};
use equanym_engine::read::text_file;
use equanym_engine::read::{self, Reading, Source};

use crate::failure::Result;
use crate::hospital::{self, Detail};

/// The table of a published data set, if its folder is there.
pub fn published(folder: &Path, name: &str) -> Result<Option<Table>> {
    let file = folder.join(name).join(format!("{name}.csv"));
    if !file.exists() {
        return Ok(None);
    }
    let source = read::open(&file, &Reading::default())?;
    let ladder = |column: &String| -> Result<Builder> {
        let path = folder.join(name).join("hierarchies").join(format!("{column}.csv"));
        Ok(Builder::File(HierarchyFile::parse(&text_file::read(&path)?)?))
    };
    let ladders: Vec<Builder> = source.columns().iter().map(ladder).collect::<Result<_>>()?;
    tabulate(source.columns(), &ladders, &records(&source)?).map(Some)
}

/// The table of that name: a published data set, or `hospital-N` for N records of the demo's hospital.
pub fn named(folder: &Path, name: &str) -> Result<Table> {
    if let Some(records) = name.strip_prefix("hospital-") {
        return hospital::table(records.parse()?, Detail::ALL[0]);
    }
    published(folder, name)?.ok_or_else(|| format!("there is no data set {name}").into())
}

/// Each record as a key that occurs once.
fn records(source: &Source) -> Result<Keys> {
    let places: Vec<usize> = (0..source.columns().len()).collect();
    let dictionaries: Vec<Dictionary> = places.iter().map(|_| Dictionary::default()).collect();
    let mut columns = vec![Vec::new(); places.len()];
    for part in 0..source.parts() {
        for batch in source.read(part, &places)? {
            for ((cells, dictionary), codes) in batch?.columns().iter().zip(&dictionaries).zip(&mut columns) {
                let mut more = Vec::new();
                Coder::default().encode(cells, dictionary, &mut more)?;
                codes.append(&mut more);
            }
        }
    }
    let values = dictionaries.into_iter().map(Dictionary::into_values).collect::<std::result::Result<_, _>>()?;
    let counts = vec![1; columns.first().map_or(0, Vec::len)];
    let rows = KeyRows { codes: KeyParts::of_quasi(columns), counts };
    Ok(Keys { values: KeyParts::of_quasi(values), rows, ..Keys::default() })
}

/// The table of counted keys, every column a quasi-identifier with its ladder.
pub fn tabulate(names: &[String], ladders: &[Builder], keys: &Keys) -> Result<Table> {
    let mut variables = Vec::new();
    let mut columns = Vec::new();
    let raw = keys.values.quasi.iter().zip(&keys.rows.codes.quasi);
    for ((name, ladder), (raw, rows)) in names.iter().zip(ladders).zip(raw) {
        let mut values = raw.clone();
        values.sort_unstable();
        let hierarchy = ladder.fit(&values)?;
        let codes: HashMap<&str, u32> = hierarchy.values().iter().map(String::as_str).zip(0..).collect();
        let codes: Option<Vec<u32>> = raw.iter().map(|value| codes.get(value.as_str()).copied()).collect();
        let codes = codes.ok_or_else(|| format!("the ladder of {name} lost a value"))?;
        columns.push(rows.iter().map(|&code| codes[code as usize]).collect());
        let max_level = hierarchy.height();
        variables.push(Variable { name: name.clone(), hierarchy, min_level: 0, max_level, weight: 0.0 });
    }
    Ok(Table::new(variables, &columns, keys.rows.counts.clone(), Vec::new())?)
}

/// Turns records into keys that occur once each.
pub struct Encoder {
    numbers: Vec<HashMap<String, u32>>,
    keys: Keys,
}

impl Encoder {
    /// For so many columns.
    pub fn new(columns: usize) -> Self {
        let mut keys = Keys::default();
        keys.values.quasi = vec![Vec::new(); columns];
        keys.rows.codes.quasi = vec![Vec::new(); columns];
        Self { numbers: vec![HashMap::new(); columns], keys }
    }

    /// Adds a record.
    pub fn push(&mut self, cells: &[String]) {
        for (place, cell) in cells.iter().enumerate() {
            let values = &mut self.keys.values.quasi[place];
            let number = self.numbers[place].get(cell).copied().unwrap_or_else(|| {
                let next = u32::try_from(values.len()).unwrap_or(u32::MAX);
                self.numbers[place].insert(cell.clone(), next);
                values.push(cell.clone());
                next
            });
            self.keys.rows.codes.quasi[place].push(number);
        }
        self.keys.rows.counts.push(1);
    }

    /// The keys of all records.
    pub fn keys(self) -> Keys {
        self.keys
    }
}
