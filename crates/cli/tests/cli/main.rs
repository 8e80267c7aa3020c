//! The program, run as its users run it. One binary holds all suites, so that it is linked once; a name picks one of
//! them: `cargo test -p equanym --test cli docs`.

mod bad_inputs;
mod clinic;
#[cfg(all(unix, feature = "cluster"))]
mod cluster;
mod docs;
mod hospital;
mod kill;
mod postgres;
mod program;
mod same_bytes;
