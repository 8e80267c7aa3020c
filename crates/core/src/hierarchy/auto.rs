//! A ladder proposed from the values alone.
//!
//! Numbers get bands. Dates lose their details. Diagnoses and countries get the ladder of their classification. Other codes of
//! equal length lose their last characters. Everything else goes from the value to `*`. A proposal always fits the values that
//! it was made from; whether it suits the data is for a person to judge. Where two readings are possible (`03/04/2026`)
//! nothing is guessed.

use super::decimal::Decimal;
use super::{Builder, DateFormat, DateGrain, MISSING, date, library};

/// A ladder that fits these distinct values.
#[must_use]
pub fn propose(values: &[String]) -> Builder {
    let present: Vec<&str> = values.iter().map(String::as_str).filter(|value| *value != MISSING).collect();
    let proposals = [dates(&present), classified(&present), codes(&present), numbers(&present)];
    let mut fitting = proposals.into_iter().flatten().filter(|builder| builder.fit(values).is_ok());
    fitting.next().unwrap_or_default()
}

/// Months, quarters and years; over decades months, years, five years and decades; `None` unless exactly one format reads
/// all values.
fn dates(values: &[&str]) -> Option<Builder> {
    let format = date_format(values)?;
    let (first, last) = years(values, format)?;
    let grains = if last - first >= 20 {
        vec![DateGrain::Month, DateGrain::Year, DateGrain::FiveYears, DateGrain::Decade]
    } else {
        vec![DateGrain::Month, DateGrain::Quarter, DateGrain::Year]
    };
    Some(Builder::Date { grains, format })
}

/// The one format that reads all values, none of which is missing.
pub(crate) fn date_format(values: &[&str]) -> Option<DateFormat> {
    let readable = DateFormat::ALL.into_iter().filter(|format| years(values, *format).is_some());
    // A form without zeros in front also reads dates that have them.
    let (padded, short): (Vec<_>, Vec<_>) = readable.partition(|format| format.is_padded());
    let [format]: [_; 1] = if padded.is_empty() { short } else { padded }.try_into().ok()?;
    Some(format)
}

/// The first and the last year. Eight digits may be anything, so there only years of living memory count as dates.
fn years(values: &[&str], format: DateFormat) -> Option<(u16, u16)> {
    let years: Option<Vec<u16>> = values.iter().map(|value| Some(date::parse(value, format)?.year())).collect();
    let (first, last) = years.and_then(|years| Some((*years.iter().min()?, *years.iter().max()?)))?;
    let is_plausible = format != DateFormat::Compact || (first >= 1900 && last <= 2100);
    is_plausible.then_some((first, last))
}

/// A ladder of the library: diagnoses in detail, and countries. Other codes look too much like any number.
fn classified(values: &[&str]) -> Option<Builder> {
    let is_detailed = values.iter().all(|value| is_diagnosis(value)) && values.iter().any(|value| value.contains('.'));
    let name = if is_detailed { "icd-10" } else { "country-region" };
    (values.len() >= FEWEST_CLASSIFIED).then(|| library::find(name).map(Builder::Library)).flatten()
}

/// Fewer values than these are of a classification by chance.
const FEWEST_CLASSIFIED: usize = 3;

/// Fewer and fewer characters of codes such as postal codes and diagnoses.
fn codes(values: &[&str]) -> Option<Builder> {
    let longest = values.iter().map(|value| value.len()).max()?;
    if values.iter().all(|value| is_diagnosis(value)) {
        return Some(Builder::Prefix { keep: vec![3, 2, 1] });
    }
    let is_fixed = values.iter().all(|value| value.len() == longest && is_code(value));
    // Short numbers are numbers unless a zero in front says otherwise. With longer ones of equal length a wrong guess
    // costs little: a prefix of digits is a band whose width is a power of ten.
    let is_long = if values.iter().all(|value| is_number(value)) {
        longest >= 5 && values.iter().all(|value| value.bytes().all(|byte| byte.is_ascii_digit()))
    } else {
        longest >= 3
    };
    (is_fixed && is_long && longest <= 20).then(|| Builder::Prefix { keep: keep(longest) })
}

/// A letter, two digits, and perhaps more after a point: the shape of ICD-10.
fn is_diagnosis(value: &str) -> bool {
    match value.as_bytes() {
        [letter, first, second, rest @ ..] => {
            let is_detailed = rest.first().is_none_or(|point| *point == b'.') && rest.len() != 1;
            letter.is_ascii_uppercase() && first.is_ascii_digit() && second.is_ascii_digit() && is_detailed
        }
        _ => false,
    }
}

/// Letters, digits and `.` or `-` between them, at least one digit.
fn is_code(value: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-';
    let starts_well = value.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    starts_well && value.bytes().all(is_allowed) && value.bytes().any(|byte| byte.is_ascii_digit())
}

/// At most four steps from the whole code down to its first character or so.
fn keep(length: usize) -> Vec<usize> {
    let step = length.saturating_sub(1).div_ceil(4).max(1);
    (1..=4).filter_map(|times| length.checked_sub(step * times)).filter(|keep| *keep > 0).collect()
}

/// Four widths, each twice the one before, the first about a twentieth of the range.
fn numbers(values: &[&str]) -> Option<Builder> {
    if values.len() < 3 || !values.iter().all(|value| is_number(value)) {
        return None;
    }
    let numbers: Vec<Decimal> = values.iter().filter_map(|value| Decimal::parse(value)).collect();
    let scale = numbers.iter().map(|number| number.scale()).max()?;
    let (low, high) = (numbers.iter().min()?, numbers.iter().max()?);
    let range = high.minus(*low)?.at(scale)?;
    let twentieth = range / 20 + i128::from(range % 20 != 0);
    let first = nice(twentieth.max(2))?;
    let widths = (0..4).filter_map(|power| first.checked_mul(1 << power)).filter(|width| *width < range);
    let widths: Vec<String> = widths.filter_map(|width| Some(Decimal::new(width, scale)?.to_string())).collect();
    (!widths.is_empty()).then_some(Builder::intervals(widths))
}

/// `0`, `-5` and `0.5`, but not `007`: a zero in front marks a code.
fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    let is_padded = digits.strip_prefix('0').is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
    !is_padded && Decimal::parse(value).is_some()
}

/// The next 1, 2 or 5 with zeros that is not smaller.
fn nice(least: i128) -> Option<i128> {
    let mut unit = 1_i128;
    loop {
        for digit in [1, 2, 5] {
            let width = unit.checked_mul(digit)?;
            if width >= least {
                return Some(width);
            }
        }
        unit = unit.checked_mul(10)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::words as texts;
    use proptest::prelude::*;

    fn check(values: &str, expected: &Builder) {
        assert_eq!(&propose(&texts(values)), expected, "{values}");
    }

    #[test]
    fn numbers_get_bands() {
        let check = |values: &str, widths: &str| check(values, &Builder::intervals(texts(widths)));
        check("17 23 45 90", "5 10 20 40");
        check("18 23 73", "5 10 20 40");
        check("0 1 2 3 4 5 6 7", "2 4");
        check("1998 2003 2026", "2 4 8 16");
        check("0 2.5 100.25", "10 20 40 80");
        check("-40 0 1e3", "100 200 400 800");
        check("10.5 11.5 36.6", "2 4 8 16");
    }

    #[test]
    fn dates_lose_their_details() {
        let (month, quarter, year) = (DateGrain::Month, DateGrain::Quarter, DateGrain::Year);
        let date = |grains: &[DateGrain], format| Builder::Date { grains: grains.to_vec(), format };
        check("2026-03-29 2025-01-01", &date(&[month, quarter, year], DateFormat::Iso));
        check("1950-03-29 2025-01-01", &date(&[month, year, DateGrain::FiveYears, DateGrain::Decade], DateFormat::Iso));
        check("29/03/2026 01/02/2026", &date(&[month, quarter, year], DateFormat::DayFirst));
        check("03/29/2026 01/02/2026", &date(&[month, quarter, year], DateFormat::MonthFirst));
        check("20260329 20250101", &date(&[month, quarter, year], DateFormat::Compact));
        check("29.03.2026 01.02.2026", &date(&[month, quarter, year], DateFormat::Dotted));
        check("29.3.2026 01.02.2026", &date(&[month, quarter, year], DateFormat::ShortDotted));
        check("29/3/2026 1/2/2026", &date(&[month, quarter, year], DateFormat::ShortDayFirst));
    }

    #[test]
    fn codes_lose_their_ends() {
        check("01234 99999", &Builder::Prefix { keep: vec![4, 3, 2, 1] });
        check("12345 99999", &Builder::Prefix { keep: vec![4, 3, 2, 1] });
        check("I10 J18 E11", &Builder::Prefix { keep: vec![3, 2, 1] });
        check("I10 J18.9", &Builder::Prefix { keep: vec![3, 2, 1] });
        check("AB1 AB2", &Builder::Prefix { keep: vec![2, 1] });
        check("AB12-34567 AB12-34568", &Builder::Prefix { keep: vec![7, 4, 1] });
    }

    #[test]
    fn classifications_are_known() {
        let library = |name| Builder::Library(library::find(name).unwrap());
        check("I10 J18.9 E11.65", &library("icd-10"));
        check("DE AT FR", &library("country-region"));
        check("Germany Poland NL", &library("country-region"));
        check("DE AT Atlantis", &Builder::None);
        check("DE1 AT1 FR1", &Builder::Prefix { keep: vec![2, 1] });
    }

    #[test]
    fn everything_else_goes_to_the_top() {
        for values in [
            "",
            "x",
            "yes no",
            "0 1",
            "5",
            "01/02/2026 03/04/2026",
            "1/2/2026 03/04/2026",
            "cat dog",
            "1 2 x",
            "007 08 9",
        ] {
            check(values, &Builder::None);
        }
        assert_eq!(propose(&[]), Builder::None);
    }

    proptest! {
        #[test]
        fn a_proposal_fits_and_is_nested(values in prop::collection::vec("[0-9]{1,4}|[A-C][0-9]{2}|-?[0-9]{1,3}\\.[0-9]|", 0..20)) {
            prop_assert!(propose(&values).fit(&values).unwrap().is_nested());
        }

        #[test]
        fn large_numbers_get_nested_bands(values in prop::collection::hash_set(any::<i64>(), 3..20), scale in 0_u32..6) {
            let text = |number: i64| Decimal::new(number.into(), scale).unwrap().to_string();
            let values: Vec<String> = values.into_iter().map(text).collect();
            prop_assert!(propose(&values).fit(&values).unwrap().is_nested());
        }

        #[test]
        fn any_text_fits(values in prop::collection::vec("\\PC{0,12}", 0..8)) {
            prop_assert!(propose(&values).fit(&values).is_ok());
        }
    }
}
