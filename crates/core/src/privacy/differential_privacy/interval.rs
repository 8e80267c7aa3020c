//! Numbers that are known to lie between two others.
//!
//! Sums, products and quotients of machine numbers are rounded to the nearest; the next number below and above them enclose the
//! true result. Exponentials and logarithms are series of these four operations with a bound for what is left out, so no
//! library's last digit is trusted, and every machine finds the same bounds.
//!
//! Limit: for what [`super::threshold`] needs. Exponents are from 0 to 64, logarithms are those of positive numbers.

/// A number between two bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NumberInterval {
    pub low: f64,
    pub high: f64,
}

/// Terms of a series; what they leave out is below 2⁻⁵³ of the sum.
const TERMS: u32 = 24;

impl NumberInterval {
    pub const ONE: Self = Self::exactly(1.0);

    pub const fn exactly(number: f64) -> Self {
        Self { low: number, high: number }
    }

    pub fn plus(self, other: Self) -> Self {
        Self { low: (self.low + other.low).next_down(), high: (self.high + other.high).next_up() }
    }

    pub fn minus(self, other: Self) -> Self {
        Self { low: (self.low - other.high).next_down(), high: (self.high - other.low).next_up() }
    }

    /// The product of numbers from 0 on.
    pub fn times(self, other: Self) -> Self {
        Self { low: (self.low * other.low).next_down().max(0.0), high: (self.high * other.high).next_up() }
    }

    /// The quotient of a number from 0 on and a positive one.
    pub fn over(self, other: Self) -> Self {
        Self { low: (self.low / other.high).next_down().max(0.0), high: (self.high / other.low).next_up() }
    }

    /// e to the power of a number from 0 to 64: its power series at a half or less, squared as often as it was halved.
    pub fn exponential(self) -> Self {
        let (mut halved, mut part) = (0, self);
        while part.high > 0.5 && halved < 7 {
            // Halves are exact.
            (halved, part) = (halved + 1, Self { low: part.low / 2.0, high: part.high / 2.0 });
        }
        // From within: 1 + x (1 + x / 2 (1 + x / 3 (…))), where what follows the last term lies between 1 and 2.
        let inner = Self { low: 1.0, high: 2.0 };
        let term = |rest: Self, number| part.over(Self::exactly(f64::from(number))).times(rest).plus(Self::ONE);
        let sum = (1..=TERMS).rev().fold(inner, term);
        (0..halved).fold(sum, |power, _| power.times(power))
    }

    /// The natural logarithm of a number from 1 on.
    pub fn logarithm(self) -> Self {
        let (mut twos, mut rest) = (0.0, self);
        while rest.low >= 2.0 {
            (twos, rest) = (twos + 1.0, Self { low: rest.low / 2.0, high: rest.high / 2.0 });
        }
        let of_two = Self::exactly(2.0).small_logarithm();
        of_two.times(Self::exactly(twos)).plus(rest.small_logarithm())
    }

    /// The logarithm of a number from 1 to a little more than 2: 2 artanh((x − 1) / (x + 1)).
    fn small_logarithm(self) -> Self {
        let nothing = Self::exactly(0.0);
        let above = self.minus(Self::ONE);
        let ratio = Self { low: above.low.max(0.0), ..above }.over(self.plus(Self::ONE));
        let square = ratio.times(ratio);
        let (mut sum, mut power) = (nothing, ratio);
        for number in 0..TERMS {
            sum = sum.plus(power.over(Self::exactly(f64::from(2 * number + 1))));
            power = power.times(square);
        }
        // The ratio is little more than a third, so all further terms together are below the next power.
        sum.high = (sum.high + power.high).next_up();
        Self { low: (2.0 * sum.low).max(0.0), high: 2.0 * sum.high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encloses(interval: NumberInterval, number: f64) {
        let width = (interval.high - interval.low) / number.abs().max(1e-300);
        assert!(interval.low <= number && number <= interval.high, "{number} is not in {interval:?}");
        assert!(width < 1e-12, "{interval:?} is {width} wide");
    }

    #[test]
    fn series_enclose_what_a_library_finds() {
        for number in [0.0, 1e-9, 0.1, 0.5, 1.0, 2.0, 7.5, 20.0, 64.0] {
            let found = NumberInterval::exactly(number).exponential();
            // The library is right to a unit of its last place.
            encloses(NumberInterval { low: found.low.next_down(), high: found.high.next_up() }, libm::exp(number));
        }
        for number in [1.0 + 1e-3, 1.5, 2.0, 2.5, 3.0, 10.0, 1e5, 1e100] {
            encloses(NumberInterval::exactly(number).logarithm(), libm::log(number));
        }
    }

    #[test]
    fn known_numbers_are_enclosed() {
        encloses(NumberInterval::ONE.exponential(), std::f64::consts::E);
        encloses(NumberInterval::exactly(2.0).logarithm(), std::f64::consts::LN_2);
        encloses(NumberInterval::exactly(10.0).logarithm(), std::f64::consts::LN_10);
        encloses(NumberInterval::exactly(0.0).exponential(), 1.0);
    }

    #[test]
    fn four_operations_enclose_fractions() {
        let third = NumberInterval::ONE.over(NumberInterval::exactly(3.0));
        let whole = third.times(NumberInterval::exactly(3.0));
        assert!(third.low < third.high && whole.low < 1.0 && 1.0 < whole.high);
        let nothing = third.minus(third);
        assert!(nothing.low < 0.0 && 0.0 < nothing.high && third.plus(third).high < 0.667);
    }
}
