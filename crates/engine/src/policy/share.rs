//! A share of a number of records, to the last record.
//!
//! `0.29 * 100` is 28.999… in binary floating point; a limit of 0.29 permits 29 of 100 records all the same. So the
//! share is taken as the decimal number that people wrote, the shortest one that reads back as the same float, and
//! multiplied in whole numbers.

/// The largest whole number that is at most `share` of `records`. A share that is no number from 0 to 1 counts as the
/// nearest one that is; what is not a number at all permits nothing.
#[must_use]
pub fn share_of(share: f64, records: u64) -> u64 {
    if share >= 1.0 {
        return records;
    }
    let Some((digits, places)) = decimal(share) else { return 0 };
    // At most 17 digits times at most 20 digits: this fits.
    let product = digits * u128::from(records);
    10_u128.checked_pow(places).map_or(0, |scale| u64::try_from(product / scale).unwrap_or(records))
}

/// A number between 0 and 1 as whole number of a decimal place: `digits / 10^places`.
fn decimal(share: f64) -> Option<(u128, u32)> {
    let text = format!("{share:e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}").parse().ok()?;
    let places = i64::try_from(fraction.len()).ok()? - exponent.parse::<i64>().ok()?;
    Some((digits, u32::try_from(places).ok()?))
}

#[cfg(test)]
mod tests {
    use super::share_of;
    use proptest::prelude::*;

    #[test]
    fn limits_hold_to_the_last_record() {
        for (share, records, allowance) in [
            (0.29, 100, 29),
            (0.57, 100, 57),
            (0.1, 30, 3),
            (0.07, 100, 7),
            (0.05, 30_162, 1508),
            (0.0, 1_000, 0),
            (-0.0, 1_000, 0),
            (1.0, 1_000, 1_000),
            (1e-7, 10_000_000, 1),
            (1e-7, 9_999_999, 0),
            (1e-300, u64::MAX, 0),
            (0.1, u64::MAX, u64::MAX / 10),
            (0.999_999_999_999_999_9, u64::MAX, 18_446_744_073_709_549_770),
            (5.0, 10, 10),
            (-0.5, 10, 0),
            (f64::NAN, 10, 0),
            (f64::INFINITY, 10, 10),
        ] {
            assert_eq!(share_of(share, records), allowance, "{share} of {records}");
        }
    }

    proptest! {
        #[test]
        fn whole_percentages_are_exact(percent in 0_u64..=100, records in 0_u64..1_000_000_000) {
            let share: f64 = format!("0.{percent:02}").replace("0.100", "1").parse().unwrap();
            prop_assert_eq!(share_of(share, records), percent * records / 100);
        }

        #[test]
        fn never_more_than_there_are(share in any::<f64>(), records in any::<u64>()) {
            prop_assert!(share_of(share, records) <= records);
        }
    }
}
