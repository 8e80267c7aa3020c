//! The count of records: what was released, what was withheld, and whether the limit allowed it.
//!
//! The limit is compared by its decimal digits: 0.29 of 100 records is 29, which binary fractions round to 28.

use crate::Check;
use crate::decimal::Decimal;
use crate::manifest::{Claims, Records};
use crate::observer::{Observer, Record};

/// Counts the records.
pub(crate) struct RecordObserver<'a> {
    claimed: &'a Records,
    limit: &'a str,
    found: u64,
}

impl<'a> RecordObserver<'a> {
    pub fn new(claims: &'a Claims) -> Self {
        Self { claimed: &claims.records, limit: claims.suppression_limit.get(), found: 0 }
    }

    fn count_check(&self) -> Check {
        let Records { original, released, suppressed } = self.claimed;
        let adds_up = released.checked_add(*suppressed) == Some(*original);
        let sum = match (adds_up, self.found) {
            (false, _) => "and the claims do not add up",
            (true, 0) => "and nothing is no release",
            (true, _) => "which add up",
        };
        Check::new(
            "records",
            adds_up && *released == self.found && self.found > 0,
            format!("{original} original records = {released} released + {suppressed} suppressed"),
            format!("{} released records, {sum}", self.found),
        )
    }

    fn suppression_check(&self) -> Check {
        let allowed = Decimal::share(self.limit).and_then(|limit| limit.floor_of(self.claimed.original));
        let found = match allowed {
            Some(allowed) => format!("{} suppressed, {allowed} allowed", self.claimed.suppressed),
            None => "the limit is no share from 0 to 1 that can be compared exactly".to_owned(),
        };
        let passed = allowed.is_some_and(|allowed| self.claimed.suppressed <= allowed);
        Check::new("suppression", passed, "the suppressed records stay within the suppression limit", found)
    }
}

impl Observer for RecordObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        self.found += record.times;
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        vec![self.count_check(), self.suppression_check()]
    }
}
