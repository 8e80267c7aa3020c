//! Numbers as people read them.

pub(crate) use equanym_engine::words::{grouped as count, percent};

/// A measure of any size.
pub(crate) fn measure(value: f64) -> String {
    let size = value.abs();
    if size >= 1e15 || (size > 0.0 && size < 1e-4) {
        format!("{value:.2e}")
    } else if size >= 1000.0 {
        let whole: u128 = format!("{:.0}", size.round()).parse().unwrap_or(0);
        if value < 0.0 { format!("−{}", count(whole)) } else { count(whole) }
    } else {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// A number and its noun: one record, two records.
pub(crate) fn with_noun(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([count(7_u64), count(1234_u64), count(1_234_567_u64)], ["7", "1,234", "1,234,567"]);
        assert_eq!([0.0, 0.5, 12345.6, 1e20].map(measure), ["0", "0.5", "12,346", "1.00e20"]);
    }
}
