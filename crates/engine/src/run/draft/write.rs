//! The draft as a policy file.
//!
//! Names of columns may hold anything, so keys and texts are written by the TOML library; everything else is made of
//! numbers and fixed words. The members of the families are taken from their lists: nothing here names one.

use std::fmt::Write;

use equanym_core::card::{self, Card, Kind, Parameter};
use equanym_core::hierarchy::{Builder, DateFormat, OTHER};
use equanym_core::privacy::propose::{self, Proposal};
use equanym_core::variable::Role;
use equanym_core::{loss, method, privacy, search};
use serde::Serialize;
use toml::{Table, Value};

use super::ladder::{ColumnLadder, UnusedFile};
use super::{DraftColumn, Study, person};
use crate::error::{Error, Result};
use crate::read::{ColumnForm, RaggedRecords, Reading};

/// The class size to start with.
const CLASS_SIZE: u64 = 5;

/// The share of records that may be left out to start with.
const SUPPRESSION_LIMIT: &str = "0.05";

/// Which models guard sensitive columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Models {
    /// Those that suit how their values spread.
    Suited,
    /// Those that ask least.
    Plain,
}

/// The policy file.
pub(super) fn policy(study: &Study, models: Models) -> Result<String> {
    let Study { records, columns, reading, is_tried } = study;
    let records = *records;
    let mut text = format!(
        "# A first policy, drafted from {records} record(s). It is a guess about people it knows nothing of:\n\
         # read each role below, because a wrong one releases what should stay.\n\
         #\n\
         #   identifying        says by itself who somebody is; never released\n\
         #   quasi-identifying  others may know it about a person; released as coarse as it takes\n\
         #   sensitive          nobody may learn it about a known person; released as it is, guarded by a model\n\
         #   insensitive        neither known to others nor worth learning; released as it is\n"
    );
    let person = person::propose(columns);
    text.push_str(&data(reading, person)?);
    for column in columns {
        let is_person = person.is_some_and(|person| person.name == column.name);
        text.push_str(&variable(column, &advice(column, is_person, *is_tried), reading)?);
    }
    text.push_str(&class_size(records, person)?);
    for column in columns {
        text.push_str(&diversity(column, models)?);
    }
    text.push_str(&how());
    text.push_str(&preferences(columns)?);
    Ok(text)
}

/// What a search by preferences needs, as comments to fill in: even points for every quasi-identifier.
fn preferences(columns: &[DraftColumn]) -> Result<String> {
    let quasi: Vec<&DraftColumn> =
        columns.iter().filter(|column| column.decision.role == Role::QuasiIdentifying).collect();
    let searches = search::ALL.iter().filter(|member| member.by_preferences).map(|member| member.card.name);
    let (Some(search), Some(even)) = (searches.into_iter().next(), POINTS.checked_div(quasi.len() as u64)) else {
        return Ok(String::new());
    };
    let mut text = format!(
        "\n# To balance what users want with what intruders are after, share {POINTS} points of each kind among the\n\
         # quasi-identifying variables, set search = \"{search}\" above, and look first: `equanym balance` (docs/balance.md).\n\
         #\n"
    );
    for (place, column) in quasi.iter().enumerate() {
        // What does not divide goes to the first.
        let points = if place == 0 { POINTS - even * (quasi.len() as u64 - 1) } else { even };
        let header = toml(&one("variables", one(&column.name, Table::new())))?;
        let _ = writeln!(text, "# under {}: points = {{ user = {points}, intruder = {points} }}", header.trim());
    }
    text.push_str(
        "#\n# [preferences]\n# alpha = 0.5 # the weight of information utility\n# beta = 0.5  # the weight of privacy\n\
         # [preferences.ration.NAME] # what a variable must keep, whatever the weights say\n# min_protection = { level = 1 }\n",
    );
    Ok(text)
}

/// The points that users, and intruders, share.
const POINTS: u64 = 100;

/// What the user said about reading, as far as it is not the default, and the person.
fn data(reading: &Reading, person: Option<&DraftColumn>) -> Result<String> {
    let usual = Reading::default();
    let notation = reading.notation;
    let said: [(&str, Option<Value>); 8] = [
        ("delimiter", reading.delimiter.map(|sign| char::from(sign).to_string().into())),
        ("encoding", (reading.encoding != usual.encoding).then(|| reading.encoding.label().into())),
        ("decimal", (!notation.is_usual()).then(|| notation.decimal.to_string().into())),
        ("thousands", notation.thousands.map(|sign| sign.to_string().into())),
        ("ragged", (reading.ragged == RaggedRecords::Null).then(|| "null".into())),
        ("missing", (!reading.missing.is_empty()).then(|| reading.missing.clone().into())),
        ("trim", reading.trim.then(|| true.into())),
        ("normalise", reading.normalise.then(|| "NFC".into())),
    ];
    let mut table: Table = said.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    let mut comment = written(reading);
    if let Some(column) = person {
        table.insert("person".into(), column.name.clone().into());
        let (ids, records) = (column.profile.distinct, column.profile.records);
        let _ = write!(
            comment,
            "# {records} records have {ids} ids: one person may have several records. So people are counted, not records.\n\
             # Check: is each person one id, and each id one person?\n"
        );
    }
    if table.is_empty() { Ok(String::new()) } else { Ok(format!("\n{comment}{}", toml(&one("data", table))?)) }
}

/// How the table is written, where that is not as usual.
fn written(reading: &Reading) -> String {
    let usual = Reading::default();
    let said = [
        (
            reading.encoding != usual.encoding,
            "# The text is not UTF-8. Check: do letters with accents look right in the release?\n",
        ),
        (!reading.notation.is_usual(), "# How numbers are written. Check: a wrong sign makes other numbers of them.\n"),
        (
            reading.missing != usual.missing,
            "# Words that mean missing, in every column. Check: is one of them a value somewhere, as NA is a country?\n",
        ),
    ];
    said.into_iter().filter(|(is_so, _)| *is_so).map(|(_, comment)| comment).collect()
}

fn variable(column: &DraftColumn, advice: &[String], reading: &Reading) -> Result<String> {
    let header = toml(&one("variables", one(&column.name, Table::new())))?;
    let mut text = format!("\n{}\n# {}\n", header.trim_end(), summary(column));
    for line in advice {
        let _ = writeln!(text, "# {line}");
    }
    let decision = &column.decision;
    let role = decision.role.name();
    let _ = match reading.forms.get(&column.name) {
        Some(ColumnForm::Code(width)) => writeln!(text, "# {ZEROS}\nrole = \"{role}\"\nwidth = {width}"),
        _ => writeln!(text, "role = \"{role}\""),
    };
    if decision.role == Role::QuasiIdentifying
        && let Some(ladder) = ladder(&decision.ladder)?
    {
        let _ = writeln!(text, "hierarchy = {{ {ladder} }}");
    }
    let _ = match decision.highest {
        _ if decision.held => writeln!(text, "levels = {{ min = {} }}", decision.ladder.top),
        Some(level) => writeln!(text, "levels = {{ max = {level} }} # never `*`: this table can bear it"),
        None => Ok(()),
    };
    Ok(text)
}

/// What the column holds, and why it has its role.
fn summary(column: &DraftColumn) -> String {
    let profile = &column.profile;
    let more = if profile.capped { "more than " } else { "" };
    let values = if profile.distinct == 1 { "value" } else { "values" };
    let missing = if profile.missing == 0 { String::new() } else { format!(", {} missing", profile.missing) };
    let kind = profile.kind.name();
    format!("{kind}, {more}{} distinct {values}{missing}; {}.", profile.distinct, column.decision.reason)
}

/// What a person should check.
fn advice(column: &DraftColumn, is_person: bool, is_tried: bool) -> Vec<String> {
    if is_person {
        return vec![PERSON.to_owned()];
    }
    let (decision, profile) = (&column.decision, &column.profile);
    let is_given_up =
        decision.role == Role::QuasiIdentifying && is_tried && !decision.held && decision.highest.is_none();
    let words = profile.missing_words;
    let has_idle_ladder = decision.role == Role::Sensitive && decision.ladder.file.is_some();
    let unused = decision.ladder.unfit.as_ref();
    let lines = [
        check(column).map(str::to_owned),
        is_given_up.then(|| GIVEN_UP.to_owned()),
        (words > 0)
            .then(|| format!("{words} value(s) look like a word for missing: name such words in [data] missing.")),
        has_idle_ladder.then(|| IDLE_LADDER.to_owned()),
        unused.map(|UnusedFile { file, why }| format!("{} was not used: {why}.", file.escape_debug())),
    ];
    lines.into_iter().flatten().collect()
}

/// What to ask about the role of a column.
fn check(column: &DraftColumn) -> Option<&'static str> {
    let profile = &column.profile;
    Some(match column.decision.role {
        Role::Identifying | Role::Pseudonym => "Check: if it names nobody, another role would release it.",
        Role::QuasiIdentifying if column.decision.held => HELD,
        Role::QuasiIdentifying => return climb(column),
        Role::Sensitive if profile.is_constant() => {
            "Check: whoever is known to be in the table is known to have this value."
        }
        Role::Sensitive if profile.is_near_unique() => {
            "Check: it is released as it is, and an exact value may be recognised."
        }
        Role::Sensitive => "Check: could others know it? Then it is quasi-identifying.",
        Role::Insensitive => "Check: will it stay so in other tables for which this policy is used?",
    })
}

/// A ladder that nothing looks at.
const IDLE_LADDER: &str = "Its ladder beside the data is not needed: the column is released as collected.";

/// What happened to codes that are too short.
const ZEROS: &str =
    "Some codes are shorter: they have lost zeros in front. `width` writes them again; check that it is right.";

/// What the person is for.
const PERSON: &str = "It tells people apart: see [data] above. It is never released.";

/// Why a column has no bound.
const GIVEN_UP: &str = "It may end as `*`: were something of it kept, too many records would have to be left out.";

/// Why a column is held at the top.
const HELD: &str = "Held at `*`: with so many quasi-identifiers a search takes long. Take `levels` away to try.";

/// How the values generalise, in words; whether two or three values fall into groups needs no check.
fn climb(column: &DraftColumn) -> Option<&'static str> {
    Some(match column.decision.ladder.builder {
        Builder::File(_) => "Check: the ladder that lies beside the data should be meant for this column.",
        Builder::Intervals { .. } => "Check: bands of these widths should suit those who use the data.",
        Builder::Prefix { .. } => "Check: the first characters should say the general, as in postal codes.",
        Builder::Date { .. } => "Check: dates lose their details from level to level.",
        Builder::Rare { .. } => "Check: values in fewer records than these are joined; groups would say more.",
        Builder::Library(_) => "Check: all values should be codes of this classification.",
        _ if column.profile.distinct > 3 => {
            "Check: values become `*` at once; groups or a hierarchy file would keep more of them."
        }
        _ => return None,
    })
}

/// A ladder as the policy writes it; none for values that become `*` at once.
pub(super) fn ladder(ladder: &ColumnLadder) -> Result<Option<String>> {
    if let Some(file) = &ladder.file {
        return Ok(Some(toml(&one("file", file.as_str()))?.trim_end().to_owned()));
    }
    Ok(match &ladder.builder {
        Builder::Intervals { widths, ends } => {
            let end = |key: &str, end: &Option<String>| end.as_ref().map(|end| format!(", {key} = {}", number(end)));
            let ends: String = [end("top", &ends.top), end("bottom", &ends.bottom)].into_iter().flatten().collect();
            Some(format!("intervals = [{}]{ends}", joined(widths, |width| number(width))))
        }
        Builder::Prefix { keep } => Some(format!("prefix = [{}]", joined(keep, ToString::to_string))),
        Builder::Date { grains, format } => {
            let grains = joined(grains, |grain| format!("\"{}\"", grain.name()));
            let format = match *format {
                usual if usual == DateFormat::default() => String::new(),
                other => format!(", format = \"{}\"", other.name()),
            };
            Some(format!("date = [{grains}]{format}"))
        }
        Builder::Rare { below, label } => {
            let label = match label.as_str() {
                OTHER => String::new(),
                other => format!(", label = {}", toml::Value::String(other.to_owned())),
            };
            Some(format!("rare = [{}]{label}", joined(below, ToString::to_string)))
        }
        Builder::Library(library) => Some(format!("library = \"{}\"", library.card.name)),
        _ => None,
    })
}

fn joined<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    items.iter().map(write).collect::<Vec<_>>().join(", ")
}

/// A width in TOML: beyond 64 bits a whole number is written with a point.
fn number(width: &str) -> String {
    let fits = width.contains('.') || width.parse::<i64>().is_ok();
    if fits { width.to_owned() } else { format!("{width}.0") }
}

/// The first model of the family: what every release starts with.
fn class_size(records: u64, person: Option<&DraftColumn>) -> Result<String> {
    let Some(card) = privacy::ALL.first().map(|member| &member.card) else { return Ok(String::new()) };
    let Some((name, least)) = whole_number(card) else { return Ok(String::new()) };
    let people = person.map_or(records, |column| column.profile.distinct);
    let size = CLASS_SIZE.min(people).max(least);
    let mut text = format!(
        "\n# {} {CLASS_SIZE} is a common start; ask who is responsible for the data.\n",
        sentence(card.summary)
    );
    if person.is_some() {
        text.push_str("# Counted in people: their records in a class count once.\n");
    }
    if records < CLASS_SIZE {
        let _ =
            writeln!(text, "# The table has {records} record(s): {size} is as many as can be asked, and says little.");
    }
    text.push_str(&model(card, &[(name, whole(size))])?);
    Ok(text)
}

/// A model that guards a sensitive column whose values vary.
fn diversity(column: &DraftColumn, models: Models) -> Result<String> {
    if column.decision.role != Role::Sensitive {
        return Ok(String::new());
    }
    // Of a column with more values than are counted nothing is known but that there are many.
    let many = vec![1; 6];
    let counts = if column.profile.capped { &many } else { &column.profile.counts };
    let proposal = match models {
        Models::Suited => propose::propose(&column.name, counts),
        Models::Plain => propose::plain(&column.name, counts),
    };
    let member = proposal.as_ref().and_then(|proposal| privacy::find(proposal.model));
    let (Some(Proposal { parameters, why, .. }), Some(member)) = (proposal, member) else { return Ok(String::new()) };
    let given = |parameter: &Parameter| Some((parameter.name, value(parameters.get(parameter.name)?)));
    let parameters: Vec<(&str, Value)> = member.card.parameters.iter().filter_map(given).collect();
    Ok(format!("\n# {} Here {why}.\n{}", sentence(member.card.summary), model(&member.card, &parameters)?))
}

/// A parameter in TOML.
fn value(value: &card::Value) -> Value {
    match value {
        card::Value::Integer(number) => (*number).into(),
        card::Value::Number(number) => (*number).into(),
        card::Value::Text(text) => text.as_str().into(),
        card::Value::Bool(yes) => (*yes).into(),
    }
}

/// The compulsory whole number of a card, and its least value.
fn whole_number(card: &Card) -> Option<(&'static str, u64)> {
    card.parameters.iter().find_map(|parameter| match parameter.kind {
        Kind::Integer { min } if parameter.default.is_none() => Some((parameter.name, u64::try_from(min).unwrap_or(0))),
        Kind::Above(low) if parameter.default.is_none() => Some((parameter.name, u64::try_from(low + 1).unwrap_or(0))),
        _ => None,
    })
}

fn whole(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

fn model(card: &Card, parameters: &[(&str, Value)]) -> Result<String> {
    let mut table = one("model", card.name);
    table.extend(parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    Ok(format!("[[privacy]]\n{}", toml(&table)?))
}

/// The summary of a card, with a capital letter and a full stop.
fn sentence(summary: &str) -> String {
    let mut letters = summary.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

/// How the release is found: the default of each family, with its own words.
fn how() -> String {
    let methods = method::find(method::DEFAULT).map(|member| &member.card);
    let searches = search::find(search::DEFAULT).map(|member| &member.card);
    let losses = loss::find(loss::DEFAULT).map(|member| &member.card);
    let mut text = "\n[method]\n".to_owned();
    for (key, card) in [("name", methods), ("search", searches), ("loss", losses)] {
        if let Some(card) = card {
            let _ = writeln!(text, "{key} = \"{}\" # {}", card.name, card.summary);
        }
    }
    let _ = writeln!(text, "suppression_limit = {SUPPRESSION_LIMIT} # the share of records that may be left out");
    text
}

fn one(key: &str, value: impl Into<Value>) -> Table {
    [(key.to_owned(), value.into())].into_iter().collect()
}

fn toml(table: &impl Serialize) -> Result<String> {
    toml::to_string(table).map_err(|_| unwritable())
}

fn unwritable() -> Error {
    Error::environment("the draft cannot be written as TOML: please report this")
}
