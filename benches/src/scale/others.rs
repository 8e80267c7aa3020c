//! The same GROUP BY in DuckDB and Polars, from their Python packages where they can be imported.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::facts::Facts;
use crate::failure::Result;

/// What is asked of each, and how it is told.
const PYTHON: &str = r#"
import resource, sys, time
engine, path, threads = sys.argv[1:4]
if engine == "duckdb":
    import duckdb
    connection = duckdb.connect(config={"threads": int(threads)})
    names = ", ".join('"' + row[0] + '"' for row in connection.execute(f"DESCRIBE SELECT * FROM '{path}'").fetchall())
    start = time.perf_counter()
    keys = connection.execute(f"SELECT count(*) FROM (SELECT {names}, count(*) FROM '{path}' GROUP BY {names})").fetchone()[0]
    version = duckdb.__version__
else:
    import os
    os.environ["POLARS_MAX_THREADS"] = threads
    import polars
    start = time.perf_counter()
    table = polars.scan_parquet(path)
    names = table.collect_schema().names()
    keys = table.group_by(names).len().select(polars.len()).collect(engine="streaming").item()
    version = polars.__version__
seconds = time.perf_counter() - start
print(f"seconds={seconds}\nkeys={keys}\nversion={version}\npeak={resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}")
"#;

/// Runs a package on a table; `None` when it is not at hand.
pub fn group_by(engine: &str, table: &Path, threads: usize) -> Result<Option<Facts>> {
    let imports = Command::new("python3").args(["-c", &format!("import {engine}")]).stderr(Stdio::null()).status();
    if !imports.is_ok_and(|status| status.success()) {
        eprintln!("{engine} cannot be imported: it is not measured");
        return Ok(None);
    }
    let mut command = Command::new("python3");
    command.args(["-c", PYTHON, engine]).arg(table).arg(threads.to_string()).stderr(Stdio::inherit());
    let output = command.output()?;
    if !output.status.success() {
        eprintln!("{engine} does not get through: {}", output.status);
        return Ok(None);
    }
    Ok(Some(Facts::parse(&String::from_utf8_lossy(&output.stdout))))
}
