"""What holds without any other library: run by itself, under any Python that the package supports."""

import os
import pathlib
import subprocess
import sys
import tempfile

import equanym as eq

POLICY = """
[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [10, 20] }
[variables.city]
role = "insensitive"
[[privacy]]
model = "k-anonymity"
k = 2
"""

assert not {"pandas", "polars", "pyarrow", "duckdb", "numpy", "sklearn", "tqdm"} & set(sys.modules)
with tempfile.TemporaryDirectory() as folder:
    table = pathlib.Path(folder, "people.csv")
    table.write_text("age,city\n31,Ulm\n34,Bonn\n47,Ulm\n49,Bonn\n", encoding="utf-8")
    release = eq.release(table, POLICY)
    assert (release.report["released"], release.report["records"]) == (4, 4), release
    assert hasattr(release.data, "__arrow_c_stream__")
    release.save(pathlib.Path(folder, "out"))
    assert eq.audit(pathlib.Path(folder, "out", "public"), original=table).passed
    script = pathlib.Path(sys.executable).with_name("equanym")
    for command in ([str(script)], [sys.executable, "-m", "equanym"]):
        done = subprocess.run([*command, "audit", os.path.join(folder, "out", "public")], capture_output=True, text=True)
        assert done.returncode == 0 and "checks passed" in done.stdout, done
        done = subprocess.run([*command, "release"], capture_output=True, text=True)
        assert done.returncode == 2 and "Usage" in done.stderr, done
print(f"Python {sys.version.split()[0]}: the package works by itself")
