//! New values: each record has a number, a date or a word of its own. No privacy model covers them.

use super::{LabelRule, Place};
use crate::calendar::{Day, date_format};
use crate::decimal::Decimal;
use crate::manifest::NewValues;

/// What new values are: numbers unless the claim says otherwise.
pub(super) fn rule(claim: &NewValues) -> Result<LabelRule<'_>, &'static str> {
    match (claim.dates.as_deref(), &claim.words) {
        (None, None) => {
            let is_number = |cell: &str| Decimal::parse(cell).is_some();
            Ok(LabelRule::new("new numbers", Place::Class, is_number, |_| None))
        }
        (Some(format), None) => {
            let format = date_format(format).ok_or("the format of its dates is not known to this audit")?;
            let is_day = move |cell: &str| Day::read(cell, format).is_some_and(|(_, rest)| rest.is_empty());
            Ok(LabelRule::new("new dates", Place::Class, is_day, |_| None))
        }
        (None, Some(words)) => Ok(LabelRule::listed("new words of its list", Place::Class, words)),
        (Some(_), Some(_)) => Err("new values are dates or words, not both"),
    }
}
