//! Connections between executors, which are used again while they are fresh.
//!
//! A stage fetches many results from few executors; a connection for each would shake hands hundreds of times. Ballista
//! has the same, but keeps it to itself (55.0).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ballista_core::client::BallistaClient;
use ballista_core::client_pool::{BallistaClientPool, PooledClient};
use ballista_core::error::Result;
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use ballista_core::utils::GrpcClientConfig;

/// How long a connection is kept that nobody uses.
const KEEP: Duration = Duration::from_secs(30);

/// Whom a connection goes to, and how.
type Place = (String, u16, GrpcClientConfig);
type Idle = HashMap<Place, Vec<(Instant, BallistaClient)>>;

/// Connections that nobody uses now.
#[derive(Default, Clone)]
pub(crate) struct Connections(Arc<Mutex<Idle>>);

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connections")
    }
}

impl Connections {
    /// Looks at those that are still fresh.
    fn fresh<T>(&self, look: impl FnOnce(&mut Idle) -> T) -> T {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.values_mut().for_each(|clients| clients.retain(|(since, _)| since.elapsed() < KEEP));
        idle.retain(|_, clients| !clients.is_empty());
        look(&mut idle)
    }
}

#[tonic::async_trait]
impl BallistaClientPool for Connections {
    async fn acquire(
        &self,
        host: &str,
        port: u16,
        config: &GrpcClientConfig,
        customise: Option<Arc<BallistaConfigGrpcEndpoint>>,
    ) -> Result<PooledClient> {
        let place = (host.to_owned(), port, config.clone());
        let client = match self.fresh(|idle| idle.get_mut(&place).and_then(Vec::pop)) {
            Some((_, client)) => client,
            None => connect(host, port, config, customise).await?,
        };
        let idle = self.clone();
        let back = move |client| idle.fresh(|idle| idle.entry(place).or_default().push((Instant::now(), client)));
        Ok(PooledClient::new(client, Box::new(back)))
    }

    async fn evict_idle(&self) {
        self.fresh(|_| ());
    }
}

async fn connect(
    host: &str,
    port: u16,
    config: &GrpcClientConfig,
    customise: Option<Arc<BallistaConfigGrpcEndpoint>>,
) -> Result<BallistaClient> {
    let (size, tls) = (config.max_message_size, config.use_tls);
    let (retries, wait) = (config.io_retries_times, config.io_retry_wait_time_ms);
    let (connection, stream) = (config.initial_connection_window_size, config.initial_stream_window_size);
    BallistaClient::try_new(host, port, size, tls, customise, retries, wait, connection, stream).await
}
