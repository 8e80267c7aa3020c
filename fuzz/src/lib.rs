//! What the targets share: fixed releases, tables read in several ways, and changes of JSON.
//!
//! A target fails where something panics that no guard catches, and where a sentence of its header is not true.

pub mod audited;
pub mod explained;
pub mod mutation;
pub mod release;
pub mod tables;
pub mod workbook;
