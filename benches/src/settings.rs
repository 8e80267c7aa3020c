//! What the command line asks for.

use std::path::PathBuf;

use crate::failure::Result;

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a flag that people type
pub struct Settings {
    /// The folder that this package lies in: results are written there.
    pub home: PathBuf,
    /// The folder of the published data sets.
    pub data: PathBuf,
    /// A small part of the work.
    pub quick: bool,
    /// Checks the slowest lattice against every node, too.
    pub complete: bool,
    /// Makes a whole release of ten million records, too.
    pub large: bool,
    /// Puts the results into the file that shows them.
    pub write: bool,
}

impl Settings {
    /// Reads flags; whatever is none is refused.
    pub fn read(arguments: &[String]) -> Result<Self> {
        let home = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("benches"), PathBuf::from);
        let data = home.join("../../shared/data");
        let mut settings = Self { home, data, quick: false, complete: false, large: false, write: false };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => settings.quick = true,
                "--complete" => settings.complete = true,
                "--large" => settings.large = true,
                "--write" => settings.write = true,
                "--data" => settings.data = arguments.next().ok_or("--data needs a folder")?.into(),
                other => return Err(format!("there is no option {other}").into()),
            }
        }
        Ok(settings)
    }

    /// The flags that change what is measured, as they are typed.
    pub fn flags(&self) -> String {
        let flags = [(self.quick, " --quick"), (self.complete, " --complete"), (self.large, " --large")];
        flags.into_iter().filter_map(|(set, flag)| set.then_some(flag)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_and_unknown_ones_refused() {
        let read = |line: &str| Settings::read(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let settings = read("--quick --data there --write").unwrap();
        assert!(settings.quick && settings.write && !settings.large && !settings.complete);
        assert_eq!((settings.data.to_str(), settings.flags().as_str()), (Some("there"), " --quick"));
        assert!(read("--fast").is_err());
        assert!(read("--data").is_err());
    }
}
