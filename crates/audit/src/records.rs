//! The count of records: what was released, what was withheld, and whether the limit allowed it.
//!
//! The limit is compared by its decimal digits: 0.29 of 100 records is 29, which binary fractions round to 28.

use crate::Check;
use crate::decimal::Decimal;
use crate::drawn;
use crate::manifest::{Claims, RecordCounts};
use crate::observer::{Observer, Record};
use crate::privacy::Unit;
use crate::sentence;

/// Counts the records.
pub(crate) struct RecordObserver<'a> {
    claimed: &'a RecordCounts,
    limit: &'a str,
    /// Whether the limit is a share of people, whom only the original shows.
    limits_people: bool,
    is_drawn: bool,
    found: u64,
}

impl<'a> RecordObserver<'a> {
    pub fn new(claims: &'a Claims) -> Self {
        let (limit, limits_people) = (claims.suppression_limit.get(), claims.limits_people());
        Self { claimed: &claims.records, limit, limits_people, is_drawn: drawn::is_drawn(claims), found: 0 }
    }

    fn count_check(&self) -> Check {
        let RecordCounts { original, released, suppressed } = self.claimed;
        let (Some(original), Some(suppressed)) = (original, suppressed) else { return self.drawn_check() };
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
}

impl RecordObserver<'_> {
    /// How many there were is not told where they were drawn at random, and nowhere else.
    fn drawn_check(&self) -> Check {
        let RecordCounts { original, released, suppressed } = self.claimed;
        let is_untold = self.is_drawn && original.is_none() && suppressed.is_none();
        let found = if is_untold { "" } else { ", and the claims do not say of how many" };
        let passed = is_untold && *released == self.found && self.found > 0;
        Check::new(
            "records",
            passed,
            format!("{released} released records"),
            format!("{} released records{found}", self.found),
        )
    }
}

/// Whether no more than the limit are withheld.
pub(crate) fn suppression_check(limit: &str, withheld: u64, of: u64, unit: Unit) -> Check {
    let allowed = Decimal::share(limit).and_then(|limit| limit.floor_of(of));
    let found = match allowed {
        Some(allowed) => format!("{withheld} suppressed, {allowed} allowed"),
        None => "the limit is no share from 0 to 1 that can be compared exactly".to_owned(),
    };
    let passed = allowed.is_some_and(|allowed| withheld <= allowed);
    let limit = sentence::told_limit(limit);
    Check::new("suppression", passed, format!("the suppressed {unit} stay within {limit}"), found)
}

impl Observer for RecordObserver<'_> {
    fn see(&mut self, record: &Record<'_>) {
        self.found += record.times;
    }

    fn judge(self: Box<Self>) -> Vec<Check> {
        let RecordCounts { original, suppressed, .. } = self.claimed;
        let counts = suppressed.zip(*original).filter(|_| !self.limits_people);
        let limit = counts.map(|(some, all)| suppression_check(self.limit, some, all, Unit::Records));
        std::iter::once(self.count_check()).chain(limit).collect()
    }
}
