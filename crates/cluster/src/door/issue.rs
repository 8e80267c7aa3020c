//! An authority and the certificates that it signs.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use equanym_engine::error::{Error, Result};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};

pub(crate) use rcgen::ExtendedKeyUsagePurpose as Use;

/// How a machine calls itself.
pub(crate) const HERE: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
/// How long an authority is good.
const AUTHORITY: Duration = Duration::from_hours(10 * 365 * 24);
/// Clocks differ.
const BEFORE: Duration = Duration::from_hours(24);

/// A certificate to be made.
pub(crate) struct CertificateOrder {
    /// Whose it is.
    pub(crate) name: String,
    /// How others call that process.
    pub(crate) hosts: Vec<String>,
    /// Whether it listens, calls, or both.
    pub(crate) uses: Vec<Use>,
    /// For how long it is good.
    pub(crate) good: Duration,
}

/// A certificate, or a key, in PEM.
type Pem = String;

/// Whoever signs certificates. It is its key: its name is always the same.
pub(crate) struct Authority {
    params: CertificateParams,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// The authority of a key.
    pub(crate) fn from_key(key: KeyPair) -> Result<Self> {
        let mut params = params("authority", &[], AUTHORITY)?;
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        Ok(Self { issuer: Issuer::new(params.clone(), key), params })
    }

    /// A new one.
    pub(crate) fn new() -> Result<Self> {
        Self::from_key(new_key()?)
    }

    /// Its own certificate and key.
    pub(crate) fn own(&self) -> Result<(Pem, Pem)> {
        let signed = self.params.self_signed(self.issuer.key()).map_err(|_| unmade())?;
        Ok((signed.pem(), self.issuer.key().serialize_pem()))
    }

    /// A certificate with a new key.
    pub(crate) fn sign(&self, wanted: &CertificateOrder) -> Result<(Pem, Pem)> {
        let (key, mut params) = (new_key()?, params(&wanted.name, &wanted.hosts, wanted.good)?);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages.clone_from(&wanted.uses);
        params.use_authority_key_identifier_extension = true;
        let signed = params.signed_by(&key, &self.issuer).map_err(|_| unmade())?;
        Ok((signed.pem(), key.serialize_pem()))
    }
}

fn params(name: &str, hosts: &[String], good: Duration) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(hosts).map_err(|_| unmade())?;
    params.distinguished_name.push(DnType::CommonName, format!("equanym {name}"));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|_| unmade())?;
    let start = rcgen::date_time_ymd(1970, 1, 1);
    params.not_before = start + now.saturating_sub(BEFORE);
    params.not_after = start + now + good;
    Ok(params)
}

fn new_key() -> Result<KeyPair> {
    KeyPair::generate().map_err(|_| Error::environment("the system gives no random numbers"))
}

fn unmade() -> Error {
    Error::environment("a certificate cannot be made")
}
