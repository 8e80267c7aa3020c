//! The engine through its doors. One binary holds all suites, so that it is linked once; a name picks one of them:
//! `cargo test -p equanym-engine --test engine specs`.

mod agreement;
mod alternatives;
mod attacking;
mod audited;
mod checklist;
mod comparing;
mod count;
mod demo;
mod disclosure;
mod draft;
mod drawn;
mod in_memory;
mod ladders;
mod live;
mod methods;
mod models;
mod output;
mod people;
mod policy;
mod population;
mod promises;
mod reapply;
mod rebuilt;
mod recoding;
mod release;
mod releasing;
mod reports;
mod requests;
mod risk;
mod source;
mod spec_file;
mod specs;
mod sql;
mod treatments;
mod whole_table;
