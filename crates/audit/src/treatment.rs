//! Treatments: what is claimed to have happened to cells before anything else, and what of it the bytes show.
//!
//! Tokens have the form of tokens, moved dates are dates, rounded numbers are multiples, and no number is beyond its top or
//! bottom. An age is a whole number up to its top. Where a column stands above level 0 its cells are labels, and the rules
//! of labels judge them. Whether a treatment was right is seen with the original only: see `original/treated.rs`.

use crate::Check;
use crate::calendar::DATE_FORMATS;
use crate::day::Day;
use crate::decimal::Decimal;
use crate::formula::{self, Guard};
use crate::manifest::{Claims, Column, Treatment};
use crate::observer::{Observer, Record};

/// The role of a column of tokens.
pub(crate) const PSEUDONYM: &str = "pseudonym";

/// A treatment that is understood.
#[derive(Clone, Copy)]
pub(crate) enum Treated<'a> {
    Token,
    Shifted { days: u32, by: &'a str, format: &'static str },
    Rounded { to: Decimal },
    Top { at: Decimal },
    Bottom { at: Decimal },
    Age { at: At<'a>, format: &'static str, top: Option<u32> },
}

/// When an age is counted.
#[derive(Clone, Copy)]
pub(crate) enum At<'a> {
    Column { name: &'a str, format: &'static str },
    Day(&'a str),
}

impl Treated<'_> {
    fn is_of_numbers(self) -> bool {
        matches!(self, Self::Rounded { .. } | Self::Top { .. } | Self::Bottom { .. })
    }

    pub fn is_keyed(self) -> bool {
        matches!(self, Self::Token | Self::Shifted { .. })
    }

    /// Whether a cell that is no label can come of it.
    fn allows(self, cell: &str) -> bool {
        let number = || Decimal::parse_canonical(cell);
        match self {
            Self::Token => is_token(cell),
            Self::Shifted { format, .. } => is_date(cell, format),
            Self::Rounded { to } => {
                number().and_then(|number| to.band_of(number).map(|(low, _)| low == number)) == Some(true)
            }
            Self::Top { at } => number().and_then(|number| at.is_below(number)) == Some(false),
            Self::Bottom { at } => number().and_then(|number| number.is_below(at)) == Some(false),
            Self::Age { top, .. } => {
                let age = number().and_then(|number| number.to_string().parse::<u32>().ok());
                age.is_some_and(|age| age <= top.unwrap_or(9999))
            }
        }
    }

    fn words(self) -> String {
        match self {
            Self::Token => "keyed tokens".to_owned(),
            Self::Shifted { days, .. } => format!("dates moved by up to {days} days"),
            Self::Rounded { to } => format!("multiples of {to}"),
            Self::Top { at } => format!("numbers up to {at}"),
            Self::Bottom { at } => format!("numbers from {at} on"),
            Self::Age { top: Some(top), .. } => format!("ages up to {top}"),
            Self::Age { top: None, .. } => "ages".to_owned(),
        }
    }
}

/// `p` and 32 hexadecimal digits.
fn is_token(cell: &str) -> bool {
    let digits = cell.strip_prefix('p').unwrap_or_default();
    digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The treatments of a column, or why its claims cannot be understood.
pub(crate) fn understood(column: &Column) -> Result<Vec<Treated<'_>>, &'static str> {
    let treated = column.treatments.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    let is_fit = match (column.role.as_str(), treated.as_slice()) {
        (PSEUDONYM, [Treated::Token]) => true,
        (PSEUDONYM, _) => false,
        (_, []) => true,
        _ if column.new_values.is_some() => false,
        (_, [Treated::Shifted { .. } | Treated::Age { .. }]) => true,
        ("sensitive" | "insensitive", several) => {
            several.iter().all(|one| one.is_of_numbers()) && is_each_once(several)
        }
        _ => false,
    };
    if is_fit { Ok(treated) } else { Err("treatments that no column of its role can have") }
}

fn is_each_once(treated: &[Treated<'_>]) -> bool {
    let kinds: Vec<_> = treated.iter().map(std::mem::discriminant).collect();
    kinds.iter().enumerate().all(|(place, kind)| !kinds.iter().take(place).any(|other| other == kind))
}

/// A treatment by its name and its parameters, and no others.
fn one(claim: &Treatment) -> Result<Treated<'_>, &'static str> {
    let Treatment { name, days, by, format, to, at, at_format, day, top } = claim;
    let given = (days, by.as_deref(), format.as_deref(), to.as_deref());
    let others = (at.as_deref(), at_format.as_deref(), day.as_deref(), top);
    let unfit = "a treatment with parameters that it does not take, or without one that it needs";
    let number = |text: &str| Decimal::parse_canonical(text).ok_or("a treatment whose number is none");
    match (name.as_str(), given, others) {
        (PSEUDONYM, (None, None, None, None), (None, None, None, None)) => Ok(Treated::Token),
        ("shift", (Some(days), Some(by), Some(format), None), (None, None, None, None)) => {
            let days = u32::try_from(*days).ok().filter(|days| (1..=36_500).contains(days));
            Ok(Treated::Shifted { days: days.ok_or(unfit)?, by, format: date_format(format)? })
        }
        ("round", (None, None, None, Some(to)), (None, None, None, None)) => {
            let to = number(to)?;
            if to.is_positive() { Ok(Treated::Rounded { to }) } else { Err(unfit) }
        }
        ("top", (None, None, None, None), (Some(at), None, None, None)) => Ok(Treated::Top { at: number(at)? }),
        ("bottom", (None, None, None, None), (Some(at), None, None, None)) => Ok(Treated::Bottom { at: number(at)? }),
        ("derive", (None, None, Some(format), None), (at, at_format, day, top)) => {
            let at = match (at, at_format, day) {
                (Some(name), Some(format), None) => At::Column { name, format: date_format(format)? },
                (None, None, Some(day)) if is_date(day, "YYYY-MM-DD") => At::Day(day),
                _ => return Err(unfit),
            };
            let top = top.map(|top| u32::try_from(top).map_err(|_| unfit)).transpose()?;
            Ok(Treated::Age { at, format: date_format(format)?, top })
        }
        (PSEUDONYM | "shift" | "round" | "top" | "bottom" | "derive", ..) => Err(unfit),
        _ => Err("a treatment that is not known to this audit"),
    }
}

fn is_date(cell: &str, format: &str) -> bool {
    Day::collected(cell, format).is_some()
}

fn date_format(name: &str) -> Result<&'static str, &'static str> {
    let known = DATE_FORMATS.into_iter().find(|known| *known == name);
    known.ok_or("a format of dates that is not known to this audit")
}

/// Compares the cells of treated columns with what their treatments can make.
pub(crate) struct TreatmentObserver<'a> {
    columns: Vec<TreatedColumn<'a>>,
    guard: Option<Guard>,
}

struct TreatedColumn<'a> {
    place: usize,
    name: &'a str,
    treated: Result<Vec<Treated<'a>>, &'static str>,
    /// Whether its cells are labels, which have rules of their own.
    are_labels: bool,
    wrong: u64,
    first: Option<u64>,
}

impl<'a> TreatmentObserver<'a> {
    pub fn new(claims: &'a Claims) -> Self {
        let columns = claims.columns.iter().enumerate();
        let columns = columns.filter(|(_, column)| column.role == PSEUDONYM || !column.treatments.is_empty());
        let columns = columns.map(|(place, column)| TreatedColumn {
            place,
            name: &column.name,
            treated: understood(column),
            are_labels: column.labels.as_ref().is_some_and(|labels| labels.rule != "as-collected"),
            wrong: 0,
            first: None,
        });
        Self { columns: columns.collect(), guard: Guard::of(claims) }
    }
}

impl Observer for TreatmentObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        for column in self.columns.iter_mut().filter(|column| !column.are_labels) {
            let cell = record.cell(column.place);
            let bare = formula::bare(self.guard, cell);
            let Ok(treated) = &column.treated else { continue };
            if !bare.is_empty() && !treated.iter().all(|one| one.allows(&bare)) {
                column.wrong += record.times;
                column.first.get_or_insert(record.number);
            }
        }
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        self.columns.into_iter().map(TreatedColumn::judge).collect()
    }
}

impl TreatedColumn<'_> {
    fn judge(self) -> Check {
        let words = match &self.treated {
            Ok(treated) => treated.iter().map(|one| one.words()).collect::<Vec<_>>().join(", "),
            Err(_) => "what its treatments make".to_owned(),
        };
        let (passed, found) = match (self.treated, self.first) {
            (Err(why), _) => (false, format!("{why}, is claimed")),
            (Ok(_), Some(record)) => {
                (false, format!("{} cells do not come of that, the first in record {record}", self.wrong))
            }
            (Ok(_), None) if self.are_labels => (true, "its cells are labels".to_owned()),
            (Ok(_), None) => (true, "it does".to_owned()),
        };
        Check::new("treatment", passed, format!("column {:?} holds {words}", self.name), found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(claim: &str, cell: &str) -> bool {
        let claim: Treatment = serde_json::from_str(claim).unwrap();
        one(&claim).unwrap().allows(cell)
    }

    #[test]
    fn cells_have_the_form_of_their_treatment() {
        let token = "p0123456789abcdef0123456789abcdef";
        for (claim, good, bad) in [
            (
                r#"{"treatment":"pseudonym"}"#,
                vec![token],
                vec!["17", "p17", &token[1..], "P0123456789abcdef0123456789abcdef"],
            ),
            (
                r#"{"treatment":"shift","days":180,"by":"id","format":"DD.MM.YYYY"}"#,
                vec!["29.02.2024"],
                vec!["29.02.2023", "2024-02-29", "P7"],
            ),
            (r#"{"treatment":"round","to":"2.5"}"#, vec!["0", "-2.5", "100"], vec!["1", "2.50", "x"]),
            (r#"{"treatment":"top","at":"90"}"#, vec!["90", "-1", "89.9"], vec!["91", "90.1", "90+"]),
            (r#"{"treatment":"bottom","at":"-1.5"}"#, vec!["-1.5", "0"], vec!["-2", "-1.51"]),
            (
                r#"{"treatment":"derive","day":"2026-01-01","format":"YYYY-MM-DD","top":90}"#,
                vec!["0", "90"],
                vec!["91", "-1", "1.5", "1976-04-19"],
            ),
        ] {
            assert!(good.iter().all(|cell| allows(claim, cell)), "{claim}");
            assert!(!bad.iter().any(|cell| allows(claim, cell)), "{claim}");
        }
    }

    #[test]
    fn claims_have_their_own_parameters_and_no_others() {
        for claim in [
            r#"{"treatment":"pseudonym","days":1}"#,
            r#"{"treatment":"shift","days":0,"by":"id","format":"YYYY-MM-DD"}"#,
            r#"{"treatment":"shift","days":1,"by":"id","format":"YY-MM-DD"}"#,
            r#"{"treatment":"round","to":"0"}"#,
            r#"{"treatment":"round","to":"-5"}"#,
            r#"{"treatment":"top","at":"ninety"}"#,
            r#"{"treatment":"derive","format":"YYYY-MM-DD"}"#,
            r#"{"treatment":"derive","format":"YYYY-MM-DD","day":"2026-02-30"}"#,
            r#"{"treatment":"encrypt"}"#,
        ] {
            assert!(one(&serde_json::from_str(claim).unwrap()).is_err(), "{claim}");
        }
    }
}
