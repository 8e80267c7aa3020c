//! Models that compare the share of each value with its share of the whole table: β-likeness, δ-disclosure.
//!
//! *β-likeness*: p ≤ (1 + β) q, in whole numbers; *enhanced*: p ≤ (1 + min(β, −ln q)) q, too.
//! *δ-disclosure*: |log₂ (p / q)| < δ for every value of the whole table; a whole δ is compared in whole numbers. No other δ,
//! and no logarithm of a share but 1, is met exactly by shares of whole numbers. There both sides are compared up to
//! [`ROUNDED`], which is more than two ways to round may differ by.
//!
//! Sources: Cao & Karras, PVLDB 5(11), 2012; Brickell & Shmatikov, KDD 2008.

use super::class::Counts;
use super::exact::{is_at_most, is_below};
use super::whole::Whole;
use crate::decimal::Decimal;

/// What rounding may add.
const ROUNDED: f64 = 4e-12;

/// A value: its share of a class and of the whole, in parts of the product of both sizes.
struct Shares {
    here: u128,
    there: u128,
    /// Its share of the whole.
    of_whole: f64,
}

impl Shares {
    fn ratio(&self) -> f64 {
        self.here as f64 / self.there as f64
    }
}

/// The shares of every value of the whole table.
fn shares<'a>(class: &'a Counts, whole: &'a Whole) -> impl Iterator<Item = Shares> + 'a {
    let (size, total) = (class.values().sum::<u64>(), whole.total());
    let values = (0_u32..).zip(&whole.counts).filter(|(_, there)| **there > 0);
    values.map(move |(value, there)| Shares {
        here: u128::from(class.get(&value).copied().unwrap_or(0)) * u128::from(total),
        there: u128::from(*there) * u128::from(size),
        of_whole: *there as f64 / total as f64,
    })
}

/// Whether a class has values that the whole has not.
fn has_strangers(class: &Counts, whole: &Whole) -> bool {
    class.keys().any(|value| whole.count(*value) == 0)
}

/// Whether no value is likelier than β permits.
pub(super) fn is_like(class: &Counts, whole: &Whole, beta: Decimal, enhanced: bool) -> Option<bool> {
    let [numerator, denominator] = beta.ratio()?;
    let factor = numerator.checked_add(denominator)?;
    let is_within = |shares: &Shares| is_at_most([shares.here, denominator], [shares.there, factor]);
    let is_expected = |shares: &Shares| shares.ratio() - 1.0 <= -shares.of_whole.ln() + ROUNDED * shares.ratio();
    let is_like = |value: Shares| is_within(&value) && (!enhanced || is_expected(&value));
    Some(!has_strangers(class, whole) && shares(class, whole).all(is_like))
}

/// Whether no value is likelier or unlikelier than δ permits.
pub(super) fn is_near(class: &Counts, whole: &Whole, delta: Decimal, ignores_absent: bool) -> Option<bool> {
    let [numerator, denominator] = delta.ratio()?;
    let whole_delta = (denominator == 1).then_some(numerator);
    let delta = numerator as f64 / denominator as f64;
    let is_near = |value: Shares| match whole_delta {
        // More than two to the 127th times as likely is no value of a table.
        Some(delta) if delta > 127 => value.here > 0,
        Some(delta) => {
            let factor = 1_u128 << delta;
            is_below([value.here, 1], [value.there, factor]) && is_below([value.there, 1], [value.here, factor])
        }
        None => value.here > 0 && value.ratio().log2().abs() < delta + ROUNDED,
    };
    let mut looked_at = shares(class, whole).filter(|value| !ignores_absent || value.here > 0);
    Some(!has_strangers(class, whole) && looked_at.all(is_near))
}

/// Whether no value makes up more than the share α.
pub(super) fn is_spread(class: &Counts, alpha: Decimal) -> Option<bool> {
    let [numerator, denominator] = alpha.ratio()?;
    let size = u128::from(class.values().sum::<u64>());
    Some(class.values().all(|count| is_at_most([u128::from(*count), denominator], [numerator, size])))
}
