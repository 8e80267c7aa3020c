//! Calls through a door, ours and those that Ballista makes.
//!
//! Ballista lets others change an endpoint before it connects, for what executors call and for what fetches results. An
//! endpoint is made anew there: Ballista writes `http://` into some, and tonic does not encrypt what begins so. A secret
//! is said to this machine alone.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::extension::EndpointOverrideFn;
use equanym_engine::error::{Error, Result};
use tonic::transport::{Endpoint, Uri};

use super::identity::Identity;
use super::{Door, is_here, other_machines};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);
/// How often a silent connection is asked whether it lives, and how long it may be silent then.
const ALIVE: Duration = Duration::from_mins(5);
const SILENT: Duration = Duration::from_secs(20);
/// How much may be on its way, as Ballista has it.
const STREAM: u32 = 16 << 20;
const CONNECTION: u32 = 64 << 20;

impl Door {
    /// A way to a process of the cluster.
    pub(crate) fn endpoint(&self, host: &str, port: u16) -> Result<Endpoint> {
        let unfit = || Error::environment("a connection within the cluster cannot be set up");
        let endpoint = Endpoint::from_shared(format!("https://{host}:{port}")).map_err(|_| unfit())?;
        let (identity, name) = self.towards(host)?;
        let endpoint = endpoint.tls_config(identity.of_caller(name).timeout(CONNECT)).map_err(|_| unfit())?;
        let endpoint = match self {
            Self::Certificates(_) => endpoint,
            Self::Secret(secret, _) => endpoint.user_agent(secret.word()).map_err(|_| unfit())?,
        };
        Ok(endpoint
            .connect_timeout(CONNECT)
            .tcp_nodelay(true)
            .tcp_keepalive(Some(ALIVE))
            .http2_keep_alive_interval(ALIVE)
            .keep_alive_timeout(SILENT)
            .keep_alive_while_idle(true)
            .initial_stream_window_size(STREAM)
            .initial_connection_window_size(CONNECTION))
    }

    /// Whom we believe when we call a host, and the name that its certificate must hold.
    pub(super) fn towards<'h>(&self, host: &'h str) -> Result<(&Arc<Identity>, &'h str)> {
        match self {
            Self::Certificates(identity) => Ok((identity, host)),
            Self::Secret(_, identity) if is_here(host) => Ok((identity, "localhost")),
            Self::Secret(..) => Err(other_machines(host)),
        }
    }

    /// The same for Ballista; `answer` is how long the beginning of an answer may take.
    pub(crate) fn of_ballista(&self, answer: Option<Duration>) -> EndpointOverrideFn {
        let door = self.clone();
        Arc::new(move |endpoint| {
            let (host, port) = place(endpoint.uri()).ok_or("no address")?;
            let endpoint = door.endpoint(&host, port).map_err(|error| error.message)?;
            Ok(answer.into_iter().fold(endpoint, Endpoint::timeout))
        })
    }
}

fn place(uri: &Uri) -> Option<(String, u16)> {
    Some((uri.host()?.to_owned(), uri.port_u16()?))
}

/// For a process that calls nobody: the scheduler, whose executors ask for work.
pub(crate) fn nobody() -> EndpointOverrideFn {
    Arc::new(|_| Err("a scheduler calls nobody".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::DoorKeys;

    #[test]
    fn a_secret_never_leaves_this_machine() {
        let folder = tempfile::tempdir().unwrap();
        let keys = DoorKeys { secret: Some(folder.path().join("secret")), ..DoorKeys::default() };
        let door = Door::of_member(&keys).unwrap();
        assert!(door.endpoint("127.0.0.1", 7).is_ok() && door.endpoint("[::1]", 7).is_ok());
        for elsewhere in ["192.0.2.7", "example.org", "localhost.example.org", "[2001:db8::1]"] {
            assert!(door.endpoint(elsewhere, 7).is_err(), "{elsewhere}");
            let endpoint = Endpoint::from_shared(format!("http://{elsewhere}:7")).unwrap();
            assert!(door.of_ballista(None)(endpoint).is_err(), "{elsewhere}");
        }
    }
}
