//! Codes whose zeros in front a spreadsheet ate: `1067` among postcodes of five digits.
//!
//! A program that takes codes for numbers drops their zeros, and `01067` comes back as `1067`: another prefix, another place. Such
//! a column holds digits only, most values have one length of four digits or more, none of these begins with a zero, and
//! the others are one or two digits shorter. It is named and never repaired: `width` in the policy does that.
//!
//! Limit: numbers that somebody keeps as text, such as years before and after 1000, look the same.

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EatenZeros {
    /// How many distinct values are shorter than the others.
    pub shorter: usize,
    /// How many distinct values there are.
    pub values: usize,
    /// How many digits most of them have.
    pub width: usize,
}

/// The fewest digits of a code that is told from a number.
const FEWEST_DIGITS: usize = 4;

/// How many zeros may be lost.
const MOST_ZEROS: usize = 2;

impl EatenZeros {
    /// Looks at the distinct values of a column; the missing one is the empty text.
    pub(crate) fn among<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Option<Self> {
        let present = values.filter(|value| !value.is_empty());
        let is_code = |value: &str| value.bytes().all(|byte| byte.is_ascii_digit()) && !value.starts_with('0');
        if !present.clone().all(is_code) {
            return None;
        }
        let (count, width) = (present.clone().count(), present.clone().map(str::len).max()?);
        let full = present.clone().filter(|value| value.len() == width).count();
        let is_near = present.clone().all(|value| value.len() + MOST_ZEROS >= width);
        let shorter = count - full;
        (shorter > 0 && width >= FEWEST_DIGITS && is_near && full > shorter).then_some(Self {
            shorter,
            values: count,
            width,
        })
    }

    /// What is said about it, without a value.
    pub(crate) fn told(self) -> String {
        let Self { shorter, values, width } = self;
        format!(
            "{shorter} of {values} distinct values have fewer than {width} digits: a spreadsheet may have eaten zeros in \
             front of codes; if so, `width = {width}` writes them again"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(values: &[&str]) -> Option<(usize, usize)> {
        EatenZeros::among(values.iter().copied()).map(|found| (found.shorter, found.width))
    }

    #[test]
    fn short_codes_are_noticed() {
        assert_eq!(among(&["1067", "50667", "69115", ""]), Some((1, 5)));
        assert_eq!(among(&["501", "10001", "94110", "60601"]), Some((1, 5)));
    }

    #[test]
    fn other_columns_are_not() {
        let none: [&[&str]; 8] = [
            &["01067", "50667", "69115"],
            &["50667", "69115"],
            &["5", "17", "130", "142"],
            &["1", "50667", "69115"],
            &["1067", "1097", "50667"],
            &["A1067", "50667", "69115"],
            &["", ""],
            &[],
        ];
        for values in none {
            assert_eq!(among(values), None, "{values:?}");
        }
    }

    #[test]
    fn no_value_is_told() {
        let told = EatenZeros { shorter: 1, values: 3, width: 5 }.told();
        assert!(told.starts_with("1 of 3 distinct values have fewer than 5 digits"), "{told}");
    }
}
