//! `equanym hierarchy build`: the ladder of a column's values as a file.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use equanym_engine::error::{Error, Result};
use equanym_engine::run::hierarchy::{self, Builder, DateFormat, DateGrain, Library, OTHER};
use serde_json::json;

use super::{ColumnOf, library_name};
use crate::commands::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::{newfile, show};

/// Write the ladder of a column's values as a hierarchy file
///
/// The file lists the values of the column: keep it with the data. It goes to standard output, or to a file with --out.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 built · 1 there are no values · 2 wrong use or input, or the file exists · 3 environment

Example:
  equanym hierarchy build data.csv --column zip --kind prefix --steps 4,3,2 --out zip.csv
  equanym hierarchy build data.csv --column diagnosis --library icd-10 --missing NA"
)]
pub struct Build {
    /// The table: a file or a folder
    data: PathBuf,
    /// The column
    #[arg(long, value_name = "NAME")]
    column: String,
    /// How labels are made
    #[arg(long, value_enum, default_value_t = LadderKind::Auto)]
    kind: LadderKind,
    /// One entry per level, separated by commas: widths of intervals, characters of a prefix to keep, parts of dates
    /// (day, week, month, quarter, year, 5 years, decade), how many neighbours in order to join, or below how many records
    /// values are rare
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    steps: Vec<String>,
    /// How dates are written; goes with --kind date
    #[arg(long, value_name = "FORMAT", value_parser = date_format())]
    format: Option<DateFormat>,
    /// What rare values are called; goes with --kind rare [default: other]
    #[arg(long, value_name = "WORD")]
    label: Option<String>,
    /// A ladder of the library, in place of --kind; `equanym list hierarchy` shows them
    #[arg(long, value_name = "NAME", value_parser = library_name(), conflicts_with_all = ["kind", "steps"])]
    library: Option<&'static Library>,
    /// The file to make; an existing one is never overwritten
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
}

/// How labels are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LadderKind {
    /// As the values suggest
    Auto,
    /// Bands of numbers: --steps are their widths
    Intervals,
    /// The first characters: --steps say how many are kept
    Prefix,
    /// Parts of dates: --steps name them
    Date,
    /// Neighbours in the sorted list of values: --steps say how many are joined
    Order,
    /// Rare values under one label: --steps say below how many records a value is rare
    Rare,
}

impl Build {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        self.check()?;
        let column = ColumnOf { data: &self.data, column: &self.column, reading: &self.reading };
        let column = column.values(shared, console)?;
        let values = &column.values;
        let text = hierarchy::build(&self.builder(values)?, &column)?;
        let file = self.out.as_ref().map(|file| file.display().to_string());
        let document = json!({ "column": self.column, "values": values.len(), "hierarchy": text, "file": file });
        match &self.out {
            None => console.result(&document, || text.clone())?,
            Some(path) => {
                newfile::create(path, &text)?;
                console.document(&document)?;
                let values = show::counted(values.len() as u64, "value", "values");
                let name = show::strong(&format!("Built {}", show::path(path)));
                let next = show::command(&format!("equanym hierarchy show {}", show::shell_word(path)));
                console.story(|| format!("{name} from {values}. Look at it: {next}\n"))?;
            }
        }
        Ok(Ending::Done)
    }

    /// Refuses flags that would have no effect.
    fn check(&self) -> Result<()> {
        let is = |kind: LadderKind| self.kind == kind && self.library.is_none();
        if self.format.is_some() && !is(LadderKind::Date) {
            return Err(Error::input("--format has no effect without --kind date"));
        }
        if self.label.is_some() && !is(LadderKind::Rare) {
            return Err(Error::input("--label has no effect without --kind rare"));
        }
        match (self.kind, self.steps.is_empty()) {
            (LadderKind::Auto, false) => Err(Error::input("--steps has no effect where the values suggest the ladder")
                .hint("say how labels are made, such as --kind intervals")),
            (LadderKind::Auto, true) | (_, false) => Ok(()),
            (_, true) => Err(Error::input("this kind of ladder needs --steps").hint("such as --steps 5,10,20")),
        }
    }

    fn builder(&self, values: &[String]) -> Result<Builder> {
        if let Some(library) = self.library {
            return Ok(Builder::Library(library));
        }
        Ok(match self.kind {
            LadderKind::Auto => hierarchy::propose(values),
            LadderKind::Intervals => Builder::intervals(self.steps.clone()),
            LadderKind::Prefix => Builder::Prefix { keep: self.counts()? },
            LadderKind::Date => Builder::Date { grains: self.grains()?, format: self.format.unwrap_or_default() },
            LadderKind::Order => Builder::Order { values: present(values), sizes: self.counts()? },
            LadderKind::Rare => {
                let label = self.label.clone().unwrap_or_else(|| OTHER.to_owned());
                Builder::Rare { below: self.counts()?, label }
            }
        })
    }

    fn counts<N: FromStr>(&self) -> Result<Vec<N>> {
        let unfit = |_| Error::input("--steps must be whole numbers, separated by commas");
        self.steps.iter().map(|step| step.trim().parse().map_err(unfit)).collect()
    }

    fn grains(&self) -> Result<Vec<DateGrain>> {
        let names: Vec<&str> = DateGrain::ALL.iter().map(|grain| grain.name()).collect();
        let unfit = || Error::input("--steps must be parts of dates").hint(format!("known: {}", names.join(", ")));
        let grain = |step: &String| DateGrain::ALL.into_iter().find(|grain| grain.name() == step.trim());
        self.steps.iter().map(|step| grain(step).ok_or_else(unfit)).collect()
    }
}

/// The values that are not missing: the missing one is no neighbour of others.
fn present(values: &[String]) -> Vec<String> {
    values.iter().filter(|value| !value.is_empty()).cloned().collect()
}

fn date_format() -> impl TypedValueParser<Value = DateFormat> {
    let names = PossibleValuesParser::new(DateFormat::ALL.map(DateFormat::name));
    names.map(|name| DateFormat::ALL.into_iter().find(|format| format.name() == name).unwrap_or_default())
}
