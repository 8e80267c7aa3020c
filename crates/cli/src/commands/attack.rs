//! `equanym attack`: what an intruder finds in a release.

use std::path::PathBuf;

use clap::Args;
use equanym_core::attack::{AttackFinding, Rate};
use equanym_engine::error::Result;
use equanym_engine::policy::Policy;
use equanym_engine::run::attack::{AttackReport, AttackRequest, attack};

use super::Ending;
use crate::console::Console;
use crate::flags::{ReadingFlags, SharedFlags};
use crate::progress;
use crate::show;

/// Attack a release as somebody would who knows people in it, and tell how often that is right
///
/// The intruder knows the quasi-identifying columns of people and looks for released records that fit. What goes beyond what is
/// found about people who are not in the table (--control) was given away by the table. Nothing is written.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 attacked · 1 nothing to attack · 2 wrong use, policy or input · 3 environment

Example:
  equanym attack release/public --original data.csv --control others.csv"
)]
pub struct Attack {
    /// The `public` folder of a release; the mask in the folder beside it tells what labels mean, as an intruder may know
    public: PathBuf,
    /// The table that the release was made from
    #[arg(long, value_name = "DATA")]
    original: PathBuf,
    /// People who are not in that table, with the same columns
    #[arg(long, value_name = "DATA")]
    control: Option<PathBuf>,
    /// The policy of the release: how the tables are read, what labels mean where no mask tells, and how the levels were chosen
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Attack {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let policy = self.policy.as_deref().map(Policy::load).transpose()?;
        let reading = self.reading.over_policy(policy.as_ref())?;
        let attacked = attack(&AttackRequest {
            release: self.public.as_path().into(),
            original: (&self.original).into(),
            control: self.control.as_ref().map(Into::into),
            policy: policy.as_ref(),
            reading: &reading,
            resources: shared.resources(),
            progress: progress::listen(console).as_ref(),
        })?;
        console.result(&attacked, || text(&attacked))?;
        Ok(Ending::Done)
    }
}

/// What was found, in words.
fn text(attacked: &AttackReport) -> String {
    let records = &attacked.records;
    let control = records.control.map(|control| format!(", {} of control", show::count(control)));
    let records = format!(
        "{} released of {}{}",
        show::counted(records.released, "record", "records"),
        show::count(records.original),
        control.unwrap_or_default()
    );
    let names = |names: &[String]| names.iter().map(|name| show::name(name)).collect::<Vec<_>>().join(", ");
    let mut text = format!("{}. Known of people: {}.\n\n", show::strong(&records), names(&attacked.knowledge));
    let header = ["attack", "of", ">right", ">95% interval", ">control", ">blind", ">risk"];
    text += &show::table(&header, &attacked.attacks.iter().map(row).collect::<Vec<_>>());
    if !attacked.attacks.iter().any(|found| found.attack == "minimality") {
        text += "\nNot tried: minimality, which takes the --policy of a release with a model of sensitive values.\n";
    }
    if !attacked.new_values.is_empty() {
        let new = format!(
            "New values: {}. By rank and by distance the intruder knows the original column, or record, and looks for it among the \
             released ones.",
            names(&attacked.new_values)
        );
        text += "\n";
        text += &show::paragraph(&new, 0);
    }
    if !attacked.unknown.is_empty() {
        let unknown = format!(
            "Not attacked: {}. They have new values, and nobody can tell here which record was which: attack a release with \
             [output] order = \"input\" that withholds nobody, or one whose private folder is at hand.",
            names(&attacked.unknown)
        );
        text += "\n";
        text += &show::paragraph(&unknown, 0);
    }
    if !attacked.left_out.is_empty() {
        let left_out = format!("Not attacked, because their cells were treated: {}.", names(&attacked.left_out));
        text += "\n";
        text += &show::paragraph(&left_out, 0);
    }
    text
}

fn row(found: &AttackFinding) -> Vec<String> {
    let rate = |rate: Option<Rate>| rate.map(|rate| show::percent(rate.rate)).unwrap_or_default();
    vec![
        found.attack.to_owned(),
        found.of.as_deref().map(show::name).unwrap_or_default(),
        show::percent(found.original.rate),
        format!("{} to {}", show::percent(found.original.low), show::percent(found.original.high)),
        rate(found.control),
        rate(found.blind),
        show::percent(found.risk),
    ]
}
