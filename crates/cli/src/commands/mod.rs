//! The commands, one file each.
//!
//! A command is a struct of its flags with one verb, `run`. It ends in an [`Ending`] or an error; it prints through the
//! console only, so `--json` and `--quiet` mean the same everywhere.

mod alternatives;
mod apply;
mod attack;
mod audit;
mod balance;
#[cfg(feature = "cluster")]
mod cluster;
mod compare;
mod completions;
mod demo;
mod draft;
mod explain;
mod frontier;
mod hierarchy;
mod list;
mod man;
mod release;
mod report;
mod risk;
mod schema;
mod sql;
#[cfg(feature = "studio")]
mod studio;

use clap::Subcommand;
use equanym_engine::error::Result;

use crate::console::Console;
use crate::flags::SharedFlags;

/// How a command ended that was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Done.
    Done,
    /// Done, and a check failed.
    CheckFailed,
}

impl Ending {
    /// The exit code of the program.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::CheckFailed => 1,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Demo(demo::Demo),
    Draft(draft::Draft),
    Risk(risk::Risk),
    Release(release::Release),
    Apply(apply::Apply),
    Balance(balance::Balance),
    Alternatives(alternatives::Alternatives),
    Attack(attack::Attack),
    Frontier(frontier::Frontier),
    Audit(audit::Audit),
    Report(report::Report),
    Compare(compare::Compare),
    Sql(sql::Sql),
    #[cfg(feature = "studio")]
    Studio(studio::Studio),
    Hierarchy(hierarchy::Hierarchy),
    #[cfg(feature = "cluster")]
    Cluster(cluster::Cluster),
    List(list::List),
    Explain(explain::Explain),
    Schema(schema::Schema),
    Completions(completions::Completions),
    Man(man::ManualPages),
}

impl Command {
    /// Whether it goes on until a signal ends it, and looks out for that itself.
    pub fn waits_for_signals(&self) -> bool {
        match self {
            #[cfg(feature = "cluster")]
            Self::Cluster(_) => true,
            #[cfg(feature = "studio")]
            Self::Studio(_) => true,
            _ => false,
        }
    }

    /// Carries the command out.
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        match self {
            Self::Demo(command) => command.run(shared, console),
            Self::Draft(command) => command.run(shared, console),
            Self::Risk(command) => command.run(shared, console),
            Self::Release(command) => command.run(shared, console),
            Self::Apply(command) => command.run(shared, console),
            Self::Balance(command) => command.run(shared, console),
            Self::Alternatives(command) => command.run(shared, console),
            Self::Attack(command) => command.run(shared, console),
            Self::Frontier(command) => command.run(shared, console),
            Self::Audit(command) => command.run(console),
            Self::Report(command) => command.run(console),
            Self::Compare(command) => command.run(shared, console),
            Self::Sql(command) => command.run(shared, console),
            #[cfg(feature = "studio")]
            Self::Studio(command) => command.run(shared, console),
            Self::Hierarchy(command) => command.run(shared, console),
            #[cfg(feature = "cluster")]
            Self::Cluster(command) => command.run(shared, console),
            Self::List(command) => command.run(console),
            Self::Explain(command) => command.run(console),
            Self::Schema(command) => command.run(console),
            Self::Completions(command) => command.run(console),
            Self::Man(command) => command.run(console),
        }
    }
}
