//! A release by a cluster is the release of one machine, to the last byte, whatever becomes of the executors.
//!
//! Scheduler and executors are processes of the real program on this machine. An executor that is to die in a later stage is
//! first held (`SIGSTOP`), so that the stage cannot end without it, and then killed, with all that it wrote.

mod callers;
mod door;
mod guide;
mod lost;
mod processes;
mod refused;
mod same;
