//! Flags that several commands share.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, value_parser};
use equanym_engine::error::{Error, Result as Outcome};
use equanym_engine::machine::Resources;
use equanym_engine::policy::Policy;
use equanym_engine::read::notation::Notation;
use equanym_engine::read::{Encoding, LABELS, RaggedRecords, Reading};
use equanym_engine::workers::Cluster;

/// Flags of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct SharedFlags {
    /// Print one JSON document on standard output and nothing else there
    #[arg(long, global = true)]
    pub json: bool,
    /// Print only what was asked for: no progress, no story
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Work with so many threads [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Use so much memory for counting and sorting, such as 512M or 2G [default: half of what is free]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub memory: Option<usize>,
    /// Use so much disk, beside the output, for what does not fit in memory [default: 100G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub disk: Option<usize>,
}

impl SharedFlags {
    /// What a run may use.
    pub fn resources(&self) -> Resources {
        let usual = Resources::default();
        Resources {
            threads: self.threads.map_or(usual.threads, usize::from),
            memory: self.memory.unwrap_or(usual.memory),
            disk: self.disk.map_or(usual.disk, |disk| disk as u64),
        }
    }
}

/// What opens the door of a cluster.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The door of a cluster")]
pub struct KeyFlags {
    /// The certificate of this process, in PEM; `equanym cluster certificates` makes certificates
    #[arg(long, value_name = "FILE")]
    cert: Option<PathBuf>,
    /// The private key of that certificate, in PEM; without --cert and --cluster the key of pseudonyms and of dates that
    /// move: `private/key` of an earlier release, whose tokens then match
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The authority of the cluster, in PEM: who has no certificate of it is refused
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// On one machine, in place of certificates: a file with a secret that all processes share
    #[arg(long, value_name = "FILE")]
    secret: Option<PathBuf>,
}

impl KeyFlags {
    /// The key of pseudonyms and of dates that move, if it is one: beside a certificate or a cluster it opens a door.
    pub fn for_tokens(&self, scheduler: Option<&String>) -> Option<PathBuf> {
        self.key.clone().filter(|_| self.cert.is_none() && scheduler.is_none())
    }

    /// The cluster at an address, if there is one.
    pub fn cluster(&self, scheduler: Option<&String>) -> Result<Option<Box<dyn Cluster>>, Error> {
        let opens_doors = [&self.cert, &self.ca, &self.secret].into_iter().any(Option::is_some);
        match scheduler {
            Some(scheduler) => Ok(Some(self.at(scheduler))),
            None if !opens_doors => Ok(None),
            None => Err(Error::input("--cert, --key, --ca and --secret open the door of a cluster")
                .hint("name its scheduler with --cluster, or leave them out")),
        }
    }

    #[cfg(feature = "cluster")]
    fn at(&self, scheduler: &str) -> Box<dyn Cluster> {
        Box::new(equanym_cluster::ClusterAccess { scheduler: scheduler.to_owned(), keys: self.keys() })
    }

    /// The files.
    #[cfg(feature = "cluster")]
    pub fn keys(&self) -> equanym_cluster::DoorKeys {
        let Self { cert, key, ca, secret } = self.clone();
        equanym_cluster::DoorKeys { cert, key, ca, secret }
    }

    #[cfg(not(feature = "cluster"))]
    #[allow(clippy::unused_self)] // what opens a door is of use where there is one
    fn at(&self, _: &str) -> Box<dyn Cluster> {
        Box::new(crate::no_cluster::NoCluster)
    }
}

/// Flags of commands that read a table.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading the table")]
pub struct ReadingFlags {
    /// The delimiter of delimited text: one character, or `tab` [default: detected]
    #[arg(long, value_name = "C", value_parser = delimiter)]
    pub delimiter: Option<u8>,
    /// The encoding of text, such as `windows-1252` [default: UTF-8, or UTF-16 by its mark]
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    pub encoding: Option<Encoding>,
    /// The decimal sign of numbers: `.` or `,` [default: .]
    #[arg(long, value_name = "C", value_parser = decimal)]
    pub decimal: Option<char>,
    /// What groups the thousands of numbers: one of `.` `,` `'` `_` or a blank [default: nothing]
    #[arg(long, value_name = "C", value_parser = thousands)]
    pub thousands: Option<char>,
    /// A word that stands for a missing value, besides those of the policy; may be given again
    #[arg(long, value_name = "WORD")]
    pub missing: Vec<String>,
    /// What to do with rows that are too short: refuse them, or take the rest as missing [default: refuse]
    #[arg(long, value_name = "HOW", value_parser = one_of(&RAGGED))]
    pub ragged: Option<RaggedRecords>,
    /// The sheet of a workbook [default: the first that is shown]
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
}

impl ReadingFlags {
    /// The same way of reading, except where a flag says otherwise.
    pub fn over(&self, reading: &Reading) -> Outcome<Reading> {
        let missing = reading.missing.iter().chain(self.missing.iter().filter(|word| !reading.missing.contains(word)));
        Ok(Reading {
            delimiter: self.delimiter.or(reading.delimiter),
            encoding: self.encoding.unwrap_or(reading.encoding),
            notation: self.notation(reading.notation)?,
            missing: missing.cloned().collect(),
            ragged: self.ragged.unwrap_or(reading.ragged),
            sheet: self.sheet.clone().or_else(|| reading.sheet.clone()),
            ..reading.clone()
        })
    }

    /// A sign of thousands that a flag takes for the decimal sign groups nothing any more.
    fn notation(&self, given: Notation) -> Outcome<Notation> {
        let decimal = self.decimal.unwrap_or(given.decimal);
        let notation =
            Notation { decimal, thousands: self.thousands.or(given.thousands.filter(|sign| *sign != decimal)) };
        if notation.is_contradictory() {
            return Err(Error::input(format!("--thousands `{decimal}` is the decimal sign, too"))
                .hint("with --thousands . goes --decimal ,"));
        }
        Ok(notation)
    }

    /// The way of reading of a policy, if there is one, except where a flag says otherwise.
    pub fn over_policy(&self, policy: Option<&Policy>) -> Outcome<Reading> {
        policy.map_or_else(|| self.over(&Reading::default()), |policy| self.over(&policy.data))
    }
}

fn encoding(label: &str) -> Result<Encoding, String> {
    Encoding::named(label).ok_or_else(|| format!("write {LABELS}"))
}

fn decimal(text: &str) -> Result<char, &'static str> {
    Notation::decimal_sign(text).ok_or("must be . or ,")
}

fn thousands(text: &str) -> Result<char, &'static str> {
    Notation::thousands_sign(text).ok_or("must be one of . , ' _ or a blank")
}

const RAGGED: [(&str, RaggedRecords); 2] = [("refuse", RaggedRecords::Refuse), ("null", RaggedRecords::Null)];

/// A word with a meaning.
fn one_of<T>(meanings: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Default + Send + Sync + 'static,
{
    let words = PossibleValuesParser::new(meanings.iter().map(|(word, _)| *word));
    words.map(|word| meanings.iter().find(|(known, _)| *known == word).map_or_else(T::default, |(_, meaning)| *meaning))
}

fn delimiter(text: &str) -> Result<u8, &'static str> {
    let unfit = "must be one ASCII character that is no quote, letter, digit or line end, or the word `tab`";
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\r\n\0".contains(byte) => Ok(*byte),
        _ => Err(unfit),
    }
}

/// Bytes from a text such as `512M`.
fn size(text: &str) -> Result<usize, &'static str> {
    let unfit = "must be a whole number with K, M, G or T, such as 512M";
    let digits = text.trim_end_matches(|character: char| !character.is_ascii_digit());
    let power: u32 = match text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 1,
        "M" | "MB" | "MIB" => 2,
        "G" | "GB" | "GIB" => 3,
        "T" | "TB" | "TIB" => 4,
        _ => return Err(unfit),
    };
    let number: usize = digits.parse().map_err(|_| unfit)?;
    match 1024_usize.checked_pow(power).and_then(|bytes| bytes.checked_mul(number)) {
        Some(0) | None => Err("must be more than nothing and less than the machine can address"),
        Some(bytes) => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let check = |text: &str, expected: Option<usize>| assert_eq!(size(text).ok(), expected, "{text}");
        check("4096", Some(4096));
        check("512M", Some(512 << 20));
        check("2g", Some(2 << 30));
        check("1KiB", Some(1024));
        for unfit in ["", "M", "0", "0G", "-1M", "1.5G", "12X", "1 G", "99999999999T", "ä", "5ä"] {
            check(unfit, None);
        }
    }

    #[test]
    fn delimiters_are_read() {
        for (text, byte) in [(";", b';'), ("tab", b'\t'), ("\\t", b'\t'), ("\t", b'\t'), (" ", b' ')] {
            assert_eq!(delimiter(text), Ok(byte));
        }
        for text in ["", "\"", "a", "7", "\n", ";;", "ü"] {
            assert!(delimiter(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn flags_override_and_silence_does_not() {
        let policy = Reading {
            delimiter: Some(b'|'),
            ragged: RaggedRecords::Null,
            trim: true,
            notation: Notation { decimal: ',', thousands: Some('.') },
            missing: vec!["NA".to_owned()],
            ..Reading::default()
        };
        let flags = ReadingFlags {
            delimiter: None,
            encoding: Some(Encoding::Utf16Le),
            decimal: Some(','),
            thousands: None,
            missing: vec!["leer".to_owned()],
            ragged: Some(RaggedRecords::Refuse),
            sheet: None,
        };
        let reading = flags.over(&policy).unwrap();
        assert_eq!(reading.notation, Notation { decimal: ',', thousands: Some('.') });
        assert_eq!(reading.missing, ["NA", "leer"]);
        let contrary = ReadingFlags { decimal: None, thousands: Some('.'), ..flags };
        assert!(contrary.over(&Reading::default()).is_err());
        assert_eq!((reading.delimiter, reading.encoding), (Some(b'|'), Encoding::Utf16Le));
        assert_eq!((reading.ragged, reading.trim), (RaggedRecords::Refuse, true));
    }
}
