//! Honest releases pass; each tampering fails the check that it should, and no other.

mod against;
mod contents;
mod errors;
mod files;
mod hostile;
mod methods;
mod original;
mod parquet;
mod privacy;
mod release;
