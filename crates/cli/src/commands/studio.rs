//! `equanym studio`: the pages in a browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use equanym_engine::error::Result;
use equanym_studio::{Settings, Studio as OpenStudio};
use serde::Serialize;

use super::Ending;
use crate::console::{Console, message};
use crate::flags::SharedFlags;
use crate::show;

/// See the choices in a browser, then choose
///
/// Opens a table on pages that only this machine's browser can see: what the columns hold, which roles they have, what makes a
/// release safe, the best release as you move the sliders, and the release itself. Nothing leaves the machine; the policy is
/// the same file as everywhere, and the page shows the command that does the same. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Exit codes: 0 ended · 2 wrong use · 3 environment

Example:
  equanym studio
  equanym studio data.csv --policy policy.toml"
)]
pub struct Studio {
    /// The table: a file, a folder or an address; it can also be chosen in the browser
    data: Option<PathBuf>,
    /// The policy to begin with; otherwise one is drafted
    #[arg(long, value_name = "FILE", requires = "data")]
    policy: Option<PathBuf>,
    /// The port on this machine; a free one when absent
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Do not open a browser, only print the address
    #[arg(long)]
    no_open: bool,
}

/// What scripts read.
#[derive(Serialize)]
struct Address {
    url: String,
}

impl Studio {
    pub fn run(&self, shared: &SharedFlags, console: Console) -> Result<Ending> {
        let settings = Settings {
            data: self.data.clone(),
            policy: self.policy.clone(),
            port: self.port,
            resources: shared.resources(),
            ..Settings::default()
        };
        let studio = OpenStudio::open(settings, move |next| {
            if !console.quiet {
                message(&format!(
                    "A browser has come in. The address for another one:\n\n  {}\n\n",
                    show::command(next)
                ));
            }
        })?;
        let address = Address { url: studio.url() };
        console.result(&address, || {
            format!(
                "The studio is open, for this machine only. The address lets one browser in, once:\n\n  {}\n\nCtrl-C ends it.\n",
                show::command(&address.url)
            )
        })?;
        if !self.no_open && !open_browser(&studio.page()?) && !console.json && !console.quiet {
            message("No browser could be opened: copy the address into one.\n");
        }
        studio.serve(std::future::pending());
        Ok(Ending::Done)
    }
}

/// Opens a page in the browser of the system, if it has one. Its path may be seen by everybody; the address in it may not.
fn open_browser(page: &Path) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let nowhere = [Stdio::null(), Stdio::null(), Stdio::null()];
    let [input, output, errors] = nowhere;
    Command::new(program).args(arguments).arg(page).stdin(input).stdout(output).stderr(errors).spawn().is_ok()
}
