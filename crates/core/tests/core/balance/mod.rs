//! The price theory: what was published, what was derived, and what must hold for every market.

mod anopi;
mod choosing;
mod guarded;
mod new_values;
mod rationing;
mod shadow;
mod spending;
mod totals;
mod withholding;
