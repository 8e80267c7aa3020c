//! Waits for servers: the sources are blocking iterators, the clients of databases and object stores are not.
//!
//! One thread drives all connections of the process. It is started when the first is needed.

use std::future::Future;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};

use crate::error::{Error, Result};

static CONNECTIONS: OnceLock<Option<Runtime>> = OnceLock::new();

/// Waits for the end of some work. Must not be called from work that waits itself.
pub(crate) fn wait<F: Future>(work: F) -> Result<F::Output> {
    let start = || Builder::new_multi_thread().worker_threads(1).enable_all().thread_name("connections").build().ok();
    let runtime = CONNECTIONS.get_or_init(start).as_ref();
    let runtime = runtime.ok_or_else(|| Error::environment("the system refuses to start another thread"))?;
    Ok(runtime.block_on(work))
}
