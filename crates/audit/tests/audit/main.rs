//! Honest releases pass; each tampering fails the check that it should, and no other.

mod against;
mod claims;
mod contents;
mod drawn;
mod errors;
mod explained;
mod files;
mod footer;
mod hostile;
mod methods;
mod models;
mod mutants;
mod original;
mod pairs;
mod parquet;
mod privacy;
mod release;
mod source;
mod thrift;
mod treatments;
