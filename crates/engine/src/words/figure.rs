//! Numbers as people read them.
//!
//! Thousands are set apart by a comma, in the terminal, the reports and the studio alike. Rounding never turns something into
//! nothing or a part into the whole: such numbers say on which side they lie.

/// What is written for a number that is none.
const NONE: &str = "–";

/// A whole number, its thousands apart.
pub fn count(number: impl Into<u128>) -> String {
    grouped(&number.into().to_string())
}

/// A count that may be too small to be shown.
pub(crate) fn shown(number: Option<u64>, shown_from: Option<u64>) -> String {
    number.map_or_else(|| hidden(shown_from), count)
}

/// What stands for a count that is too small to be shown.
pub(crate) fn hidden(shown_from: Option<u64>) -> String {
    shown_from.map_or_else(|| NONE.to_owned(), |threshold| format!("fewer than {}", count(threshold)))
}

/// A number that may tell a small count.
pub(crate) fn shown_as(number: Option<f64>, text: impl FnOnce(f64) -> String) -> String {
    number.map_or_else(|| NONE.to_owned(), text)
}

/// A number with a fraction: two digits of it below ten, one above, none when they are zero.
pub(crate) fn decimal(number: f64) -> String {
    if !number.is_finite() {
        return NONE.to_owned();
    }
    let text = if number.abs() < 10.0 { format!("{number:.2}") } else { format!("{number:.1}") };
    let text = trimmed(&text);
    if text.trim_start_matches('-') == "0" && number > 0.0 {
        return "<0.01".to_owned();
    }
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("−", digits));
    let fraction = fraction.map(|fraction| format!(".{fraction}")).unwrap_or_default();
    format!("{sign}{}{fraction}", grouped(digits))
}

/// A share, 0 to 1, as a percentage: two digits of a fraction below one per cent, one above.
#[must_use]
pub fn percent(share: f64) -> String {
    if !share.is_finite() {
        return NONE.to_owned();
    }
    let hundredfold = share * 100.0;
    let text = if hundredfold < 1.0 { format!("{hundredfold:.2}") } else { format!("{hundredfold:.1}") };
    match trimmed(&text) {
        "0" if share > 0.0 => "<0.01%".to_owned(),
        "-0" => "0%".to_owned(),
        "100" if share < 1.0 => ">99.9%".to_owned(),
        text => format!("{text}%"),
    }
}

/// A part of a whole as a share; of nothing it is nothing.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A count with its word.
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let texts = [0_u64, 999, 1000, 30162, 1_234_567].map(count);
        assert_eq!(texts, ["0", "999", "1,000", "30,162", "1,234,567"]);
    }

    #[test]
    fn fractions_are_as_long_as_they_help() {
        let texts = [0.0, 0.004, 1.0, 2.346, 35.36, 407_289.539, -1500.25].map(decimal);
        assert_eq!(texts, ["0", "<0.01", "1", "2.35", "35.4", "407,289.5", "−1,500.2"]);
    }

    #[test]
    fn rounding_turns_no_part_into_nothing_or_all() {
        let texts = [0.0, -0.000_01, 0.000_01, 0.0044, 0.0481, 0.2, 0.999_99, 1.0].map(percent);
        assert_eq!(texts, ["0%", "0%", "<0.01%", "0.44%", "4.8%", "20%", ">99.9%", "100%"]);
    }

    #[test]
    fn what_is_no_number_is_a_dash() {
        assert_eq!([decimal(f64::NAN), percent(f64::INFINITY)], [NONE, NONE]);
        assert!(share(1, 0).abs() < f64::EPSILON);
    }
}
