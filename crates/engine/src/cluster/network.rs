//! Addresses: where a scheduler is, and where one may listen.

use std::net::IpAddr;

use crate::error::{Error, Result};

/// The port of a scheduler where none is given.
pub const PORT: u16 = 50050;

/// Where a scheduler is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduler {
    /// Its name or number.
    pub host: String,
    /// Its port.
    pub port: u16,
}

impl Scheduler {
    /// Reads `http://host:port`, `host:port` or `host`.
    pub fn parse(text: &str) -> Result<Self> {
        let unfit = || {
            Error::input("the address of the scheduler is not understood")
                .hint(format!("write it so: http://127.0.0.1:{PORT}"))
        };
        let rest = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
        if rest.contains("://") {
            return Err(unfit());
        }
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !host.ends_with(':') => (host, port.parse().map_err(|_| unfit())?),
            _ => (rest, PORT),
        };
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte);
        if host.is_empty() || !host.bytes().all(is_name) {
            return Err(unfit());
        }
        Ok(Self { host: host.to_owned(), port })
    }

    /// The address as Ballista wants it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}:{}", self.host, self.port)
    }
}

/// Refuses to listen for other machines unless that is wanted: nothing here asks who is there, and nothing is encrypted.
pub(crate) fn check_bind(bind: IpAddr, insecure: bool) -> Result<()> {
    if bind.is_loopback() || insecure {
        return Ok(());
    }
    Err(Error::input(format!("{bind} can be reached from other machines, without a password and without encryption")).hint(
        "bind to 127.0.0.1 and connect machines by a tunnel, or say --insecure-network in a network that only you can reach",
    ))
}

/// How others call what listens here.
pub(crate) fn called(bind: IpAddr, host: Option<&str>) -> Result<String> {
    match host {
        Some(host) => Ok(host.to_owned()),
        None if bind.is_unspecified() => {
            Err(Error::input(format!("{bind} says where to listen, not how others call it"))
                .hint("name this machine as the others know it, with --host"))
        }
        None => Ok(in_address(bind)),
    }
}

/// A number as it stands in an address.
#[must_use]
pub(crate) fn in_address(bind: IpAddr) -> String {
    match bind {
        IpAddr::V4(bind) => bind.to_string(),
        IpAddr::V6(bind) => format!("[{bind}]"),
    }
}

/// The error where a port cannot be had.
#[must_use]
pub(crate) fn unbound(bind: IpAddr, port: u16, error: &std::io::Error) -> Error {
    Error::environment(format!("cannot listen at {}:{port}: {}", in_address(bind), error.kind()))
        .hint("choose another port; 0 takes any that is free")
}

/// Waits for Ctrl-C or for being told to end.
pub(crate) async fn signal() {
    #[cfg(unix)]
    if let Ok(mut told) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = told.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let check = |text: &str, expected: Option<(&str, u16)>| {
            let found = Scheduler::parse(text).ok();
            assert_eq!(found.as_ref().map(|one| (one.host.as_str(), one.port)), expected, "{text}");
        };
        check("http://127.0.0.1:7", Some(("127.0.0.1", 7)));
        check("localhost", Some(("localhost", PORT)));
        check("[::1]:9/", Some(("[::1]", 9)));
        for unfit in ["", "https://a:1", "a:b", "a:99999", "a b:1", "http://", "a/b:1"] {
            check(unfit, None);
        }
    }

    #[test]
    fn other_machines_are_kept_out_unless_wanted() {
        let check = |text: &str, insecure| check_bind(text.parse().unwrap(), insecure).is_ok();
        assert!(check("127.0.0.1", false) && check("::1", false) && check("0.0.0.0", true));
        assert!(!check("0.0.0.0", false) && !check("192.168.1.7", false) && !check("::", false));
    }
}
