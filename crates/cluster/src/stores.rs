//! Nothing is read through DataFusion's own operators.
//!
//! A plan that somebody hands in could name files by DataFusion's own scans, which ask no permit. They find no store to read
//! from, not even the files of this machine: our operator is the only one that reads.

use std::path::Path;
use std::sync::Arc;

use datafusion::error::Result;
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry, ObjectStoreUrl};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};

/// An environment without stores; operators spill to the folder, if there is one.
pub(crate) fn closed(spill: Option<&Path>) -> Result<Arc<RuntimeEnv>> {
    let stores = DefaultObjectStoreRegistry::new();
    stores.deregister_store(ObjectStoreUrl::local_filesystem().as_ref())?;
    let builder = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(stores));
    let builder = match spill {
        Some(folder) => builder.with_temp_file_path(folder),
        None => builder,
    };
    builder.build_arc()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_machine_are_out_of_reach() {
        let environment = closed(None).unwrap();
        assert!(environment.object_store(ObjectStoreUrl::local_filesystem()).is_err());
        assert!(RuntimeEnv::default().object_store(ObjectStoreUrl::local_filesystem()).is_ok());
    }
}
