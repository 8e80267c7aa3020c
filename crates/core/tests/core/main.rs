//! Core through its doors: one module per promise, one binary for all of them.

mod questions;
mod tables;

mod balance;
mod baselines;
mod by_definition;
mod conformance;
mod golden;
mod guards;
mod lkc;
mod losses;
mod minimality;
mod models;
mod mondrian;
mod neighbours;
mod populations;
mod stopping;
mod suppressed;
mod together;
mod treatments;
mod walk;
mod walk_uniformity;
mod whole_table;
