//! Engines that run the statements for real, where they are at hand.
//!
//! `DuckDB` is reached through its Python package, PostgreSQL through the server that `EQUANYM_TEST_POSTGRES` names
//! (`cargo xtask test` starts one). What is not at hand is said and skipped.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tokio_postgres::{Config, NoTls, SimpleQueryMessage};

/// Rows of texts; null is none.
pub type Rows = Vec<Vec<Option<String>>>;

/// Runs a table of texts, statements and queries; gives the rows of each query.
pub struct Engine {
    pub dialect: &'static str,
    run: fn(&Table, &[String]) -> Vec<Rows>,
}

/// A table of texts to begin with.
pub struct Table {
    pub name: String,
    pub columns: Vec<String>,
    pub rows: Rows,
}

impl Engine {
    /// Makes the table and runs the statements one after the other; gives the rows of each.
    pub fn run(&self, table: &Table, statements: &[String]) -> Vec<Rows> {
        (self.run)(table, statements)
    }
}

/// The engines that are at hand.
pub fn at_hand() -> Vec<Engine> {
    let mut engines = Vec::new();
    let imports = Command::new("python3").args(["-c", "import duckdb"]).stderr(Stdio::null()).status();
    if imports.is_ok_and(|status| status.success()) {
        engines.push(Engine { dialect: "duckdb", run: duckdb });
    } else {
        eprintln!("not checked: DuckDB; its Python package cannot be imported");
    }
    if std::env::var_os("EQUANYM_TEST_POSTGRES").is_some() {
        engines.push(Engine { dialect: "postgres", run: postgres });
    } else {
        eprintln!("not checked: PostgreSQL; EQUANYM_TEST_POSTGRES names no server");
    }
    engines
}

const PYTHON: &str = r#"
import duckdb, json, sys
asked = json.load(sys.stdin)
quoted = lambda name: '"' + name.replace('"', '""') + '"'
engine = duckdb.connect()
columns = ", ".join(quoted(name) + " VARCHAR" for name in asked["columns"])
engine.execute("CREATE TABLE " + quoted(asked["name"]) + " (" + columns + ")")
marks = ", ".join("?" for _ in asked["columns"])
engine.executemany("INSERT INTO " + quoted(asked["name"]) + " VALUES (" + marks + ")", asked["rows"])
given = []
for statement in asked["statements"]:
    rows = engine.execute(statement).fetchall()
    given.append([[None if cell is None else str(cell) for cell in row] for row in rows])
json.dump(given, sys.stdout)
"#;

fn duckdb(table: &Table, statements: &[String]) -> Vec<Rows> {
    let asked =
        json!({"name": table.name, "columns": table.columns, "rows": table.rows, "statements": statements}).to_string();
    let mut python = Command::new("python3");
    let mut child = python
        .args(["-c", PYTHON])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(asked.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let given: Value = serde_json::from_slice(&output.stdout).unwrap();
    serde_json::from_value(given).unwrap()
}

/// In a schema of its own, which is gone afterwards.
fn postgres(table: &Table, statements: &[String]) -> Vec<Rows> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let config: Config = std::env::var("EQUANYM_TEST_POSTGRES").unwrap().parse().unwrap();
        let (client, connection) = config.connect(NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let columns: Vec<String> = table.columns.iter().map(|name| format!("{} TEXT", quoted(name))).collect();
        // A schema of the session: no two tests meet.
        let create = format!("CREATE TEMP TABLE {} ({})", quoted(&table.name), columns.join(", "));
        client.batch_execute(&format!("SET search_path = pg_temp; {create}")).await.unwrap();
        let marks: Vec<String> = (1..=table.columns.len()).map(|place| format!("${place}")).collect();
        let insert = format!("INSERT INTO {} VALUES ({})", quoted(&table.name), marks.join(", "));
        let insert = client.prepare(&insert).await.unwrap();
        for row in &table.rows {
            let cells: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> =
                row.iter().map(|cell| cell as &(dyn tokio_postgres::types::ToSql + Sync)).collect();
            client.execute(&insert, &cells).await.unwrap();
        }
        let mut given = Vec::new();
        for statement in statements {
            let messages =
                client.simple_query(statement).await.unwrap_or_else(|error| panic!("{error:?}\n{statement}"));
            let rows = messages.iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => {
                    Some((0..row.len()).map(|place| row.get(place).map(str::to_owned)).collect())
                }
                _ => None,
            });
            given.push(rows.collect());
        }
        drop(client);
        connection.await.unwrap().unwrap();
        given
    })
}
