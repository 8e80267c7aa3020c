//! Price theory on a table: prices, budget, optimum and the levels nearest to it, without releasing anything.
//!
//! Only the values of each quasi-identifier by itself are counted, in one reading of the table, because the theory looks
//! at no more. Columns that get new values are read once more, and each setting of their method is tried. Guarantees have no
//! say here: `release` with a search that minimises these preferences brings them in.

pub mod plots;

use crate::count::columns::KeyColumns;
use crate::count::counted_table::{Brief, Look, TableCount};
use crate::count::tabulate::{fit_variables, ladder_counts};
use crate::count::values::marginals;
use crate::decide::balance::solve;
pub use crate::decide::balance::{
    BalanceReport, BalanceSolution, Budget, GoodPrices, MarketLevel, MarketVariable, Optimum, PointsCell, Sweep,
    Sweeps, SweptPiece, SweptPoints, SweptRatio, SweptVariable, Totals,
};
use crate::decide::dial::NewValueOffers;
pub use crate::decide::dial::{LevelReading, ToldAmounts};
use crate::decide::ladder_gap;
use crate::error::{Error, Result};
use crate::inquiry::question::Goods;
use crate::inquiry::{Inquiry, Ladders, TreatedTable};
use crate::machine::stopwatch::Stopwatch;
use crate::machine::{Resources, Runtime};
use crate::policy::{Policy, ValueKind};
use crate::progress::Progress;
use crate::read::{Data, Source};

/// What a balance is asked.
pub struct BalanceRequest<'a> {
    /// The table.
    pub data: Data<'a>,
    /// Roles, ladders, points and preferences.
    pub policy: &'a Policy,
    /// Bytes that the distinct values may take.
    pub memory: usize,
    /// Whether messages may show the beginnings of values that do not fit.
    pub show_values: bool,
    /// What is varied.
    pub sweeps: &'a [Sweep],
    /// Hears how far it has come.
    pub progress: &'a dyn Progress,
}

/// Balances the quasi-identifiers of a table.
pub fn balance(request: &BalanceRequest<'_>) -> Result<BalanceSolution> {
    let BalanceRequest { data, policy, memory, show_values, sweeps, progress } = *request;
    policy.require_balance()?;
    let source = TreatedTable::open_to_ask(data, policy)?.source;
    // A preset looks at more than the theory does.
    if Look::must(policy).is_none() {
        return by_columns(request, &source);
    }
    let runtime = Runtime::in_temporary_folder(&Resources { memory, ..Resources::default() })?;
    let brief = Brief { policy, source: &source, show_values, progress, watch: &Stopwatch::start(policy.loading) };
    let counted = TableCount::new(brief, Look::ForPresets, &runtime)?.into_table(brief);
    Inquiry::new(counted, Ladders::Policy(None), &runtime)?.ask(Goods { sweeps })
}

/// The same from the values of each column by itself.
fn by_columns(request: &BalanceRequest<'_>, source: &Source) -> Result<BalanceSolution> {
    let columns = KeyColumns::new(request.policy, source);
    let counts = marginals(source, &columns.places.quasi, request.memory, request.progress)?;
    if counts.records == 0 {
        return Err(Error::unsafe_release("0 records: nothing to release"));
    }
    let ladders = fit_variables(&columns.quasi, &counts.values, |place| counts.occurrences[place].clone())
        .map_err(|found| ladder_gap::explain(&found, source, &columns, request.show_values))?;
    let of_ladder = columns.quasi.iter().zip(&ladders).zip(counts.values.iter().zip(&counts.occurrences));
    let of_ladder = of_ladder.map(|((variable, ladder), (values, records))| {
        ladder_counts(ladder, values, records, variable.kind == ValueKind::Number)
    });
    let records: Vec<Vec<u64>> = of_ladder.collect();
    let goods = columns.quasi.iter().zip(&ladders).zip(&records);
    let goods: Vec<_> = goods.map(|((variable, ladder), records)| (*variable, ladder, records.as_slice())).collect();
    let new_values = NewValueOffers::measure(request.policy, source, request.memory, request.progress)?;
    solve(request.policy, counts.records, &goods, &new_values, request.sweeps)
}
