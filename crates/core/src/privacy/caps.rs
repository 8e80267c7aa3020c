//! Caps: no value of a sensitive variable has more than a share of its own in a class.
//!
//! A union of classes within the caps is within the caps, because a share of a union lies between those of its parts.
//!
//! **How much a division may keep** ([`Caps::most`]). K records out of a class hold at most c of a value, and within the caps
//! at most u K; so K is at most the sum over the values of the smaller of both. That sum is concave in K and 0 at 0, so it
//! is at least K up to a largest K. No K is beyond the sum for a larger one, so the sums themselves lead down to it; what is
//! left is bisected.

use super::{ClassView, largest};

/// The largest share of each value of a sensitive variable, as fractions of whole numbers.
pub(super) struct Caps {
    pub variable: usize,
    /// By code.
    pub numerators: Vec<u128>,
    pub denominator: u128,
}

/// Steps before it is bisected.
const STEPS: usize = 6;

impl Caps {
    /// Whether every value of a class is within its cap.
    pub(super) fn hold(&self, class: &ClassView<'_>) -> bool {
        let size = u128::from(class.whole(self.variable));
        let mut counts = class.sensitive_counts(self.variable).iter();
        counts.all(|&(code, count)| u128::from(count) * self.denominator <= self.numerator(code) * size)
    }

    /// Records of the class that are within the caps are never more than these.
    pub(super) fn most(&self, class: &ClassView<'_>) -> u64 {
        let counts = class.sensitive_counts(self.variable);
        let within = |kept: u64| {
            let at_most = |&(code, count): &(u32, u64)| {
                (u128::from(count) * self.denominator).min(self.numerator(code) * u128::from(kept))
            };
            counts.iter().map(at_most).sum::<u128>()
        };
        // What is within the caps of more is no less: a few steps down from all are mostly enough.
        let mut most = class.whole(self.variable);
        for _ in 0..STEPS {
            let fewer = u64::try_from(within(most) / self.denominator.max(1)).unwrap_or(most);
            if fewer >= most {
                return most;
            }
            most = fewer;
        }
        largest(most, |kept| within(kept) >= u128::from(kept) * self.denominator)
    }

    fn numerator(&self, code: u32) -> u128 {
        self.numerators.get(code as usize).copied().unwrap_or(0)
    }
}
