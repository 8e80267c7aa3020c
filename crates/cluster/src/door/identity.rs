//! Who we are: a certificate, its key, and the authority whose certificates we let in.
//!
//! All is checked before anything listens or calls: that the key belongs to the certificate, that the certificate is of
//! the authority, in its time, made for what it does here, and for the name by which others call this process. What is
//! wrong is then said here, where it can be mended, and not as a connection that others refuse. No message repeats what a
//! library says.

use std::path::Path;
use std::sync::Arc;

use equanym_engine::error::{Error, Result};
use equanym_engine::machine::private_file::{self, shown};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::sign::CertifiedKey;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tonic::transport::{Certificate, ClientTlsConfig, ServerTlsConfig};

/// A certificate with its key, and an authority.
pub(crate) struct Identity {
    cert: Vec<u8>,
    key: Vec<u8>,
    ca: Vec<u8>,
    chain: Vec<CertificateDer<'static>>,
    roots: Arc<RootCertStore>,
    /// The certificate's file as messages show it.
    name: String,
}

const MADE_BY: &str = "`equanym cluster certificates` makes certificates that fit together";

impl Identity {
    /// Reads three files in PEM.
    pub(super) fn load(cert: &Path, key: &Path, ca: &Path) -> Result<Self> {
        let pem = [private_file::read(cert)?, private_file::read_private(key)?, private_file::read(ca)?];
        Self::from_pem(pem, [cert, key, ca].map(shown))
    }

    /// Certificate, key and authority in PEM, and how messages call them.
    pub(super) fn from_pem([cert, key, ca]: [Vec<u8>; 3], [name, key_name, ca_name]: [String; 3]) -> Result<Self> {
        let chain = certificates(&cert, &name)?;
        let mut roots = RootCertStore::empty();
        for root in certificates(&ca, &ca_name)? {
            roots.add(root).map_err(|_| no_pem(&ca_name, "certificate of an authority"))?;
        }
        let secret = PrivateKeyDer::from_pem_slice(&key).map_err(|_| no_pem(&key_name, "private key"))?;
        CertifiedKey::from_der(chain.clone(), secret, &provider())
            .map_err(|_| Error::input(format!("{key_name}: this is not the key of {name}")).hint(MADE_BY))?;
        Ok(Self { cert, key, ca, chain, roots: Arc::new(roots), name })
    }

    /// Whether others will let us in.
    pub(super) fn check_calling(&self) -> Result<()> {
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::clone(&self.roots), provider()).build();
        let (Ok(verifier), Some((own, others))) = (verifier, self.chain.split_first()) else {
            return Err(self.unfit("does not fit the authority in --ca"));
        };
        let checked = verifier.verify_client_cert(own, others, UnixTime::now());
        checked.map(|_| ()).map_err(|error| self.unfit(&why(&error, "a caller")))
    }

    /// Whether others will believe that we are this host.
    pub(super) fn check_serving(&self, host: &str) -> Result<()> {
        let name = server_name(host)?;
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::clone(&self.roots), provider()).build();
        let (Ok(verifier), Some((own, others))) = (verifier, self.chain.split_first()) else {
            return Err(self.unfit("does not fit the authority in --ca"));
        };
        let checked = verifier.verify_server_cert(own, others, &name, &[], UnixTime::now());
        checked.map(|_| ()).map_err(|error| self.unfit(&why(&error, host)))
    }

    fn unfit(&self, why: &str) -> Error {
        Error::input(format!("{}: this certificate {why}", self.name))
            .hint(format!("{MADE_BY}; --host says how others call this machine"))
    }

    /// What listens shows its own.
    pub(super) fn of_listener(&self) -> ServerTlsConfig {
        ServerTlsConfig::new().identity(self.pair())
    }

    /// What listens shows its own, and asks every caller for one.
    pub(super) fn of_mutual_listener(&self) -> ServerTlsConfig {
        self.of_listener().client_ca_root(Certificate::from_pem(&self.ca))
    }

    /// What calls shows its own, and wants one for this host.
    pub(super) fn of_caller(&self, host: &str) -> ClientTlsConfig {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let ca = Certificate::from_pem(&self.ca);
        ClientTlsConfig::new().domain_name(host).ca_certificate(ca).identity(self.pair())
    }

    fn pair(&self) -> tonic::transport::Identity {
        tonic::transport::Identity::from_pem(&self.cert, &self.key)
    }

    /// The same for a connection of our own.
    pub(super) fn client_config(&self) -> Option<ClientConfig> {
        let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().ok()?;
        let key = PrivateKeyDer::from_pem_slice(&self.key).ok()?;
        config.with_root_certificates(Arc::clone(&self.roots)).with_client_auth_cert(self.chain.clone(), key).ok()
    }
}

/// The one library of ciphers that this program has.
pub(super) fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

fn certificates(pem: &[u8], name: &str) -> Result<Vec<CertificateDer<'static>>> {
    let read = CertificateDer::pem_slice_iter(pem).collect::<std::result::Result<Vec<_>, _>>();
    read.ok().filter(|read| !read.is_empty()).ok_or_else(|| no_pem(name, "certificate"))
}

fn no_pem(name: &str, what: &str) -> Error {
    Error::input(format!("{name}: holds no {what} in PEM")).hint(MADE_BY)
}

/// A host as certificates name it.
pub(super) fn server_name(host: &str) -> Result<ServerName<'static>> {
    let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    ServerName::try_from(host).map_err(|_| Error::input("the host is neither a name nor a number of a machine"))
}

/// What is wrong with a certificate, in our own words.
pub(super) fn why(error: &rustls::Error, host: &str) -> String {
    use CertificateError as Unfit;
    let rustls::Error::InvalidCertificate(unfit) = error else { return "cannot be used".to_owned() };
    match unfit {
        Unfit::Expired | Unfit::ExpiredContext { .. } => "has expired".to_owned(),
        Unfit::NotValidYet | Unfit::NotValidYetContext { .. } => "is not valid yet; look at the clocks".to_owned(),
        Unfit::NotValidForName | Unfit::NotValidForNameContext { .. } => format!("is not for {host}"),
        Unfit::InvalidPurpose | Unfit::InvalidPurposeContext { .. } => "was made for another use".to_owned(),
        Unfit::UnknownIssuer | Unfit::BadSignature => "is not of the authority in --ca".to_owned(),
        _ => "cannot be used".to_owned(),
    }
}

#[cfg(test)]
impl Identity {
    /// This one as somebody sees it who trusts another authority.
    pub(super) fn seen_by(&self, other: &Self) -> Result<Self> {
        let pem = [&self.cert, &self.key, &other.ca].map(Clone::clone);
        Self::from_pem(pem, ["", "", ""].map(str::to_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authority::{CertificateSettings, make};

    /// The process of this name, with certificates of a new authority.
    fn identity(folder: &Path, name: &str) -> Identity {
        let [cert, key] = ["pem", "key"].map(|end| folder.join(format!("{name}.{end}")));
        Identity::load(&cert, &key, &folder.join("ca.pem")).unwrap()
    }

    #[test]
    fn a_certificate_is_for_what_it_was_made_for() {
        let folder = tempfile::tempdir().unwrap();
        let (hosts, executors) = (vec!["node1".to_owned(), "::1".to_owned()], vec!["10.0.0.7".to_owned()]);
        make(&CertificateSettings { folder: folder.path().to_owned(), hosts, executors, days: 1 }).unwrap();
        let [scheduler, client, executor] =
            ["scheduler", "client", "executor-10.0.0.7"].map(|name| identity(folder.path(), name));
        assert!(scheduler.check_serving("node1").is_ok() && scheduler.check_serving("[::1]").is_ok());
        assert!(scheduler.check_serving("node2").is_err() && scheduler.check_calling().is_err());
        assert!(client.check_calling().is_ok() && client.check_serving("node1").is_err());
        assert!(executor.check_serving("10.0.0.7").is_ok() && executor.check_calling().is_ok());
    }

    #[test]
    fn what_is_wrong_is_told_in_our_own_words() {
        let check = |unfit, words| assert_eq!(why(&rustls::Error::InvalidCertificate(unfit), "node1"), words);
        check(CertificateError::Expired, "has expired");
        check(CertificateError::NotValidForName, "is not for node1");
        check(CertificateError::UnknownIssuer, "is not of the authority in --ca");
        check(CertificateError::BadEncoding, "cannot be used");
    }
}
