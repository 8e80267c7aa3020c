//! The secret that the processes of one machine share.
//!
//! 32 bytes of the system's generator, as hexadecimal digits in a file that only its owner may read. Scheduler and
//! executors make the file if it is not there; it appears as a whole. Calls carry it as their user agent: that is the
//! one word of every call that Ballista 55.0 lets others choose, executors' calls to the scheduler and to each other
//! included. It is compared in a time that tells nothing, and never shown.
//!
//! It must not be told to whoever took a port first. So who listens proves to know it before anything is said: the
//! secret is also the key of an authority that exists on this machine alone, and who listens shows a certificate of it.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use equanym_engine::error::{Error, Result};
use equanym_engine::machine::private_file::{self, shown};
use equanym_engine::words::hex;
use rcgen::KeyPair;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::identity::Identity;
use super::issue::{Authority, CertificateOrder, HERE, Use};

/// Digits of a secret.
const DIGITS: usize = 64;
/// What is said before the secret where a key is made of it, so that the key is not the secret.
const KEY: &[u8] = b"equanym: the authority of one machine\n";
/// How a private key of Ed25519 is written down, up to its 32 bytes (RFC 8410).
const ED25519: &[u8] = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
/// For how long a process shows the same certificate.
const GOOD: Duration = Duration::from_hours(10 * 365 * 24);

/// A secret.
#[derive(Clone)]
pub(crate) struct Secret(Arc<str>);

impl Secret {
    /// The secret of a file, which is made if there is none.
    pub(super) fn make(path: &Path) -> Result<Self> {
        if !path.exists() {
            let mut bytes = [0; DIGITS / 2];
            getrandom::fill(&mut bytes).map_err(|_| Error::environment("the system gives no random numbers"))?;
            write(path, &hex(&bytes))?;
        }
        Self::read(path)
    }

    /// The secret of a file that may come a little later.
    pub(super) fn wait_for(path: &Path, patience: Duration) -> Result<Self> {
        let start = Instant::now();
        while !path.exists() && start.elapsed() < patience {
            sleep(Duration::from_millis(100));
        }
        Self::read(path)
    }

    fn read(path: &Path) -> Result<Self> {
        let bytes = private_file::read_private(path)
            .map_err(|error| if error.hint.is_some() { error } else { error.hint(WHICH) })?;
        let digits = std::str::from_utf8(&bytes).map_or("", str::trim_end);
        if digits.len() != DIGITS || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Error::input(format!("{}: holds no secret of a cluster", shown(path))).hint(WHICH));
        }
        Ok(Self(digits.into()))
    }

    /// Who listens on this machine, and who of it is believed.
    pub(super) fn identity(&self) -> Result<Identity> {
        let failed = || Error::environment("the certificates of this machine cannot be made");
        let seed = Sha256::new().chain_update(KEY).chain_update(self.0.as_bytes()).finalize();
        let key = KeyPair::try_from([ED25519, &seed[..]].concat()).map_err(|_| failed())?;
        let authority = Authority::from_key(key)?;
        let hosts = HERE.map(str::to_owned).to_vec();
        let wanted =
            CertificateOrder { name: "of this machine".to_owned(), hosts, uses: vec![Use::ServerAuth], good: GOOD };
        let ((cert, key), (ca, _)) = (authority.sign(&wanted)?, authority.own()?);
        Identity::from_pem([cert, key, ca].map(String::into_bytes), ["", "", ""].map(str::to_owned))
    }

    /// The secret as calls carry it.
    #[must_use]
    pub(super) fn word(&self) -> &str {
        &self.0
    }

    /// Whether a caller's user agent begins with the secret.
    #[must_use]
    pub(super) fn is_in(&self, agent: &[u8]) -> bool {
        agent.get(..DIGITS).is_some_and(|word| bool::from(word.ct_eq(self.0.as_bytes())))
    }
}

const WHICH: &str = "name a file that `equanym cluster scheduler --secret FILE` may make, the same for all";

/// The file appears as a whole; if somebody else was first, theirs stays.
fn write(path: &Path, digits: &str) -> Result<()> {
    let failed = |error: std::io::Error| Error::environment(format!("{}: {}", shown(path), error.kind())).hint(WHICH);
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Its mode is 0600 from the beginning.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    writeln!(file, "{digits}").map_err(failed)?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != std::io::ErrorKind::AlreadyExists => Err(failed(error.error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_made_once_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let (one, other) = (Secret::make(&path).unwrap(), Secret::make(&path).unwrap());
        assert!(one.is_in(format!("{} tonic/1", other.word()).as_bytes()));
        assert_ne!(one.word(), Secret::make(&folder.path().join("second")).unwrap().word());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn who_listens_proves_to_know_the_secret() {
        let folder = tempfile::tempdir().unwrap();
        let secret = |name: &str| Secret::make(&folder.path().join(name)).unwrap();
        let [one, same, other] = ["one", "one", "other"].map(|name| secret(name).identity().unwrap());
        let shown_to =
            |shown: &Identity, caller: &Identity| shown.seen_by(caller).unwrap().check_serving("127.0.0.1").is_ok();
        assert!(shown_to(&one, &same) && shown_to(&same, &one) && !shown_to(&one, &other));
    }

    #[test]
    fn other_words_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let secret = Secret::make(&folder.path().join("secret")).unwrap();
        let mut near = secret.word().to_owned();
        near.replace_range(63.., if near.ends_with('0') { "1" } else { "0" });
        for other in ["", "tonic/1", &near, &secret.word()[1..], &format!(" {}", secret.word())] {
            assert!(!secret.is_in(other.as_bytes()));
        }
    }

    #[test]
    fn what_is_no_secret_is_refused_and_not_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        super::super::write_new(&path, b"hush", true).unwrap();
        let error = Secret::make(&path).err().unwrap();
        assert!(error.exit_code() == 2 && !error.to_string().contains("hush"), "{error}");
        assert!(Secret::wait_for(&folder.path().join("none"), Duration::ZERO).is_err());
    }
}
