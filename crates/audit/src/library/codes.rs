//! Codes whose digits say the general first: ZIP codes, jobs, branches of the economy.

/// Areas with 20,000 people or fewer in the census of 2000.
const SMALL_AREAS: &str = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893";

/// The first three digits of a ZIP code, or `000`.
pub(super) fn zip(value: &str) -> Option<String> {
    let pattern: String =
        value.trim().chars().map(|letter| if letter.is_ascii_digit() { '9' } else { letter }).collect();
    if !["999", "99999", "999999999", "99999-9999"].contains(&pattern.as_str()) {
        return None;
    }
    let area = value.trim().get(..3)?;
    Some(if SMALL_AREAS.split(' ').any(|small| small == area) { "000" } else { area }.to_owned())
}

/// The sub-major groups of ISCO-08.
const JOBS: &str = "01 02 03 11 12 13 14 21 22 23 24 25 26 31 32 33 34 35 41 42 43 44 51 52 53 54 61 62 63 71 72 73 74 75 81 \
                    82 83 91 92 93 94 95 96";

/// Fewer digits of a job.
pub(super) fn isco(step: u64, value: &str) -> Option<String> {
    let digits = value.trim();
    let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_known = digits.get(..2).is_none_or(|group| JOBS.split_whitespace().any(|known| known == group));
    // No group of three digits ends with a zero.
    let is_minor = digits.get(2..3) != Some("0");
    let kept = digits.len().min(usize::try_from(4_u64.checked_sub(step)?).ok()?);
    if is_number && is_known && is_minor { digits.get(..kept).map(str::to_owned) } else { None }
}

/// For each division of NACE the letter of its section, from 00 on; a blank where there is no division.
const SECTIONS: &str =
    " AAA BBBBBCCCCCCCCCCCCCCCCCCCCCCCC DEEEE FFF GGG HHHHH II JJJJJJKKK LMMMMMMM NNNNNN OPQQQ RRRRSSSTTU";

/// A branch of the economy: class, group, division, section.
pub(super) fn nace(step: u64, value: &str) -> Option<String> {
    let upper = value.trim().to_ascii_uppercase();
    let letter = upper.chars().next().filter(char::is_ascii_uppercase);
    let code = if letter.is_some() { upper[1..].trim_start_matches([' ', '.']) } else { upper.as_str() };
    if code.is_empty() {
        let is_alone = upper.len() == 1;
        return letter.filter(|letter| is_alone && SECTIONS.contains(*letter)).map(String::from);
    }
    let shape: String = code
        .chars()
        .map(|sign| match sign {
            '0'..='9' => '9',
            'A'..='Z' => 'A',
            other => other,
        })
        .collect();
    // A nation may add digits to a class, or a letter.
    let shapes = [
        "99",
        "999",
        "9999",
        "99999",
        "999999",
        "99.9",
        "99.99",
        "99.999",
        "99.99.9",
        "99.99.99",
        "9999A",
        "99.99A",
        "99999A",
        "99.999A",
        "99.99.9A",
        "999999A",
        "99.99.99A",
        "99.9A",
    ];
    if !shapes.contains(&shape.as_str()) {
        return None;
    }
    let digits: String = code.chars().filter(char::is_ascii_digit).collect();
    let division = digits.get(..2)?;
    let section = SECTIONS.chars().nth(division.parse().ok()?).filter(|section| *section != ' ')?;
    if letter.is_some_and(|letter| letter != section) {
        return None;
    }
    let detail = |most: usize| match digits.get(2..digits.len().min(most)) {
        None | Some("") => division.to_owned(),
        Some(rest) => format!("{division}.{rest}"),
    };
    Some(match step {
        1 => detail(4),
        2 => detail(3),
        3 => division.to_owned(),
        _ => section.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_88_divisions_in_21_sections() {
        assert_eq!(SECTIONS.len(), 100);
        let mut letters: Vec<char> = SECTIONS.chars().filter(|letter| *letter != ' ').collect();
        assert_eq!((letters.len(), letters.is_sorted()), (88, true));
        letters.dedup();
        assert_eq!(letters.len(), 21);
        assert_eq!(
            (nace(4, "35"), nace(4, "68"), nace(4, "99")),
            (Some("D".into()), Some("L".into()), Some("U".into()))
        );
    }

    #[test]
    fn what_is_no_code_has_no_label() {
        for text in ["", "04", "1.11", "K62", "62.", "J.", "software", "６２"] {
            assert_eq!(nace(1, text), None, "{text}");
        }
        for text in ["", "99", "110", "2502", "25123", "nurse"] {
            assert_eq!(isco(1, text), None, "{text}");
        }
        for text in ["", "2138", "02138-", "0213a"] {
            assert_eq!(zip(text), None, "{text}");
        }
    }
}
