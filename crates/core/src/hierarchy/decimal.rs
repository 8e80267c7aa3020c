//! Exact decimal numbers.
//!
//! A band must hold its value without a doubt, so numbers never pass through floats: a [`Decimal`] is an integer and
//! a count of digits after the point. What does not fit into 38 digits is refused, never rounded and never wrapped.
//!
//! Equal numbers are equal values: `-0` is `0`, and `1e5`, `100000.0` and `100000` are one number with one text.

use std::cmp::Ordering;
use std::fmt;

/// The most digits after the point: the largest power of ten that an `i128` holds.
const MOST_DIGITS: u32 = 38;

/// A decimal number: `mantissa / 10^scale`, in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    mantissa: i128,
    scale: u32,
}

/// The one text of a number: a plain decimal without exponent, superfluous zeros or sign of zero.
///
/// `None` when the text is no number, or has more digits than are kept exactly.
#[must_use]
pub fn canonical(text: &str) -> Option<String> {
    Decimal::parse(text).map(|number| number.to_string())
}

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self { mantissa: 0, scale: 0 };

    /// `mantissa / 10^scale`; `None` when that needs too many digits.
    #[must_use]
    pub fn new(mut mantissa: i128, mut scale: u32) -> Option<Self> {
        while scale > 0 && mantissa % 10 == 0 {
            if mantissa == 0 {
                return Some(Self::ZERO);
            }
            mantissa /= 10;
            scale -= 1;
        }
        (scale <= MOST_DIGITS).then_some(Self { mantissa, scale })
    }

    /// Reads `12`, `-0.5`, `+3.`, `.25`, `1e5`, `2.5E-3`; nothing else, no blanks, no thousands separators.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (number, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, parse_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let magnitude = assemble(whole, fraction, exponent)?;
        Some(if negative { Self { mantissa: -magnitude.mantissa, ..magnitude } } else { magnitude })
    }

    /// The digits as an integer.
    #[must_use]
    pub fn mantissa(self) -> i128 {
        self.mantissa
    }

    /// How many of the digits stand after the point.
    #[must_use]
    pub fn scale(self) -> u32 {
        self.scale
    }

    /// The sum; `None` when it needs too many digits.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let (left, right, scale) = self.aligned(other)?;
        Self::new(left.checked_add(right)?, scale)
    }

    /// The difference; `None` when it needs too many digits.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self { mantissa: other.mantissa.checked_neg()?, ..other })
    }

    /// The largest multiple of a positive width that is not above this number; `None` when the width is not positive
    /// or the numbers need too many digits.
    #[must_use]
    pub fn floor_to(self, width: Self) -> Option<Self> {
        if width.mantissa <= 0 {
            return None;
        }
        let (value, step, scale) = self.aligned(width)?;
        Self::new(value.div_euclid(step).checked_mul(step)?, scale)
    }

    /// Both as integers over the same power of ten.
    fn aligned(self, other: Self) -> Option<(i128, i128, u32)> {
        let scale = self.scale.max(other.scale);
        Some((self.at(scale)?, other.at(scale)?, scale))
    }

    /// The number in units of `10^-scale`; `None` when it is no whole number of them, or too many.
    #[must_use]
    pub fn at(self, scale: u32) -> Option<i128> {
        self.mantissa.checked_mul(10_i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }
}

/// An exponent: digits with an optional sign.
fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_plain { text.parse().ok() } else { None }
}

/// `whole.fraction * 10^exponent`, from digits only.
fn assemble(whole: &str, fraction: &str, exponent: i64) -> Option<Decimal> {
    let digits = || whole.bytes().chain(fraction.bytes());
    let count = whole.len() + fraction.len();
    if count == 0 || !digits().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    // Zeros at the end only move the point: dropped here, any number of them fits.
    let zeros = digits().rev().take_while(|digit| *digit == b'0').count();
    if zeros == count {
        return Some(Decimal::ZERO);
    }
    let mut mantissa = 0_i128;
    for digit in digits().take(count - zeros) {
        mantissa = mantissa.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
    }
    let shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(i64::try_from(zeros).ok()?)?;
    let power = u32::try_from(shift.unsigned_abs()).ok()?;
    if shift < 0 { Decimal::new(mantissa, power) } else { Decimal { mantissa, scale: 0 }.times_ten_to(power) }
}

impl Decimal {
    fn times_ten_to(self, power: u32) -> Option<Self> {
        Some(Self { mantissa: self.mantissa.checked_mul(10_i128.checked_pow(power)?)?, ..self })
    }

    /// The whole part and the rest in units of `10^-38`: comparable without overflow.
    fn split(self) -> (i128, i128) {
        let unit = 10_i128.pow(self.scale);
        (self.mantissa.div_euclid(unit), self.mantissa.rem_euclid(unit) * 10_i128.pow(MOST_DIGITS - self.scale))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.split().cmp(&other.split())
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.mantissa < 0 { "-" } else { "" };
        let unit = 10_u128.pow(self.scale);
        let magnitude = self.mantissa.unsigned_abs();
        write!(out, "{sign}{}", magnitude / unit)?;
        if self.scale > 0 {
            write!(out, ".{:0width$}", magnitude % unit, width = self.scale as usize)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(canonical(text).as_deref(), Some(expected), "{text}");
    }

    #[test]
    fn one_number_has_one_text() {
        for text in ["100000", "1e5", "1E5", "1e+5", "100000.0", "+100000", "0100000.", "10000000e-2", ".1e6"] {
            check(text, "100000");
        }
        for text in ["0", "-0", "0.0", "+0", "-0.000", "0e9", "00", ".0"] {
            check(text, "0");
        }
        check("-2.50", "-2.5");
        check("-.5", "-0.5");
        check("0.010", "0.01");
        check("1.5e-3", "0.0015");
        check(&format!("1.{}", "0".repeat(60)), "1");
        check(&format!("{}7", "0".repeat(60)), "7");
    }

    #[test]
    fn other_texts_are_no_numbers() {
        let texts = [
            "", "-", "+", ".", "e5", "1e", "1e+", "--1", "1-", "1.2.3", " 1", "1 ", "1,5", "1_000", "0x10", "inf",
            "NaN", "1e5.0", "1e+-5", "٣", "1\u{a0}",
        ];
        for text in texts {
            assert_eq!(Decimal::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn too_many_digits_are_refused() {
        check("170141183460469231731687303715884105727", "170141183460469231731687303715884105727");
        for text in [
            "170141183460469231731687303715884105728",
            "1e39",
            "1e-39",
            "1e999999999",
            "1e99999999999999999999",
            "1e9223372036854775807",
            "0.1e-9223372036854775808",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_order_needs_no_common_scale() {
        let sorted = ["-1e38", "-0.5", "-1e-38", "0", "1e-38", "0.5", "0.50001", "1", "1e38"];
        let numbers: Vec<Decimal> = sorted.iter().map(|text| Decimal::parse(text).unwrap()).collect();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn overflow_is_refused() {
        let huge = Decimal::parse("1e38").unwrap();
        let tiny = Decimal::parse("1e-38").unwrap();
        assert_eq!(huge.plus(tiny), None);
        assert_eq!(huge.floor_to(tiny), None);
        assert_eq!(huge.floor_to(Decimal::ZERO), None);
        assert_eq!(Decimal::new(i128::MIN, 0).unwrap().minus(Decimal::new(i128::MIN, 0).unwrap()), None);
    }

    proptest! {
        #[test]
        fn text_and_number_agree(mantissa in -10_i128.pow(37)..10_i128.pow(37), scale in 0_u32..=38) {
            let number = Decimal::new(mantissa, scale).unwrap();
            prop_assert_eq!(Decimal::parse(&number.to_string()), Some(number));
            prop_assert_eq!(Decimal::parse(&format!("{mantissa}e-{scale}")), Some(number));
        }

        #[test]
        fn sums_agree_with_integers(left in any::<i64>(), right in any::<i64>(), scale in 0_u32..20) {
            let number = |digits: i64| Decimal::new(i128::from(digits), scale).unwrap();
            let (sum, difference) = (i128::from(left) + i128::from(right), i128::from(left) - i128::from(right));
            prop_assert_eq!(number(left).plus(number(right)), Decimal::new(sum, scale));
            prop_assert_eq!(number(left).minus(number(right)), Decimal::new(difference, scale));
            prop_assert_eq!(number(left).cmp(&number(right)), left.cmp(&right));
        }

        #[test]
        fn floors_agree_with_integers(value in any::<i64>(), width in 1..i64::MAX, scale in 0_u32..20) {
            let floor = Decimal::new(value.into(), scale).unwrap().floor_to(Decimal::new(width.into(), scale).unwrap());
            let (value, width) = (i128::from(value), i128::from(width));
            prop_assert_eq!(floor, Decimal::new(value - value.rem_euclid(width), scale));
        }

        #[test]
        fn no_text_breaks_the_reader(text in "\\PC*", digits in "[-+0-9.eE]{0,60}") {
            for text in [text, digits] {
                if let Some(once) = canonical(&text) {
                    prop_assert_eq!(canonical(&once), Some(once));
                }
            }
        }
    }
}
