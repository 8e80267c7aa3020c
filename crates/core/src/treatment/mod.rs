//! What happens to cells before anything is counted.
//!
//! A treatment changes the cells of one column, each from its own record: an id becomes a token, a date moves, a number
//! loses digits, a birth date becomes an age. Ladders, models, losses and masks then see the treated cells only, as if
//! they had been collected so. What belongs to the same record is read as collected: an age is right although the
//! date that it is counted to moves.
//!
//! The missing value stays missing. A cell that a treatment cannot read is [`UntreatedCell::Unreadable`], never left as it was.
//!
//! **Keyed** treatments ask a function that nobody computes without its key ([`KeyedFunction`]). It is handed in, as seeds are:
//! nothing here knows a key.

mod bottom;
mod derive;
mod pseudonym;
mod round;
mod shift;
mod top;

use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::hierarchy::decimal::Decimal;
pub use derive::{Age, AgeDay};
pub use shift::{DateShift, MOST_DAYS};

/// Every member of the family, by its card.
pub static ALL: &[&Card] = &[&pseudonym::CARD, &shift::CARD, &round::CARD, &top::CARD, &bottom::CARD, &derive::CARD];

/// A treatment of one column, with its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "treatment", rename_all = "kebab-case")]
pub enum Treatment {
    /// An id becomes a keyed token.
    Pseudonym,
    /// A date moves by a keyed number of days, the same for all dates of a person.
    Shift(DateShift),
    /// A number becomes the nearest multiple.
    Round {
        /// Of this number.
        #[serde(with = "as_text")]
        to: Decimal,
    },
    /// A number is at most so large.
    Top {
        /// The largest that is released.
        #[serde(with = "as_text")]
        at: Decimal,
    },
    /// A number is at least so large.
    Bottom {
        /// The smallest that is released.
        #[serde(with = "as_text")]
        at: Decimal,
    },
    /// A date becomes an age.
    Derive(Age),
}

/// A cell to be treated.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a> {
    /// The name of its column.
    pub column: &'a str,
    /// The cell; a missing value is the empty text.
    pub text: &'a str,
    /// The cell of the same record that the treatment looks at ([`Treatment::other`]), as collected.
    pub other: &'a str,
}

/// Why a cell has no treated value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UntreatedCell {
    /// It is not written as the treatment asks.
    Unreadable,
    /// Its value cannot be told, and becomes missing.
    Lost,
}

/// A function that nobody computes without its key: the same words give the same bytes, and other words tell nothing of them.
pub trait KeyedFunction: Send + Sync {
    /// The bytes of these words. Words that are parted elsewhere are other words.
    fn bytes(&self, words: &[&str]) -> [u8; 32];
}

impl Treatment {
    /// Its member of the family.
    #[must_use]
    pub fn card(&self) -> &'static Card {
        match self {
            Self::Pseudonym => &pseudonym::CARD,
            Self::Shift(_) => &shift::CARD,
            Self::Round { .. } => &round::CARD,
            Self::Top { .. } => &top::CARD,
            Self::Bottom { .. } => &bottom::CARD,
            Self::Derive(_) => &derive::CARD,
        }
    }

    /// The other column that it looks at, if it does.
    #[must_use]
    pub fn other(&self) -> Option<&str> {
        match self {
            Self::Shift(shift) => Some(&shift.by),
            Self::Derive(age) => age.at.column(),
            _ => None,
        }
    }

    /// Whether it needs a key.
    #[must_use]
    pub fn is_keyed(&self) -> bool {
        matches!(self, Self::Pseudonym | Self::Shift(_))
    }

    /// Whether the cells that it reads are numbers.
    #[must_use]
    pub fn reads_number(&self) -> bool {
        matches!(self, Self::Round { .. } | Self::Top { .. } | Self::Bottom { .. })
    }

    /// What it makes of a cell.
    pub fn treat(&self, cell: Cell<'_>, key: &dyn KeyedFunction) -> Result<String, UntreatedCell> {
        if cell.text.is_empty() {
            return Ok(String::new());
        }
        let number = || Decimal::parse(cell.text).ok_or(UntreatedCell::Unreadable);
        match self {
            Self::Pseudonym => Ok(pseudonym::token(cell, key)),
            Self::Shift(shift) => shift.moved(cell, key),
            Self::Round { to } => round::nearest(number()?, *to).map(|number| number.to_string()),
            Self::Top { at } => Ok(number()?.min(*at).to_string()),
            Self::Bottom { at } => Ok(number()?.max(*at).to_string()),
            Self::Derive(age) => age.years(cell),
        }
    }

    /// What it does, with its settings, for reports.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Pseudonym => "a keyed token in place of each value".to_owned(),
            Self::Shift(DateShift { days, .. }) => {
                format!("dates moved by up to {days} days, all dates of a person alike")
            }
            Self::Round { to } => format!("rounded to multiples of {to}"),
            Self::Top { at } => format!("at most {at}: larger numbers became {at}"),
            Self::Bottom { at } => format!("at least {at}: smaller numbers became {at}"),
            Self::Derive(age) => age.words(),
        }
    }
}

/// A number as its one text.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::hierarchy::decimal::Decimal;

    pub(super) fn serialize<S: Serializer>(number: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
        let text = String::deserialize(deserializer)?;
        Decimal::parse(&text).ok_or_else(|| D::Error::custom("no decimal number"))
    }
}
