//! `equanym draft`: a first policy for a table.

use std::path::{Path, PathBuf};

use clap::Args;
use equanym_engine::error::Result;
use equanym_engine::read::Reading;
use equanym_engine::run::draft::{self, DraftRequest, Proposal};
use serde_json::json;

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::show;
use crate::{newfile, progress};

/// Draft a commented policy for a table: types, roles, hierarchies, a first privacy model
///
/// The policy goes to standard output, or to a file with --out. It is a proposal: only a person can say what others may
/// know about the people in the table.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 drafted · 1 there are no records · 2 wrong use or input, or the file exists · 3 environment

Example:
  equanym draft data.csv --out policy.toml"
)]
pub struct Draft {
    /// The table: a file or a folder
    data: PathBuf,
    /// The file to make; an existing one is never overwritten
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Draft {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let reading = self.reading.over(&Reading::default())?;
        let (resources, progress) = (shared.resources(), progress::listen(console));
        // Printed, it is a policy for whoever stands here.
        let folder = self.out.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let request = DraftRequest {
            data: (&self.data).into(),
            reading: &reading,
            folder,
            resources: &resources,
            progress: &progress,
        };
        let drafted = draft::draft(&request)?;
        match &self.out {
            None => console.result(&drafted, || drafted.policy.clone())?,
            Some(file) => {
                newfile::create(file, &drafted.policy)?;
                let mut document = serde_json::to_value(&drafted).unwrap_or_default();
                document["file"] = json!(file.display().to_string());
                console.document(&document)?;
                console.story(|| self.story(&drafted, file))?;
            }
        }
        Ok(Ending::Done)
    }

    fn story(&self, drafted: &draft::Draft, file: &Path) -> String {
        let header = ["column", "role", ">distinct", "why"];
        let rows: Vec<Vec<String>> = drafted.columns.iter().map(row).collect();
        let next = format!(
            "equanym release {} --policy {} --out release",
            show::shell_word(&self.data),
            show::shell_word(file)
        );
        let person = drafted.person.as_ref().map(|column| {
            format!(
                "\nOne person may have several records: people are counted, told apart by `{}`.\n",
                show::name(column)
            )
        });
        let notes: Vec<String> = drafted.notes.iter().map(|note| format!("{}\n", show::plain(note))).collect();
        let notes = if notes.is_empty() { String::new() } else { format!("\n{}", notes.concat()) };
        format!(
            "{} from {}\n\n{}{}{notes}\nReview it, above all the roles; then: {}\n",
            show::strong(&format!("Drafted {}", show::path(file))),
            show::counted(drafted.records, "record", "records"),
            show::table(&header, &rows),
            person.unwrap_or_default(),
            show::command(&next)
        )
    }
}

fn row(column: &Proposal) -> Vec<String> {
    let distinct = show::count(column.distinct) + if column.more { "+" } else { "" };
    vec![show::name(&column.name), column.role.name().to_owned(), distinct, show::plain(&column.reason)]
}
