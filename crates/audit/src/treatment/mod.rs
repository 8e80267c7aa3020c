//! Treatments: what is claimed to have happened to cells before anything else. One file for each kind.
//!
//! A treatment is told once: what it makes of a cell (`make`) says what became of an original, and which cells it can
//! have made (`allows`) says what a release may hold. Where a column stands above level 0 its cells are labels, and
//! the rules of labels judge them.
//!
//! Limit: tokens and moved dates take the key of the release. Without it nobody knows what became of a cell.

mod age;
mod numbers;
mod observer;
mod round;
mod shift;
mod token;

use std::borrow::Cow;

use crate::calendar::date_format;
use crate::decimal::Decimal;
use crate::key::Key;
use crate::manifest::{Column, TreatmentClaim};
use crate::parameters::Parameters;
pub(crate) use observer::TreatmentObserver;

/// The role of a column of tokens.
pub(crate) const PSEUDONYM: &str = "pseudonym";

/// The treatments that this audit knows, with what each takes.
const ALL: [TreatmentMember; 6] =
    [token::MEMBER, shift::MEMBER, round::MEMBER, numbers::TOP, numbers::BOTTOM, age::MEMBER];

/// How a treatment is claimed.
struct TreatmentMember {
    name: &'static str,
    keys: &'static [&'static str],
    /// The treatment, or what is wrong with its parameters.
    treatment: fn(&Parameters) -> Result<Treatment<'_>, &'static str>,
}

const UNFIT: &str = "a treatment with parameters that it does not take, or without one that it needs";

/// A treatment with its parameters.
pub(crate) struct Treatment<'a> {
    kind: Kind,
    /// What it leaves.
    words: String,
    /// The other column of the record that it looks at.
    pub other: Option<&'a str>,
    /// Whether it takes the key of the release.
    pub is_keyed: bool,
    /// Whether a cell that is no label can come of it.
    allows: Box<dyn Fn(&str) -> bool + 'a>,
    make: Maker<'a>,
}

/// What makes another cell of a cell; nothing where the cell cannot be treated.
type Maker<'a> = Box<dyn Fn(&Cell<'_>) -> Option<String> + 'a>;

/// Which columns a treatment can have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Token,
    Number,
    /// It stands alone.
    Date,
}

/// A cell on its way through a treatment.
struct Cell<'a> {
    text: &'a str,
    column: &'a str,
    /// The other cell that the treatment looks at.
    other: &'a str,
    key: Option<&'a Key>,
}

/// Every key that some treatment reads.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|member| member.keys).copied()
}

/// The treatments of a column, or why its claims cannot be understood.
pub(crate) fn read(column: &Column) -> Result<Vec<Treatment<'_>>, &'static str> {
    let treatments = column.treatments.iter().map(Treatment::read).collect::<Result<Vec<_>, _>>()?;
    let kinds: Vec<Kind> = treatments.iter().map(|treatment| treatment.kind).collect();
    let is_fit = match (column.role.as_str(), kinds.as_slice()) {
        (PSEUDONYM, [Kind::Token]) => true,
        (PSEUDONYM, _) => false,
        (_, []) => true,
        _ if column.new_values.is_some() => false,
        (_, [Kind::Date]) => true,
        ("sensitive" | "insensitive", kinds) => {
            kinds.iter().all(|kind| *kind == Kind::Number) && is_each_once(&column.treatments)
        }
        _ => false,
    };
    if is_fit { Ok(treatments) } else { Err("treatments that no column of its role can have") }
}

fn is_each_once(claims: &[TreatmentClaim]) -> bool {
    let is_new = |(place, claim): (usize, &TreatmentClaim)| claims.iter().take(place).all(|one| one.name != claim.name);
    claims.iter().enumerate().all(is_new)
}

impl<'a> Treatment<'a> {
    fn new(
        kind: Kind,
        words: String,
        allows: impl Fn(&str) -> bool + 'a,
        make: impl Fn(&Cell<'_>) -> Option<String> + 'a,
    ) -> Self {
        Self { kind, words, other: None, is_keyed: false, allows: Box::new(allows), make: Box::new(make) }
    }

    /// A treatment by its name and its parameters, and no others.
    fn read(claim: &'a TreatmentClaim) -> Result<Self, &'static str> {
        let member = ALL.iter().find(|member| member.name == claim.name);
        let member = member.ok_or("a treatment that is not known to this audit")?;
        if claim.parameters.are_among(member.keys) { (member.treatment)(&claim.parameters) } else { Err(UNFIT) }
    }
}

fn known_format<'a>(given: &'a Parameters, key: &str) -> Result<&'a str, &'static str> {
    date_format(given.word(key).ok_or(UNFIT)?).ok_or("a format of dates that is not known to this audit")
}

fn number(given: &Parameters, key: &str) -> Result<Decimal, &'static str> {
    Decimal::parse_canonical(given.word(key).ok_or(UNFIT)?).ok_or("a treatment whose number is none")
}

/// A cell that no release can hold. No cell has this character.
const NOWHERE: &str = "\0";

/// What happens to the cells of a column before anything else.
pub(crate) struct Treater<'a> {
    column: &'a str,
    /// Each with the place of the other column that it looks at.
    steps: Vec<(Treatment<'a>, Option<usize>)>,
    key: Option<&'a Key>,
}

impl<'a> Treater<'a> {
    /// The treatments of a column; nothing where they take a key that is not given, or cannot be understood.
    pub fn new(column: &'a Column, original: &[String], key: Option<&'a Key>) -> Option<Self> {
        let place = |other: &str| original.iter().position(|name| name == other);
        let steps = read(column).ok()?.into_iter().map(|treatment| {
            let other = treatment.other.and_then(place);
            (treatment, other)
        });
        let steps: Vec<_> = steps.collect();
        let is_keyed = steps.iter().any(|(treatment, _)| treatment.is_keyed);
        (!is_keyed || key.is_some()).then_some(Self { column: &column.name, steps, key })
    }

    /// What becomes of a cell of a record.
    pub fn treat<'c>(&self, cell: &'c str, record: &[&str]) -> Cow<'c, str> {
        let mut cell = Cow::Borrowed(cell);
        for (treatment, place) in &self.steps {
            if is_blank(&cell) {
                return Cow::default();
            }
            let other = place.and_then(|place| record.get(place)).copied().unwrap_or_default();
            let seen = Cell { text: &cell, column: self.column, other, key: self.key };
            cell = (treatment.make)(&seen).map_or(NOWHERE.into(), Cow::Owned);
        }
        cell
    }
}

/// Nothing but blanks, seen or not.
fn is_blank(cell: &str) -> bool {
    let is_hidden = |letter: char| matches!(u32::from(letter), 0x200b..=0x200d | 0x2060 | 0xfeff);
    cell.chars().all(|letter| letter.is_whitespace() || is_hidden(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(claim: &str, cell: &str) -> bool {
        let claim: TreatmentClaim = serde_json::from_str(claim).unwrap();
        (Treatment::read(&claim).unwrap().allows)(cell)
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
            assert!(Treatment::read(&serde_json::from_str(claim).unwrap()).is_err(), "{claim}");
        }
    }
}
