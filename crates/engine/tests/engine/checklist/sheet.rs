//! A table of which the checklist has nothing to say, and ways to spoil it.

use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use equanym_engine::machine::Resources;
use equanym_engine::run::FinishedRelease;
use equanym_engine::run::release::{ReleaseRequest, release};
use tempfile::{TempDir, tempdir};

use crate::releasing::{apply_again, policy};
use crate::requests;

/// The models of the clean table.
pub const GUARDED: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n\
                           [[privacy]]\nmodel = \"l-diversity\"\nvariable = \"illness\"\nl = 2\n";

const RECORDS: usize = 240;

#[derive(Clone)]
struct Column {
    name: String,
    role: String,
    cells: Vec<String>,
}

#[derive(Clone)]
pub struct Sheet {
    columns: Vec<Column>,
    person: String,
    /// What follows the variables in the policy.
    pub rest: String,
    /// What follows the records in the file.
    pub tail: String,
    pub against: Vec<PathBuf>,
    pub threads: usize,
    folder: Rc<TempDir>,
}

impl Sheet {
    /// Eight classes of thirty records, in each of which three illnesses are alike.
    pub fn clean() -> Self {
        let column = |name: &str, role: &str, cell: fn(usize) -> String| Column {
            name: name.to_owned(),
            role: format!("role = \"{role}\""),
            cells: (0..RECORDS).map(cell).collect(),
        };
        let columns = vec![
            column("name", "identifying", |record| format!("Person{record}x")),
            column("sex", "quasi-identifying", |record| ["f", "m"][record % 2].to_owned()),
            column("age", "quasi-identifying", |record| (20 + record / 2 % 4 * 10).to_string()),
            column("illness", "sensitive", |record| ["flu", "gout", "mumps"][record % 3].to_owned()),
            column("ward", "insensitive", |record| ["eye", "ear", "nose"][record / 8 % 3].to_owned()),
        ];
        let (person, rest, tail) = (String::new(), GUARDED.to_owned(), String::new());
        Self { columns, person, rest, tail, against: Vec::new(), threads: 2, folder: Rc::new(tempdir().unwrap()) }
    }

    fn column(&mut self, name: &str) -> &mut Column {
        self.columns.iter_mut().find(|column| column.name == name).unwrap()
    }

    pub fn set(self, name: &str, cell: impl Fn(usize) -> String) -> Self {
        self.change(name, |record, _| cell(record))
    }

    pub fn change(mut self, name: &str, cell: impl Fn(usize, &str) -> String) -> Self {
        let cells = &mut self.column(name).cells;
        *cells = cells.iter().enumerate().map(|(record, old)| cell(record, old)).collect();
        self
    }

    pub fn role(mut self, name: &str, role: &str) -> Self {
        role.clone_into(&mut self.column(name).role);
        self
    }

    pub fn rename(mut self, name: &str, new: &str) -> Self {
        new.clone_into(&mut self.column(name).name);
        self
    }

    pub fn person(mut self, name: &str) -> Self {
        self.person = format!("[data]\nperson = \"{name}\"\n");
        self
    }

    /// The same records from the last to the first.
    pub fn reversed(&self) -> Self {
        let mut reversed = self.clone();
        reversed.columns.iter_mut().for_each(|column| column.cells.reverse());
        reversed
    }

    /// The records.
    pub fn rows(&self) -> Vec<Vec<String>> {
        (0..RECORDS).map(|record| self.columns.iter().map(|column| column.cells[record].clone()).collect()).collect()
    }

    /// The records of the last release.
    pub fn released_rows(&self) -> Vec<Vec<String>> {
        let text = self.read("public/data.csv");
        text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
    }

    pub fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.out().join(file)).unwrap()
    }

    fn data(&self) -> PathBuf {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let lines: Vec<String> = self.rows().iter().map(|row| row.join(",")).collect();
        let path = self.folder.path().join("data.csv");
        fs::write(&path, format!("{}\n{}\n{}", names.join(","), lines.join("\n"), self.tail)).unwrap();
        path
    }

    fn resources(&self) -> Resources {
        requests::threads(self.threads)
    }

    /// Releases it anew.
    pub fn release(&self) -> FinishedRelease {
        let variables: Vec<String> =
            self.columns.iter().map(|column| format!("[variables.{}]\n{}\n", column.name, column.role)).collect();
        let out = if self.against.is_empty() { self.out() } else { self.folder.path().join("second") };
        let _ = fs::remove_dir_all(&out);
        let policy = policy(&format!("{}{}{}", self.person, variables.concat(), self.rest));
        let (against, resources, data) = (&self.against, self.resources(), self.data());
        release(&ReleaseRequest { against, resources, ..requests::release(&data, &policy, &out) }).unwrap()
    }

    /// Applies the mask of the last release to the same table.
    pub fn apply(&self) -> FinishedRelease {
        apply_again(&self.out(), &self.data(), &self.folder.path().join("applied")).unwrap()
    }
}
