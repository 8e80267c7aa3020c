//! Waits for servers: the sources are blocking iterators, the clients of databases and object stores are not.
//!
//! One thread drives all connections of the process. It is started when the first is needed. Certificates and signatures
//! are dated: a clock before 1970, which libraries take for impossible, is refused before they look at it.

use std::future::Future;
use std::sync::OnceLock;
use std::time::SystemTime;

use tokio::runtime::{Builder, Runtime};

use crate::error::{Error, Result};

static CONNECTIONS: OnceLock<Option<Runtime>> = OnceLock::new();

/// Waits for the end of some work. Must not be called from work that waits itself.
pub(crate) fn wait<F: Future>(work: F) -> Result<F::Output> {
    if SystemTime::now() < SystemTime::UNIX_EPOCH {
        return Err(Error::environment("the system's clock stands before 1970").hint("set it to the time of today"));
    }
    let start = || Builder::new_multi_thread().worker_threads(1).enable_all().thread_name("connections").build().ok();
    let runtime = CONNECTIONS.get_or_init(start).as_ref();
    let runtime = runtime.ok_or_else(|| Error::environment("the system refuses to start another thread"))?;
    Ok(runtime.block_on(work))
}
