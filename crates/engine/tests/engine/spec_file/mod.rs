//! A page of `specs/` as test cases: the manual's examples are run, so they cannot grow old.
//!
//! A page is Markdown. Its fenced blocks are the case, named by the second word after the fence:
//!
//! * `csv data.csv`, `toml policy.toml`, `csv hierarchies/….csv`: files of the case. They stay for the cases that follow
//!   on the page; a block of the same name replaces the earlier one.
//! * `toml policy.toml change`: the earlier policy with some keys replaced ([`edit::change`]).
//! * `csv data.csv counted`: each row stands for as many records as its last cell says ([`edit::expand`]).
//! * `text key.txt`: the key of pseudonyms and moved dates.
//! * `toml expect`: what must come out ([`Expect`]). It ends the case.
//! * `csv release` (or `counted`) right after it: the released table, to the letter.
//! * `csv released.csv` and `toml compare`: a table that came of `data.csv`, record by record, and what a comparison of
//!   both must find ([`Comparison`]). It ends the case, too.
//! * `sql DIALECT` after it: the same release as SQL of that dialect, to the letter; the table is called `data`.
//!
//! Blocks without a second word belong to the text. Limit: a record of `data.csv` is one line.

pub mod compare;
pub mod edit;
pub mod expect;
pub mod fence;

use std::collections::BTreeMap;

use compare::Comparison;
use expect::Expect;
use fence::{Block, Fault};

/// The table of a case.
pub const DATA: &str = "data.csv";

/// The policy of a case.
pub const POLICY: &str = "policy.toml";

/// The table that a comparison takes for the release.
pub const RELEASED: &str = "released.csv";

/// Data and policy with what must come out.
#[derive(Debug)]
pub struct Case {
    /// The line of the page where its expectation stands.
    pub line: usize,
    /// Its files by name.
    pub files: BTreeMap<String, String>,
    /// What must come out.
    pub expect: Expect,
    /// What a comparison must find; then nothing is released.
    pub compare: Option<Comparison>,
    /// The released table.
    pub release: Option<String>,
    /// The release as SQL, by dialect.
    pub sql: BTreeMap<String, String>,
}

/// The cases of a page, in its order.
pub fn cases(page: &str) -> Result<Vec<Case>, Fault> {
    let mut reader = Reader::default();
    for block in fence::blocks(page)? {
        reader.take(&block)?;
    }
    match (reader.unused, reader.cases.is_empty()) {
        (Some(line), _) => Err(Fault::new(line, "this block belongs to no case: no `expect` follows")),
        (None, true) => Err(Fault::new(1, "the page has no case")),
        (None, false) => Ok(reader.cases),
    }
}

#[derive(Default)]
struct Reader {
    files: BTreeMap<String, String>,
    cases: Vec<Case>,
    /// The line of a file that no case has used yet.
    unused: Option<usize>,
}

impl Reader {
    fn take(&mut self, block: &Block) -> Result<(), Fault> {
        let words: Vec<&str> = block.info.split_whitespace().collect();
        let Some((&name, how)) = words.get(1..).and_then(<[&str]>::split_first) else { return Ok(()) };
        match (name, how) {
            (dialect, []) if words.first() == Some(&"sql") => self.sql(block, dialect)?,
            ("expect", []) => self.expect(block)?,
            ("compare", []) => self.compare(block)?,
            ("release", []) => self.release(block, block.text.clone())?,
            ("release", ["counted"]) => self.release(block, edit::expand(block)?)?,
            (file, []) if file.contains('.') => self.file(block, file, block.text.clone()),
            (DATA | RELEASED, ["counted"]) => self.file(block, name, edit::expand(block)?),
            (POLICY, ["change"]) => {
                let earlier = self.files.get(POLICY).ok_or_else(|| block.fault("there is no policy to change"))?;
                self.file(block, POLICY, edit::change(earlier, block)?);
            }
            _ => return Err(block.fault(format!("`{}` is no block of a case", block.info))),
        }
        Ok(())
    }

    fn file(&mut self, block: &Block, name: &str, text: String) {
        self.files.insert(name.to_owned(), text);
        self.unused = Some(block.line);
    }

    fn expect(&mut self, block: &Block) -> Result<(), Fault> {
        let files = self.files_with(block, [DATA, POLICY])?;
        let expect = Expect::read(block)?;
        self.cases.push(Case { line: block.line, files, expect, compare: None, release: None, sql: BTreeMap::new() });
        Ok(())
    }

    fn compare(&mut self, block: &Block) -> Result<(), Fault> {
        let files = self.files_with(block, [DATA, RELEASED])?;
        let compare = Some(Comparison::read(block)?);
        self.cases.push(Case {
            line: block.line,
            files,
            expect: Expect::default(),
            compare,
            release: None,
            sql: BTreeMap::new(),
        });
        Ok(())
    }

    /// The files of a case that ends here, among which must be these.
    fn files_with(&mut self, block: &Block, needed: [&str; 2]) -> Result<BTreeMap<String, String>, Fault> {
        if self.unused.take().is_none() {
            return Err(block.fault("nothing has changed since the case before"));
        }
        match needed.into_iter().find(|name| !self.files.contains_key(*name)) {
            Some(absent) => Err(block.fault(format!("the case has no {absent}"))),
            None => Ok(self.files.clone()),
        }
    }

    fn sql(&mut self, block: &Block, dialect: &str) -> Result<(), Fault> {
        match self.cases.last_mut() {
            Some(case) if self.unused.is_none() && case.expect.error.is_none() => {
                case.sql.insert(dialect.to_owned(), block.text.clone());
                Ok(())
            }
            _ => Err(block.fault("SQL follows the `expect` of its case")),
        }
    }

    fn release(&mut self, block: &Block, text: String) -> Result<(), Fault> {
        match self.cases.last_mut() {
            Some(case) if self.unused.is_none() && case.release.is_none() && case.expect.error.is_none() => {
                case.release = Some(text);
                Ok(())
            }
            _ => Err(block.fault("a release follows the `expect` of its case")),
        }
    }
}
