//! Numbers as people read them.

pub(crate) use equanym_engine::write::reports::grouped as count;

/// A share in percent; what is little is told to be, and what is nearly all is not all.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        it if it <= 0.0 => "0 %".to_owned(),
        it if it < 0.1 => "< 0.1 %".to_owned(),
        it if it > 99.9 && it < 100.0 => "> 99.9 %".to_owned(),
        it if (it - it.round()).abs() < 0.05 => format!("{it:.0} %"),
        it => format!("{it:.1} %"),
    }
}

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

/// So many of something.
pub(crate) fn of(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([count(7_u64), count(1234_u64), count(1_234_567_u64)], ["7", "1,234", "1,234,567"]);
        assert_eq!(
            [0.0, 0.0004, 0.05, 0.1234, 0.9999, 1.0].map(percent),
            ["0 %", "< 0.1 %", "5 %", "12.3 %", "> 99.9 %", "100 %"]
        );
        assert_eq!([0.0, 0.5, 12345.6, 1e20].map(measure), ["0", "0.5", "12,346", "1.00e20"]);
    }
}
