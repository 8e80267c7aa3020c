//! Top and bottom coding: `90+` from 90 on, `under 15` below 15, at every level.

use crate::decimal::Decimal;
use crate::manifest::LabelClaim;

/// Where numbers end that are told apart.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ends {
    top: Option<Decimal>,
    bottom: Option<Decimal>,
}

impl Ends {
    /// The ends of a claim; nothing where they are no numbers, or leave nothing between them.
    pub fn of(labels: &LabelClaim) -> Option<Self> {
        let end = |text: &Option<String>| text.as_deref().map(Decimal::parse_canonical);
        let (top, bottom) = (end(&labels.top), end(&labels.bottom));
        let are_numbers = [top, bottom].into_iter().flatten().all(|end| end.is_some());
        let ends = Self { top: top.flatten(), bottom: bottom.flatten() };
        let has_middle = match (ends.bottom, ends.top) {
            (Some(bottom), Some(top)) => bottom.is_below(top)?,
            _ => true,
        };
        (are_numbers && has_middle).then_some(ends)
    }

    pub fn is_none(self) -> bool {
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
