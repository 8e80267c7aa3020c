//! The door to PostgreSQL: connections, and failures in our own words.
//!
//! Anything but this machine is reached over TLS with a certificate that the system trusts; `sslmode=disable` in the
//! address says otherwise. `hostaddr` says where a connection goes, whatever `host` is called; both must be this machine. A password may stand in the address or, better, in `PGPASSWORD`. What the server and the
//! library say is never passed on: it may repeat a password, a query or a value. Its error code is.

use std::net::IpAddr;
use std::sync::Arc;

use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{Error, Result};
use crate::read::address::Address;
use crate::read::waiting::wait;

/// Whether an address is that of a server.
pub(crate) fn is_server(address: &Address) -> bool {
    matches!(address.scheme(), "postgres" | "postgresql")
}

/// Connects; what stands after `?` in the address and is not the server's must have been taken out before.
pub(crate) fn connect(address: &Address) -> Result<Client> {
    let config = config(address)?;
    let name = address.shown();
    wait(async {
        let lost = |error| failed(&name, "the server cannot be reached", &error);
        if config.get_ssl_mode() == SslMode::Disable {
            let (client, connection) = config.connect(NoTls).await.map_err(lost)?;
            tokio::spawn(connection);
            return Ok(client);
        }
        let (client, connection) = config.connect(tls(&name)?).await.map_err(lost)?;
        tokio::spawn(connection);
        Ok(client)
    })?
}

fn config(address: &Address) -> Result<Config> {
    let unfit = || {
        Error::input(format!("{}: the address cannot be used", address.shown()))
            .hint("postgres://user@host:port/database?table=name; odd characters are written %41")
    };
    let mut config: Config = address.text().parse().map_err(|_| unfit())?;
    let here = |host: &Host| match host {
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    if !address.says("sslmode") {
        let is_here = config.get_hosts().iter().all(here) && config.get_hostaddrs().iter().all(IpAddr::is_loopback);
        config.ssl_mode(if is_here { SslMode::Disable } else { SslMode::Require });
    }
    if let (None, Ok(password)) = (config.get_password(), std::env::var("PGPASSWORD")) {
        config.password(password);
    }
    config.application_name("equanym");
    config.connect_timeout(std::time::Duration::from_secs(30));
    Ok(config)
}

fn tls(name: &str) -> Result<MakeRustlsConnect> {
    let failed = || Error::environment(format!("{name}: TLS cannot be set up"));
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(MakeRustlsConnect::new(config.map_err(|_| failed())?.with_root_certificates(roots).with_no_client_auth()))
}

/// What can be said of a failure without repeating anybody's words.
pub(crate) fn failed(name: &str, otherwise: &str, error: &tokio_postgres::Error) -> Error {
    let Some(code) = error.code() else {
        return Error::environment(format!("{name}: {otherwise}"));
    };
    let known = [
        (SqlState::INVALID_PASSWORD, "the user or the password is wrong"),
        (SqlState::INVALID_AUTHORIZATION_SPECIFICATION, "the user or the password is wrong"),
        (SqlState::INVALID_CATALOG_NAME, "there is no such database"),
        (SqlState::UNDEFINED_TABLE, "there is no such table"),
        (SqlState::INVALID_SCHEMA_NAME, "there is no such schema"),
        (SqlState::UNDEFINED_COLUMN, "there is no such column"),
        (SqlState::INSUFFICIENT_PRIVILEGE, "permission denied"),
        (SqlState::SYNTAX_ERROR, "the query is no SQL"),
        (SqlState::READ_ONLY_SQL_TRANSACTION, "the query would change data"),
        (SqlState::DISK_FULL, "the server's disk is full"),
    ];
    let words = known.iter().find(|(known, _)| known == code).map_or(otherwise, |(_, words)| words);
    Error::environment(format!("{name}: {words} (SQLSTATE {})", code.code()))
}

/// A name in its quotes, its parts one by one.
pub(crate) fn qualified(name: &str) -> String {
    name.split('.').map(quoted).collect::<Vec<_>>().join(".")
}

/// A name in its quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::read::address;

    fn mode(text: &str) -> SslMode {
        config(&address::parse(Path::new(text)).unwrap().unwrap()).unwrap().get_ssl_mode()
    }

    #[test]
    fn other_machines_are_reached_over_tls_unless_told_otherwise() {
        assert_eq!(mode("postgres://me@127.0.0.1/db"), SslMode::Disable);
        assert_eq!(mode("postgres://me@localhost:5/db"), SslMode::Disable);
        assert_eq!(mode("postgres://me@example.org/db"), SslMode::Require);
        assert_eq!(mode("postgres://me@example.org/db?sslmode=disable"), SslMode::Disable);
        assert_eq!(mode("postgres://me@localhost/db?sslmode=require"), SslMode::Require);
        assert_eq!(mode("postgres://me@localhost/db?hostaddr=192.0.2.7"), SslMode::Require);
        assert_eq!(mode("postgres:///db?hostaddr=192.0.2.7"), SslMode::Require);
        assert_eq!(mode("postgres://me@example.org/db?hostaddr=127.0.0.1"), SslMode::Require);
        assert_eq!(mode("postgres://me@localhost/db?hostaddr=127.0.0.1"), SslMode::Disable);
    }

    #[test]
    fn an_unfit_address_is_not_repeated() {
        let address = address::parse(Path::new("postgres://me:hush@h/db?frob=hush")).unwrap().unwrap();
        let error = config(&address).unwrap_err();
        assert!(!error.to_string().contains("hush"), "{error}");
    }
}
