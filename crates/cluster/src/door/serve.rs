//! What listens behind a door.
//!
//! With certificates a caller without one does not get as far as a request. With a secret, a request without it ends
//! before anything has looked at it.

use std::future::Future;
use std::time::Duration;

use equanym_engine::error::{Error, Result};
use tonic::service::{InterceptorLayer, Routes};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Status};

use super::Door;
use super::identity::provider;

/// How long a caller may take to show its certificate.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How often a silent caller is asked whether it lives.
const ALIVE: Duration = Duration::from_mins(5);

impl Door {
    /// Serves those who are let in, until the future ends.
    pub(crate) async fn serve(
        &self,
        routes: Routes,
        listener: std::net::TcpListener,
        until: impl Future<Output = ()>,
    ) -> Result<()> {
        let failed = || Error::environment("a port of the cluster cannot be served");
        listener.set_nonblocking(true).map_err(|_| failed())?;
        let listener = tokio::net::TcpListener::from_std(listener).map_err(|_| failed())?;
        let server = Server::builder().accept_http1(true).http2_keepalive_interval(Some(ALIVE));
        // Whoever was first, it is the same library.
        let _ = provider().as_ref().clone().install_default();
        let shown = match self {
            Self::Certificates(identity) => identity.of_mutual_listener(),
            Self::Secret(_, identity) => identity.of_listener(),
        };
        let server = server.tls_config(shown.timeout(HANDSHAKE)).map_err(|_| failed())?;
        let door = self.clone();
        let guard = move |request: Request<()>| {
            if door.admits(&request) { Ok(request) } else { Err(Status::unauthenticated("")) }
        };
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        let guarded = server.layer(InterceptorLayer::new(guard)).add_routes(routes);
        guarded.serve_with_incoming_shutdown(incoming, until).await.map_err(|_| failed())
    }

    fn admits(&self, request: &Request<()>) -> bool {
        match self {
            // The connection was proven already.
            Self::Certificates(_) => true,
            Self::Secret(secret, _) => {
                request.metadata().get("user-agent").is_some_and(|agent| secret.is_in(agent.as_bytes()))
            }
        }
    }
}
