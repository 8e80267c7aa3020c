//! What stands for a cluster in a program that was built without: it works for nobody, and says so when it is asked.

use std::path::Path;

use equanym_engine::error::{Error, Result};
use equanym_engine::machine::Runtime;
use equanym_engine::read::Reading;
use equanym_engine::workers::{Cluster, Workers};

#[derive(Debug)]
pub struct NoCluster;

impl Cluster for NoCluster {
    fn join(&self, _: &Path, _: &Reading, _: Runtime) -> Result<Box<dyn Workers>> {
        Err(Error::input("this program was built without clusters")
            .hint("build it with them: `cargo install --path crates/cli --features cluster`"))
    }
}
