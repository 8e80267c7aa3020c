//! `equanym completions`: what a shell needs to complete commands and flags.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use equanym_engine::error::{Error, Result};
use serde_json::json;

use super::Ending;
use crate::Program;
use crate::console::Console;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 done · 2 wrong use

Example:
  equanym completions bash > ~/.local/share/bash-completion/completions/equanym")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, console: Console) -> Result<Ending> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Program::command(), "equanym", &mut script);
        let script = String::from_utf8(script).map_err(|_| Error::environment("the completions are no text"))?;
        console.result(&json!({ "shell": self.shell.to_string(), "script": script }), || script.clone())?;
        Ok(Ending::Done)
    }
}
