//! The program, run as its users run it. One binary holds all suites, so that it is linked once; a name picks one of
//! them: `cargo test -p equanym --test cli docs`.

mod bad_inputs;
mod clinic;
#[cfg(all(unix, feature = "cluster"))]
mod cluster;
mod docs;
mod hospital;
#[cfg(unix)]
mod kill;
#[path = "../../../engine/tests/engine/messages.rs"]
mod messages;
mod postgres;
mod program;
mod refusals;
mod same_bytes;
