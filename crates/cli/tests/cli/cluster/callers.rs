//! Callers of a port, as anybody could write them: plain, with a secret, with a certificate or without one.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, ConfigBuilder, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    StreamOwned, WantsVerifier,
};

use super::processes::program;

/// What a caller has to show.
#[derive(Clone)]
pub enum Caller {
    /// Nothing, without TLS.
    Plain,
    /// TLS that believes whoever answers, and a word in the place of the secret.
    Word(String),
    /// TLS, and the certificate of this name in a folder; none shows none.
    Tls(PathBuf, Option<&'static str>),
}

/// The keys of a cluster, in a folder of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    Secret,
    Certificates,
}

impl Guard {
    /// The flags of the process of this name.
    pub fn flags(self, keys: &Path, name: &str) -> Vec<String> {
        let file = |name: String| keys.join(name).to_str().unwrap().to_owned();
        let flag = |flag: &str, name: String| vec![flag.to_owned(), file(name)];
        match self {
            Self::Secret => flag("--secret", "secret".to_owned()),
            Self::Certificates => [
                flag("--cert", format!("{name}.pem")),
                flag("--key", format!("{name}.key")),
                flag("--ca", "ca.pem".to_owned()),
            ]
            .concat(),
        }
    }

    /// A caller that may come in.
    pub fn friend(self, keys: &Path) -> Caller {
        match self {
            Self::Secret => Caller::Word(std::fs::read_to_string(keys.join("secret")).unwrap().trim().to_owned()),
            Self::Certificates => Caller::Tls(keys.to_owned(), Some("client")),
        }
    }
}

/// An authority with certificates for this machine.
pub fn certificates() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let output = program(&["cluster", "certificates", folder.path().to_str().unwrap()]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    folder
}

impl Caller {
    /// All that comes back for a request; what ends badly ends.
    pub fn ask(&self, place: &str, request: &str) -> String {
        let agent = match self {
            Self::Word(word) => format!("User-Agent: {word}\r\n"),
            _ => String::new(),
        };
        let words = format!("{request} HTTP/1.0\r\nHost: {place}\r\n{agent}\r\n");
        let mut socket = TcpStream::connect(place).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut answer = Vec::new();
        let config = match self {
            Self::Plain => {
                socket.write_all(words.as_bytes()).unwrap();
                let _ = socket.read_to_end(&mut answer);
                return String::from_utf8_lossy(&answer).into_owned();
            }
            Self::Word(_) => believing(),
            Self::Tls(keys, name) => config(keys, *name),
        };
        let host = ServerName::try_from("127.0.0.1").unwrap();
        let mut stream = StreamOwned::new(ClientConnection::new(Arc::new(config), host).unwrap(), socket);
        let _ = stream.write_all(words.as_bytes());
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }
}

fn builder() -> ConfigBuilder<ClientConfig, WantsVerifier> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap()
}

fn config(keys: &Path, name: Option<&str>) -> ClientConfig {
    let open = |file: String| BufReader::new(File::open(keys.join(file)).unwrap());
    let certificates = |file: String| CertificateDer::pem_reader_iter(open(file)).map(Result::unwrap);
    let mut roots = RootCertStore::empty();
    certificates("ca.pem".to_owned()).for_each(|root| roots.add(root).unwrap());
    let config = builder().with_root_certificates(roots);
    match name {
        None => config.with_no_client_auth(),
        Some(name) => {
            let key = PrivateKeyDer::from_pem_reader(open(format!("{name}.key"))).unwrap();
            config.with_client_auth_cert(certificates(format!("{name}.pem")).collect(), key).unwrap()
        }
    }
}

/// Believes whoever answers: a stranger has nothing to lose.
#[derive(Debug)]
struct TrustingVerifier;

fn believing() -> ClientConfig {
    builder().dangerous().with_custom_certificate_verifier(Arc::new(TrustingVerifier)).with_no_client_auth()
}

impl ServerCertVerifier for TrustingVerifier {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        rustls::crypto::ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}
