//! Numbers: what many measurements say, and how a number is written.

/// The middle of the numbers, or the mean of the two in the middle.
pub fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 { Some(upper) } else { Some(f64::midpoint(sorted[sorted.len() / 2 - 1], upper)) }
}

/// Three digits that count; whole numbers are written in full.
pub fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 99.95 => grouped(whole(number)),
        size if size >= 9.995 => format!("{number:.1}"),
        size if size >= 0.9995 => format!("{number:.2}"),
        0.0 => "0".to_owned(),
        _ => format!("{number:.3}"),
    }
}

/// A share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A whole number with its thousands apart; beyond 10¹¹ as a power of ten.
pub fn grouped(number: u128) -> String {
    if number >= 100_000_000_000 {
        return format!("{:.1e}", number as f64).replace('e', " × 10^");
    }
    equanym_engine::words::grouped(number)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a measurement: of moderate size, never negative
fn whole(number: f64) -> u128 {
    number.round() as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_counts() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[9.0, 1.0, 2.0, 4.0]), Some(3.0));
    }

    #[test]
    fn numbers_are_short() {
        let written = [0.0, 0.012_34, 0.999_9, 1.0, 9.999, 12.345, 99.99, 1234.5].map(short);
        assert_eq!(written, ["0", "0.012", "1.00", "1.00", "10.0", "12.3", "100", "1,235"]);
        assert_eq!(percent(0.1234), "12.3 %");
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 85_030_560].map(grouped), ["0", "999", "1,000", "85,030,560"]);
        assert_eq!(grouped(49_478_023_249_920), "4.9 × 10^13");
    }
}
