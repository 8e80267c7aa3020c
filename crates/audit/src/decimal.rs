//! Decimal numbers as written: a whole number of units and how many digits stand after the point.
//!
//! Everything is exact within 38 digits; beyond that the answer is "cannot be compared", never a rounded one.

use std::fmt;

/// The most digits after the point.
const MOST_DIGITS: u32 = 38;

/// `units` divided by ten to the power of `scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    units: i128,
    scale: u32,
}

/// Where a number lies: the whole part, and the rest in the smallest units there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NumberPlace {
    whole: i128,
    rest: i128,
}

impl Decimal {
    pub const ONE: Self = Self::whole(1);

    /// A whole number.
    pub const fn whole(units: i128) -> Self {
        Self { units, scale: 0 }
    }

    /// Reads `-12.50`; no exponent, no plus sign, digits on both sides of a point.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let unsigned = whole.strip_prefix('-').unwrap_or(whole);
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(unsigned) || !digits(fraction) {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        let units = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { units, scale: u32::try_from(fraction.len()).ok()? })
    }

    /// Reads the one way in which a label may write a number: no needless zeros, no `-0`.
    pub fn parse_canonical(text: &str) -> Option<Self> {
        let number = Self::parse(text)?;
        let whole = text.strip_prefix('-').unwrap_or(text);
        let leading = whole.starts_with('0') && whole.len() > 1 && !whole.starts_with("0.");
        let trailing = text.contains('.') && text.ends_with('0');
        let negative_zero = number.units == 0 && text.starts_with('-');
        (!leading && !trailing && !negative_zero).then_some(number)
    }

    /// Reads a number as people collect it: `+3.`, `.25` and `1e5` too. Zeros at its ends do not count.
    pub fn collected(text: &str) -> Option<Self> {
        Self::read(text).filter(|number| number.scale <= MOST_DIGITS)
    }

    fn read(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let exponent_digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        if [&digits, exponent_digits].iter().any(|part| part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit())) {
            return None;
        }
        let trimmed = digits.trim_end_matches('0');
        if trimmed.is_empty() {
            return Some(Self { units: 0, scale: 0 });
        }
        let zeros = i64::try_from(digits.len() - trimmed.len()).ok()?;
        let scale = i64::try_from(fraction.len()).ok()?.checked_sub(exponent.parse().ok()?)?.checked_sub(zeros)?;
        let units: i128 = trimmed.parse().ok()?;
        let units = if text.starts_with('-') { -units } else { units };
        match u32::try_from(scale) {
            Ok(scale) => Some(Self { units, scale }),
            Err(_) => {
                Some(Self { units: units.checked_mul(power(u32::try_from(scale.checked_neg()?).ok()?)?)?, scale: 0 })
            }
        }
    }

    /// The band of the grid of this width that a number lies in.
    pub fn band_of(self, number: Self) -> Option<(Self, Self)> {
        let scale = self.scale.max(number.scale);
        let (width, number) = (self.units_at(scale)?, number.units_at(scale)?);
        let low = number.checked_div_euclid(width)?.checked_mul(width)?;
        Some((Self { units: low, scale }.shortest(), Self { units: low.checked_add(width)?, scale }.shortest()))
    }

    /// Where it lies among all numbers; nothing for one with too many digits after the point.
    pub fn place(self) -> Option<NumberPlace> {
        let one = power(self.scale)?;
        let rest = self.units.rem_euclid(one).checked_mul(power(MOST_DIGITS.checked_sub(self.scale)?)?)?;
        Some(NumberPlace { whole: self.units.div_euclid(one), rest })
    }

    /// The same number without zeros at the end of its fraction.
    fn shortest(self) -> Self {
        let Self { mut units, mut scale } = self;
        while scale > 0 && units % 10 == 0 {
            units /= 10;
            scale -= 1;
        }
        Self { units, scale }
    }

    /// Reads a JSON number from 0 to 1, which may have an exponent.
    pub fn share(text: &str) -> Option<Self> {
        let at_most_one = |number: &Self| power(number.scale).is_none_or(|one| number.units <= one);
        Self::read(text).filter(|number| number.units >= 0 && at_most_one(number))
    }

    /// The whole part of this share of `count`.
    pub fn floor_of(self, count: u64) -> Option<u64> {
        let product = self.units.checked_mul(i128::from(count))?;
        // A power beyond 38 digits is larger than any product, so the share is less than one.
        let whole = power(self.scale).map_or(0, |one| product / one);
        u64::try_from(whole).ok()
    }

    /// A number of at least 0 as a fraction.
    pub fn ratio(self) -> Option<[u128; 2]> {
        Some([u128::try_from(self.units).ok()?, u128::try_from(power(self.scale)?).ok()?])
    }

    /// The nearest binary number.
    pub fn as_float(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    pub fn is_positive(self) -> bool {
        self.units > 0
    }

    /// Whether this number is smaller than another.
    pub fn is_below(self, other: Self) -> Option<bool> {
        let scale = self.scale.max(other.scale);
        Some(self.units_at(scale)? < other.units_at(scale)?)
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        Some(Self { units: self.units_at(scale)?.checked_add(other.units_at(scale)?)?, scale }.shortest())
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self { units: other.units.checked_neg()?, ..other })
    }

    fn units_at(self, scale: u32) -> Option<i128> {
        self.units.checked_mul(power(scale.checked_sub(self.scale)?)?)
    }
}

/// A number in the one way in which a label may write it.
impl fmt::Display for Decimal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.units < 0 { "-" } else { "" };
        let digits = format!("{:0width$}", self.units.unsigned_abs(), width = self.scale as usize + 1);
        let (whole, fraction) = digits.split_at(digits.len() - self.scale as usize);
        let point = if fraction.is_empty() { "" } else { "." };
        write!(out, "{sign}{whole}{point}{fraction}")
    }
}

fn power(exponent: u32) -> Option<i128> {
    10_i128.checked_pow(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor(limit: &str, count: u64) -> Option<u64> {
        Decimal::share(limit)?.floor_of(count)
    }

    #[test]
    fn a_share_is_taken_from_the_digits() {
        assert_eq!(floor("0.29", 100), Some(29));
        assert_eq!(floor("0.57", 100), Some(57));
        assert_eq!(floor("0.05", 30162), Some(1508));
        assert_eq!(floor("5e-2", 100), Some(5));
        assert_eq!(floor("0", 100), Some(0));
        assert_eq!(floor("0.0", 100), Some(0));
        assert_eq!(floor("1", u64::MAX), Some(u64::MAX));
        assert_eq!(floor("1.0", 7), Some(7));
        assert_eq!(floor("10e-1", 7), Some(7));
        assert_eq!(floor("0.1E1", 7), Some(7));
        assert_eq!(floor("1e-300", u64::MAX), Some(0));
        assert_eq!(floor("0.9999999999999999", 10), Some(9));
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for text in
            ["1.01", "2", "-0.1", "1e1", "null", "\"0.1\"", "", "1e99999999999999999999", "1e400", "0.1e", "true"]
        {
            assert_eq!(Decimal::share(text), None, "{text}");
        }
    }

    #[test]
    fn labels_write_numbers_in_one_way() {
        for text in ["0", "-5", "2.5", "10", "-0.5", "100"] {
            assert!(Decimal::parse_canonical(text).is_some(), "{text}");
        }
        for text in ["-0", "05", "2.50", "5.0", "+5", ".5", "5.", "1e3", "", "-", "--1", "1.-5", "1 ", "٣"] {
            assert!(Decimal::parse_canonical(text).is_none(), "{text}");
        }
    }

    #[test]
    fn collected_numbers_have_one_text() {
        let text = |text: &str| Decimal::collected(text).map(|number| number.to_string());
        for written in ["100000", "1e5", "1E+5", "100000.0", "+100000", "0100000.", "10000000e-2", ".1e6"] {
            assert_eq!(text(written).as_deref(), Some("100000"), "{written}");
        }
        for (written, expected) in [("-0.0", "0"), ("-2.50", "-2.5"), (".05", "0.05"), ("1e-3", "0.001"), ("-7", "-7")]
        {
            assert_eq!(text(written).as_deref(), Some(expected), "{written}");
        }
        for written in ["", "-", "x", "1e", "1,5", "1 ", ".", "e5", "1e99", "NaN", "--1", "10e9223372036854775807"] {
            assert_eq!(text(written), None, "{written}");
        }
    }

    #[test]
    fn a_number_lies_in_one_band() {
        let band = |width: &str, number: &str| {
            let (low, high) = Decimal::parse(width)?.band_of(Decimal::collected(number)?)?;
            Some(format!("{low} {high}"))
        };
        for (width, number, expected) in [
            ("5", "17", "15 20"),
            ("5", "-1", "-5 0"),
            ("2.5", "0", "0 2.5"),
            ("0.1", "0.3", "0.3 0.4"),
            ("5", "15", "15 20"),
        ] {
            assert_eq!(band(width, number).as_deref(), Some(expected), "{width} {number}");
        }
        assert_eq!(band("0", "1"), None);
    }

    #[test]
    fn too_many_digits_are_refused_not_rounded() {
        assert_eq!(Decimal::parse(&"9".repeat(40)), None);
        let (width, low) = (Decimal::parse("0.0000000001"), Decimal::parse(&"9".repeat(38)));
        assert_eq!(width.zip(low).and_then(|(width, low)| width.band_of(low)), None);
    }
}
