//! Numbers, cut at a top or a bottom.

use super::{Kind, Treatment, TreatmentMember, number};
use crate::decimal::Decimal;

pub(super) const TOP: TreatmentMember = TreatmentMember {
    name: "top",
    keys: &["at"],
    treatment: |given| {
        let at = number(given, "at")?;
        let is_within = move |number: Decimal| at.is_below(number) == Some(false);
        let cut = move |number: Decimal| Some(if at.is_below(number) == Some(true) { at } else { number });
        Ok(of_numbers(format!("numbers up to {at}"), is_within, cut))
    },
};

pub(super) const BOTTOM: TreatmentMember = TreatmentMember {
    name: "bottom",
    keys: &["at"],
    treatment: |given| {
        let at = number(given, "at")?;
        let is_within = move |number: Decimal| number.is_below(at) == Some(false);
        let cut = move |number: Decimal| Some(if number.is_below(at) == Some(true) { at } else { number });
        Ok(of_numbers(format!("numbers from {at} on"), is_within, cut))
    },
};

/// A treatment that makes a number of a number.
pub(super) fn of_numbers<'a>(
    words: String,
    allows: impl Fn(Decimal) -> bool + 'a,
    make: impl Fn(Decimal) -> Option<Decimal> + 'a,
) -> Treatment<'a> {
    let allows = move |cell: &str| Decimal::parse_canonical(cell).is_some_and(&allows);
    Treatment::new(Kind::Number, words, allows, move |cell| Some(make(Decimal::collected(cell.text)?)?.to_string()))
}
