//! Decimal numbers as written: a whole number of units and how many digits stand after the point.
//!
//! Everything is exact within 38 digits; beyond that the answer is "cannot be compared", never a rounded one.

/// `units` divided by ten to the power of `scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decimal {
    units: i128,
    scale: u32,
}

impl Decimal {
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

    /// Reads a JSON number from 0 to 1, which may have an exponent.
    pub fn share(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let Self { units, scale } = Self::parse(mantissa)?;
        let exponent: i64 = exponent.parse().ok()?;
        let scale = i64::from(scale).checked_sub(exponent)?;
        let number = match u32::try_from(scale) {
            Ok(scale) => Self { units, scale },
            Err(_) => Self { units: units.checked_mul(power(u32::try_from(scale.checked_neg()?).ok()?)?)?, scale: 0 },
        };
        let at_most_one = power(number.scale).is_none_or(|one| number.units <= one);
        (number.units >= 0 && at_most_one).then_some(number)
    }

    /// The whole part of this share of `count`.
    pub fn floor_of(self, count: u64) -> Option<u64> {
        let product = self.units.checked_mul(i128::from(count))?;
        // A power beyond 38 digits is larger than any product, so the share is less than one.
        let whole = power(self.scale).map_or(0, |one| product / one);
        u64::try_from(whole).ok()
    }

    pub fn is_positive(self) -> bool {
        self.units > 0
    }

    /// Whether this number is smaller than another.
    pub fn is_below(self, other: Self) -> Option<bool> {
        let scale = self.scale.max(other.scale);
        Some(self.units_at(scale)? < other.units_at(scale)?)
    }

    /// Whether `low` is a multiple of this width and `high` the next one.
    pub fn is_band(self, low: Self, high: Self) -> Option<bool> {
        let scale = self.scale.max(low.scale).max(high.scale);
        let (width, low, high) = (self.units_at(scale)?, low.units_at(scale)?, high.units_at(scale)?);
        Some(low.checked_rem(width)? == 0 && low.checked_add(width)? == high)
    }

    fn units_at(self, scale: u32) -> Option<i128> {
        self.units.checked_mul(power(scale.checked_sub(self.scale)?)?)
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
    fn too_many_digits_are_refused_not_rounded() {
        assert_eq!(Decimal::parse(&"9".repeat(40)), None);
        let (width, low) = (Decimal::parse("0.0000000001"), Decimal::parse(&"9".repeat(38)));
        assert_eq!(width.zip(low).and_then(|(width, low)| width.is_band(low, low)), None);
    }
}
