//! Whole numbers in sentences, their thousands apart.

/// A whole number with a comma between its thousands.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
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
    use super::grouped;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 6224, 1_234_567].map(grouped), ["0", "999", "6,224", "1,234,567"]);
    }
}
