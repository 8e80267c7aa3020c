//! Why a scheduler's door stays shut.
//!
//! A connection that comes to nothing does not say why. So one is made by hand: each side shows its certificate, and
//! one byte of an answer says that we are in. What the libraries say is put into our own words.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use equanym_engine::error::{Error, Result};
use rustls::{ClientConnection, StreamOwned};

use super::Door;
use super::identity::{Identity, server_name, why};

/// How long each step may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How a caller begins to speak HTTP/2, with nothing to settle.
const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

impl Door {
    /// What stands between us and the scheduler at this place, if that can be told.
    pub(crate) async fn knock(&self, host: &str, port: u16) -> Option<Error> {
        let (door, host) = (self.clone(), host.to_owned());
        tokio::task::spawn_blocking(move || door.shut(&host, port)).await.ok()?
    }

    fn shut(&self, host: &str, port: u16) -> Option<Error> {
        let (identity, name) = self.towards(host).ok()?;
        let error = greet(identity, name, (host, port)).ok()?.err()?;
        let error = error.get_ref()?.downcast_ref::<rustls::Error>()?;
        let place = format!("the scheduler at https://{host}:{port}");
        match self {
            Self::Certificates(_) => refused(error, &place, host),
            Self::Secret(..) => Some(unknown_secret(&place)),
        }
    }
}

/// A scheduler that does not know our secret.
pub(crate) fn unknown_secret(place: &str) -> Error {
    Error::input(format!("{place} does not know the secret in --secret"))
        .hint("name the file that it was started with; one with certificates wants --cert, --key and --ca")
}

fn refused(error: &rustls::Error, place: &str, host: &str) -> Option<Error> {
    Some(match error {
        rustls::Error::InvalidCertificate(_) => {
            Error::input(format!("{place}: its certificate {}", why(error, host)))
                .hint("nothing was told to it; --ca names the authority of the cluster, and the address a name that the certificate holds")
        }
        rustls::Error::AlertReceived(_) => Error::input(format!("{place} refuses the certificate in --cert"))
            .hint("it lets in certificates of the authority that it was started with (its --ca)"),
        rustls::Error::InvalidMessage(_) => Error::input(format!("{place} does not answer with TLS"))
            .hint("it was started without certificates, or something else listens there"),
        _ => return None,
    })
}

/// The outer result is about this machine, the inner one about the other.
fn greet(identity: &Identity, name: &str, (host, port): (&str, u16)) -> Result<io::Result<()>> {
    let unfit = || Error::environment("a connection within the cluster cannot be set up");
    let config = identity.client_config().ok_or_else(unfit)?;
    let connection = ClientConnection::new(Arc::new(config), server_name(name)?).map_err(|_| unfit())?;
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    let place = (plain, port).to_socket_addrs().ok().and_then(|mut places| places.next()).ok_or_else(unfit)?;
    Ok(TcpStream::connect_timeout(&place, LIMIT).and_then(|socket| {
        socket.set_read_timeout(Some(LIMIT))?;
        socket.set_write_timeout(Some(LIMIT))?;
        let mut stream = StreamOwned::new(connection, socket);
        stream.write_all(GREETING)?;
        stream.read_exact(&mut [0])
    }))
}
