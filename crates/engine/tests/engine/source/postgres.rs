//! Tables of PostgreSQL, where `EQUANYM_TEST_POSTGRES` names a server.

use std::path::PathBuf;

use equanym_engine::read::{Reading, open};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, Config, NoTls};

use super::{CANARY, plain, read_columns, read_source, unread};

/// A schema of its own on the server.
struct Server {
    runtime: Runtime,
    client: Client,
    schema: String,
}

impl Server {
    fn at_hand(schema: &str) -> Option<Self> {
        let Ok(address) = std::env::var("EQUANYM_TEST_POSTGRES") else {
            eprintln!("not checked: PostgreSQL; EQUANYM_TEST_POSTGRES names no server");
            return None;
        };
        let config: Config = address.parse().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (client, connection) = runtime.block_on(config.connect(NoTls)).unwrap();
        runtime.spawn(connection);
        let schema = format!("{schema}_{}", std::process::id());
        let server = Self { runtime, client, schema };
        server.run(&format!(
            "DROP SCHEMA IF EXISTS {0} CASCADE; CREATE SCHEMA {0}; SET search_path = {0}",
            server.schema
        ));
        Some(server)
    }

    fn run(&self, sql: &str) {
        self.runtime.block_on(self.client.batch_execute(sql)).unwrap();
    }

    fn address(&self, query: &str) -> PathBuf {
        format!("{}?{}", std::env::var("EQUANYM_TEST_POSTGRES").unwrap(), query.replace("SCHEMA", &self.schema)).into()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.run(&format!("DROP SCHEMA {} CASCADE", self.schema));
    }
}

#[test]
fn types_come_as_text() {
    let Some(server) = Server::at_hand("types") else { return };
    server.run(
        "CREATE TABLE t (i int, n numeric(6,2), f float8, b bool, d date, s timestamptz, x text, \"odd \"\"name; --\" varchar);
         INSERT INTO t VALUES (1, 1.50, 0.1, true, '2024-02-29', '2024-02-29 10:00+02', E'a,\"b\"\\nc', 'x'), (NULL, NULL, NULL, NULL, NULL, NULL, '', '\\.')",
    );
    let expected = ["1|1.50|0.1|true|2024-02-29|2024-02-29 08:00:00+00|a,\"b\"\nc|x", "~|~|~|~|~|~|~|\\."];
    assert_eq!(plain(&server.address("table=SCHEMA.t")), expected);
    let query = "query=SELECT%20x%20AS%20one%20FROM%20SCHEMA.t%20WHERE%20i%20%3D%201%3B";
    assert_eq!(plain(&server.address(query)), ["a,\"b\"\nc"]);
    let source = open(&server.address("table=SCHEMA.t"), &Reading::default()).unwrap();
    assert_eq!(source.columns().last().unwrap(), "odd \"name; --");
    assert_eq!(read_columns(&source, &[7, 0]).unwrap()[0], [Some("x".to_owned()), Some("1".to_owned())]);
}

#[test]
fn a_source_sees_one_state_of_the_database() {
    let Some(server) = Server::at_hand("snapshot") else { return };
    server.run("CREATE TABLE t AS SELECT generate_series(1, 1000) AS x");
    let source = open(&server.address("table=SCHEMA.t"), &Reading::default()).unwrap();
    server.run("DELETE FROM t WHERE x > 10");
    assert_eq!(read_source(&source).unwrap().len(), 1000);
    server.run("INSERT INTO t VALUES (0)");
    assert_eq!(read_source(&source).unwrap().len(), 1000);
    assert_eq!(plain(&server.address("table=SCHEMA.t")).len(), 11);
}

#[test]
fn a_lost_connection_ends_reading() {
    let Some(server) = Server::at_hand("lost") else { return };
    server.run("CREATE TABLE t AS SELECT repeat('x', 200) AS x FROM generate_series(1, 400000)");
    let source = open(&server.address("table=SCHEMA.t"), &Reading::default()).unwrap();
    let mut batches = source.read(0, &[0]).unwrap();
    batches.next().unwrap().unwrap();
    server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'equanym' AND query LIKE '%lost_%'");
    let error = batches.find_map(Result::err).expect("an error");
    assert_eq!(error.exit_code(), 3, "{error}");
    assert!(error.message.contains("lost") || error.message.contains("SQLSTATE 57P01"), "{error}");
}

#[test]
fn failures_hold_no_secret() {
    let Some(server) = Server::at_hand("failures") else { return };
    let check = |path: PathBuf, exit: u8, parts: &[&str]| {
        let error = unread(&path, &Reading::default());
        assert_eq!(error.exit_code(), exit, "{error}");
        assert!(parts.iter().all(|part| error.to_string().contains(part)), "{error}");
        let text = error.to_string();
        assert!(!text.contains("hush") && !text.contains("se%20cr") && !text.contains("equanym:"), "{text}");
    };
    let address = std::env::var("EQUANYM_TEST_POSTGRES").unwrap();
    let (start, rest) = address.split_once("://").unwrap();
    let (user, place) = rest.rsplit_once('@').unwrap();
    let user = user.split(':').next().unwrap();
    check(format!("{start}://{user}:hush@{place}?table=t").into(), 3, &["user or the password is wrong"]);
    check(format!("{start}://{user}:hush@127.0.0.1:1/db?table=t").into(), 3, &["cannot be reached"]);
    check(server.address("table=SCHEMA.absent"), 3, &["no such table"]);
    check(server.address(&format!("query=SELECT%20'{CANARY}'%20FROM")), 3, &["no SQL"]);
    check(server.address(&format!("query=SELECT%20'{CANARY}'::int")), 3, &["SQLSTATE 22P02"]);
    check(server.address(""), 2, &["either a table or a query"]);
    check(server.address("table=t&hush=1"), 2, &["cannot be used"]);
    server.run("CREATE TABLE t (x int)");
    let query = "query=DELETE%20FROM%20SCHEMA.t%20RETURNING%20x";
    check(server.address(query), 3, &["no SQL"]);
}

#[test]
fn a_missing_value_of_one_column_is_a_record() {
    let Some(server) = Server::at_hand("lonely") else { return };
    server.run("CREATE TABLE t (x text); INSERT INTO t VALUES ('a'), (NULL), (''), ('b'), (NULL)");
    assert_eq!(plain(&server.address("table=SCHEMA.t")), ["a", "~", "~", "b", "~"]);
    // A table of so few bytes is at its end before its format is known.
    server.run("CREATE TABLE short (x text); INSERT INTO short VALUES ('a')");
    assert_eq!(plain(&server.address("table=SCHEMA.short")), ["a"]);
}
