//! Caps: no value of a sensitive variable has more than a share of its own in a class.
//!
//! Let u(v) be the cap of value v. A class within the caps has c(v) ≤ u(v) · n for every v.
//!
//! **Unions.** c₁ ≤ u n₁ and c₂ ≤ u n₂ ⇒ c₁ + c₂ ≤ u (n₁ + n₂): a union of classes within the caps is within them.
//!
//! **How much a division may keep** ([`Caps::most`]). Let K records of a class be kept within the caps. Value v has at most
//! c(v) of them, and at most u(v) K:
//!
//! > K ≤ S(K), where S(K) = Σ over v of min(c(v), u(v) K).
//!
//! S is concave and S(0) = 0, so K ≤ S(K) holds up to one largest K. From any K above it, S(K) is a smaller number that is still not
//! below it. So K is replaced by S(K) a few times, and what is left is bisected.

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

    /// Whether any so many people of the class are within the caps.
    pub(super) fn hold_for_any(&self, class: &ClassView<'_>, people: u64) -> bool {
        let mut counts = class.record_counts(self.variable).iter();
        let size = u128::from(people);
        counts.all(|&(code, count)| u128::from(count.min(people)) * self.denominator <= self.numerator(code) * size)
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
