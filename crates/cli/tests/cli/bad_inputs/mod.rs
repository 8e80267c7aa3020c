//! What may be wrong with a table, a hierarchy, a policy or a machine, one test for each: the real program ends with the
//! right exit code and the right words, and leaves nothing behind.
//!
//! [`run`] checks what holds for all of them: no panic, no cell value in any message or public file, no half-written
//! folder, no lock. Tests that need something of the machine that it may refuse (a mount, another user) say
//! `not checked` on standard error when it does.

#[cfg(unix)]
mod bombs;
mod csv;
mod hier;
#[cfg(unix)]
mod io;
mod json;
#[cfg(unix)]
mod mutated;
mod parquet;
mod policy;
mod run;
