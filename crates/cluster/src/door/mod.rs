//! The door of a cluster: who may call, and who is called.
//!
//! Every port of a cluster is behind one: that of the scheduler, with its pages of status, and that of each executor.
//! There are two kinds, and all is encrypted behind both. With certificates, both sides of every connection show one of
//! the same authority (`identity`). Without, only this machine is served. Its other users can connect, so every call
//! carries a secret that stands in a file which only its owner may read, after who listens has shown to know it
//! (`secret`).
//!
//! | File | Idea |
//! |---|---|
//! | `identity` | certificate, key and authority, checked before anything listens |
//! | `secret` | the secret, how it is made, read and compared |
//! | `issue` | an authority and the certificates that it signs |
//! | `calls` | calls through a door, also those that Ballista makes |
//! | `knock` | why a door stays shut |
//! | `serve` | what listens behind a door |
//!
//! Limit: whoever has a certificate of the authority, or the secret, is trusted with all that the cluster can do.

mod calls;
mod identity;
pub(super) mod issue;
mod knock;
mod secret;
mod serve;

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use equanym_engine::error::{Error, Result};
use equanym_engine::machine::private_file::{self, shown};

use self::identity::Identity;
use self::issue::{Authority, CertificateOrder, Use};
use self::secret::Secret;
use crate::access::DoorKeys;

pub(super) use self::calls::nobody;
pub(super) use self::knock::unknown_secret;
pub(super) use equanym_engine::machine::private_file::{read_private, write_new};

/// How the ports of a cluster are guarded.
#[derive(Clone)]
pub(crate) enum Door {
    /// Mutual TLS.
    Certificates(Arc<Identity>),
    /// This machine alone, and a secret in every call.
    Secret(Secret, Arc<Identity>),
}

impl Door {
    /// The door of a process that belongs to the cluster: the first of them makes the secret.
    pub(crate) fn of_member(keys: &DoorKeys) -> Result<Self> {
        Self::open(keys, Secret::make)
    }

    /// The door of a process that calls the cluster; the secret may come a little later.
    pub(crate) fn of_caller(keys: &DoorKeys, patience: Duration) -> Result<Self> {
        Self::open(keys, |path| Secret::wait_for(path, patience))
    }

    fn open(keys: &DoorKeys, secret: impl FnOnce(&Path) -> Result<Secret>) -> Result<Self> {
        match (&keys.cert, &keys.key, &keys.ca, &keys.secret) {
            (Some(cert), Some(key), Some(ca), None) => {
                Ok(Self::Certificates(Arc::new(Identity::load(cert, key, ca)?)))
            }
            (None, None, None, Some(path)) => {
                let secret = secret(path)?;
                let identity = Arc::new(secret.identity()?);
                Ok(Self::Secret(secret, identity))
            }
            (None, None, None, None) => Err(Error::input("a cluster lets nobody in who shows nothing").hint(
                "on one machine: --secret FILE, the same for all; else: --cert, --key and --ca (`equanym cluster certificates` makes them)",
            )),
            (.., None) => Err(Error::input("--cert, --key and --ca go together").hint("give all three")),
            (.., Some(_)) => Err(Error::input("there are certificates, or there is a secret, not both")
                .hint("leave out --secret, or --cert, --key and --ca")),
        }
    }

    /// Whether one may listen at this address of this machine and be called so.
    pub(crate) fn check_listening(&self, bind: IpAddr, host: &str) -> Result<()> {
        match self {
            Self::Certificates(identity) => identity.check_serving(host),
            Self::Secret(..) if bind.is_loopback() && is_here(host) => Ok(()),
            Self::Secret(..) => Err(other_machines(&format!("{bind} (as {host})"))),
        }
    }

    /// Whether one may call others.
    pub(crate) fn check_calling(&self) -> Result<()> {
        match self {
            Self::Certificates(identity) => identity.check_calling(),
            Self::Secret(..) => Ok(()),
        }
    }
}

/// Whether what an authority signs is believed by those who trust this file.
pub(super) fn check_authority(authority: &Authority, ca: &Path) -> Result<()> {
    let wanted =
        CertificateOrder { name: "trial".to_owned(), hosts: Vec::new(), uses: vec![Use::ClientAuth], good: TRIAL };
    let (cert, key) = authority.sign(&wanted)?;
    let identity =
        Identity::from_pem([cert.into(), key.into(), private_file::read(ca)?], ["", "", ""].map(|_| shown(ca)))?;
    identity.check_calling().map_err(|_| {
        Error::input(format!("{}: the key beside it is another's, or it was made elsewhere", shown(ca)))
            .hint("ask whoever made it for certificates, or name another folder")
    })
}

const TRIAL: Duration = Duration::from_hours(1);

/// Whether a host is this machine.
#[must_use]
pub(crate) fn is_here(host: &str) -> bool {
    let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || number.is_ok_and(|number| number.is_loopback())
}

/// Without certificates nothing leaves this machine.
fn other_machines(place: &str) -> Error {
    Error::input(format!("{place}: between machines a cluster needs certificates"))
        .hint("give --cert, --key and --ca (`equanym cluster certificates` makes them), or stay at 127.0.0.1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_certificates_only_this_machine_is_served() {
        let folder = tempfile::tempdir().unwrap();
        let keys = DoorKeys { secret: Some(folder.path().join("secret")), ..DoorKeys::default() };
        let door = Door::of_member(&keys).unwrap();
        let check = |bind: &str, host: &str| door.check_listening(bind.parse().unwrap(), host).is_ok();
        assert!(check("127.0.0.1", "127.0.0.1") && check("::1", "[::1]") && check("127.0.0.1", "localhost"));
        assert!(!check("0.0.0.0", "127.0.0.1") && !check("192.168.1.7", "192.168.1.7") && !check("127.0.0.1", "here"));
    }

    #[test]
    fn half_a_key_opens_nothing() {
        let (file, cert) = (Some("f".into()), Some("c".into()));
        let keys = [
            DoorKeys::default(),
            DoorKeys { cert: cert.clone(), ..DoorKeys::default() },
            DoorKeys { cert: cert.clone(), key: file.clone(), ..DoorKeys::default() },
            DoorKeys { cert: cert.clone(), key: file.clone(), ca: file.clone(), secret: file.clone() },
            DoorKeys { cert, secret: file, ..DoorKeys::default() },
        ];
        for keys in keys {
            assert_eq!(Door::of_member(&keys).err().map(|error| error.exit_code()), Some(2), "{keys:?}");
        }
    }
}
