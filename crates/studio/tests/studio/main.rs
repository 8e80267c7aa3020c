//! The studio, called as a browser calls it, and as nobody should.

mod browser;
mod door;
mod flow;
mod hostile;
mod papers;
