//! Addresses: where a scheduler is, and where one may listen.

use std::net::{IpAddr, SocketAddr, TcpListener};

use equanym_engine::error::{Error, Result};

/// The port of a scheduler where none is given.
pub const PORT: u16 = 50050;

/// The largest message: plans hold the values of recoded columns.
pub(crate) const MESSAGE: usize = 1 << 30;

/// Where a scheduler is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scheduler {
    /// Its name or number.
    pub(crate) host: String,
    /// Its port.
    pub(crate) port: u16,
}

impl Scheduler {
    /// Reads `https://host:port`, `http://host:port`, `host:port` or `host`: all is encrypted, however it is written.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let unfit = || {
            Error::input("the address of the scheduler is not understood")
                .hint(format!("write it so: https://127.0.0.1:{PORT}"))
        };
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or(text);
        let rest = rest.trim_end_matches('/');
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

    /// The whole address.
    #[must_use]
    pub(crate) fn url(&self) -> String {
        format!("https://{}:{}", self.host, self.port)
    }
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

/// Takes a port; 0 takes any that is free.
pub(crate) fn listen(bind: IpAddr, port: u16) -> Result<(SocketAddr, TcpListener)> {
    let bound = TcpListener::bind((bind, port)).and_then(|listener| Ok((listener.local_addr()?, listener)));
    bound.map_err(|error| {
        Error::environment(format!("cannot listen at {}:{port}: {}", in_address(bind), error.kind()))
            .hint("choose another port; 0 takes any that is free")
    })
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
        for unfit in ["", "ftp://a:1", "http://https://a:1", "a:b", "a:99999", "a b:1", "http://", "a/b:1"] {
            check(unfit, None);
        }
        assert_eq!(Scheduler::parse("http://a:1").unwrap().url(), "https://a:1");
    }
}
