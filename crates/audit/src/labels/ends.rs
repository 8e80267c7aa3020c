//! Top and bottom coding: `90+` from 90 on, `under 15` below 15, at every level.

use super::meaning::Band;
use super::{LabelMember, LabelRule, Meaning, Place};
use crate::decimal::Decimal;
use crate::manifest::LabelClaim;

pub(super) const MEMBER: LabelMember = LabelMember {
    name: "ends",
    keys: &["top", "bottom"],
    rule: |claim| Ends::read(claim).filter(|ends| !ends.is_none()).map(Ends::rule).ok_or(UNFIT),
};

pub(super) const UNFIT: &str = "the ends of its numbers are no numbers, or nothing lies between them";

/// Where numbers end that are told apart.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ends {
    top: Option<Decimal>,
    bottom: Option<Decimal>,
}

impl Ends {
    /// The ends of a claim; nothing where they are no numbers, or leave nothing between them.
    pub fn read(claim: &LabelClaim) -> Option<Self> {
        let end = |key: &str| {
            let number = claim.parameters.word(key).and_then(Decimal::parse_canonical);
            (number.is_some() || !claim.parameters.has(key)).then_some(number)
        };
        let ends = Self { top: end("top")?, bottom: end("bottom")? };
        let is_empty = |(bottom, top): (Decimal, Decimal)| bottom.is_below(top) != Some(true);
        (!ends.bottom.zip(ends.top).is_some_and(is_empty)).then_some(ends)
    }

    fn rule<'a>(self) -> LabelRule<'a> {
        let make = move |value: &str| Some(self.beyond(Decimal::collected(value)?).unwrap_or_else(|| value.to_owned()));
        let is_label = move |cell: &str| self.is_label(cell);
        let means = move |label: &str| self.band_beyond(label).map_or_else(|| Meaning::value(label), Meaning::Numbers);
        let rule = LabelRule::new("as collected between the ends", Place::Bottom, is_label, make);
        LabelRule { may_miss: true, means: Box::new(means), ..rule }
    }

    fn is_none(self) -> bool {
        self.top.is_none() && self.bottom.is_none()
    }

    /// The label of a number beyond an end.
    pub fn beyond(self, number: Decimal) -> Option<String> {
        let is_below = |end: Decimal| number.is_below(end).unwrap_or(false);
        match (self.bottom, self.top) {
            (Some(bottom), _) if is_below(bottom) => Some(format!("under {bottom}")),
            (_, Some(top)) if !is_below(top) => Some(format!("{top}+")),
            _ => None,
        }
    }

    /// A band as far as it lies between the ends.
    pub fn cut(self, (low, high): (Decimal, Decimal)) -> (Decimal, Decimal) {
        let low = self.bottom.filter(|bottom| low.is_below(*bottom).unwrap_or(false)).unwrap_or(low);
        let high = self.top.filter(|top| top.is_below(high).unwrap_or(false)).unwrap_or(high);
        (low, high)
    }

    /// The numbers beyond an end that a label stands for.
    pub fn band_beyond(self, label: &str) -> Option<Band> {
        let is_of = |end: Decimal, written: String| (label == written).then_some(end);
        let above = self.top.and_then(|top| is_of(top, format!("{top}+")));
        let below = self.bottom.and_then(|bottom| is_of(bottom, format!("under {bottom}")));
        if above.is_some() || below.is_some() { Band::open(above, below) } else { None }
    }

    /// Whether a label stands for what is beyond an end.
    pub fn is_beyond(self, label: &str) -> bool {
        self.top.is_some_and(|top| label == format!("{top}+"))
            || self.bottom.is_some_and(|bottom| label == format!("under {bottom}"))
    }

    /// Whether a cell is a number between the ends, or stands for one beyond them.
    pub fn is_label(self, cell: &str) -> bool {
        let is_between = || Decimal::parse_canonical(cell).is_some_and(|number| self.beyond(number).is_none());
        self.is_beyond(cell) || is_between()
    }
}
