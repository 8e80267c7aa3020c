//! `equanym list`: the families and their members.

use clap::Args;
use equanym_engine::error::{Error, Result};
use equanym_engine::policy::nearest::nearest;
use serde_json::json;

use super::Ending;
use crate::console::Console;
use crate::families::{self, Family, Member};
use crate::show;

/// List the families and their members: privacy models, presets, losses, searches, methods, targets, distances, ladders
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 done · 2 there is no such family\n\nExample:\n  equanym list loss")]
pub struct List {
    /// The family; without it all are listed
    family: Option<String>,
}

impl List {
    pub fn run(&self, console: Console) -> Result<Ending> {
        let families = match &self.family {
            Some(name) => vec![find(name)?],
            None => families::all(),
        };
        console.result(&json!({ "families": families }), || text(&families))?;
        Ok(Ending::Done)
    }
}

fn find(name: &str) -> Result<Family> {
    let all = families::all();
    let names: Vec<&str> = all.iter().map(|family| family.name).collect();
    let hint = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("families: {}", names.join(", ")),
    };
    let wanted = all.into_iter().find(|family| family.name == name);
    wanted.ok_or_else(|| Error::input(format!("there is no family `{}`", show::name(name))).hint(hint))
}

fn text(families: &[Family]) -> String {
    let lists: Vec<String> = families.iter().map(family).collect();
    lists.join("\n") + "\n`equanym explain NAME` tells more.\n"
}

fn family(family: &Family) -> String {
    let rows: Vec<Vec<String>> = family.members.iter().map(row).collect();
    let heading = show::strong(family.name);
    let header = ["name", "", "what it does"];
    format!("{heading}  {}\n{}", family.summary, show::table(&header, &rows))
}

fn row(member: &Member) -> Vec<String> {
    let charging = member
        .charges_suppression
        .map(|charges| if charges { "charges suppression" } else { "no charge for suppression" });
    let notes: Vec<&str> = member.default.then_some("default").into_iter().chain(charging).collect();
    vec![member.card.name.to_owned(), notes.join(", "), member.card.summary.to_owned()]
}
