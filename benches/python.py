"""What the Python package costs over the program: one million records that are in memory already.

    cargo xtask bench python

The same table and policy are released by the program, from Parquet, and by the package, from memory. What the program needs beside
counting, searching, writing and auditing (starting, reading the policy, putting the folder in place) is left out; what the package needs to
take the table over and to give it back is in.
"""

from __future__ import annotations

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import pyarrow as pa
import pyarrow.parquet as pq

import equanym as eq

RECORDS = 1_000_000

POLICY = """
[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20] }
[variables.zip]
role = "quasi-identifying"
hierarchy = { prefix = [4, 3, 2, 1] }
[variables.sex]
role = "quasi-identifying"
[variables.job]
role = "quasi-identifying"
hierarchy = { prefix = [2, 1] }
[variables.cost]
role = "insensitive"
[variables.nights]
role = "insensitive"
[[privacy]]
model = "k-anonymity"
k = 5
[method]
suppression_limit = 0.01
"""


def table() -> pa.Table:
    """A table from a generator of our own: the same on every machine."""
    state = 1
    columns: dict[str, list[object]] = {name: [] for name in ("age", "zip", "sex", "job", "cost", "nights")}
    for _ in range(RECORDS):
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        high = state >> 33
        columns["age"].append(18 + high % 70)
        columns["zip"].append(f"{10000 + (high >> 7) % 400:05}")
        columns["sex"].append("mf"[(high >> 16) & 1])
        columns["job"].append(f"{(high >> 17) % 90 + 10}a")
        columns["cost"].append((high >> 11) % 5000 / 4)
        columns["nights"].append((high >> 23) % 14)
    return pa.table(columns)


def by_program(program: str, folder: pathlib.Path) -> tuple[float, dict[str, float]]:
    """The best of three runs."""
    command = [program, "release", "data.parquet", "--policy", "policy.toml", "--json", "--out"]
    runs = []
    for number in range(3):
        done = subprocess.run([*command, f"out{number}"], cwd=folder, check=True, capture_output=True, text=True)
        seconds = json.loads(done.stdout)["seconds"]
        runs.append((sum(value for part, value in seconds.items() if part not in ("load", "total")), seconds))
    return min(runs, key=lambda run: run[0])


def by_package(data: pa.Table) -> tuple[float, float]:
    """The best of three runs: until the release is there, and until its frame is."""
    runs = []
    for _ in range(3):
        begun = time.perf_counter()
        release = eq.release(data, POLICY)
        released = time.perf_counter() - begun
        assert len(release.data) == release.report["released"]
        runs.append((time.perf_counter() - begun, released))
    whole, released = min(runs)
    return released, whole


def main() -> None:
    data = table()
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pq.write_table(data, folder / "data.parquet")
        (folder / "policy.toml").write_text(POLICY)
        program, parts = by_program(os.path.abspath(sys.argv[1]), folder)
    released, whole = by_package(data)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = ", ".join(f"{part} {value:.2f}" for part, value in parts.items())
    print(f"{RECORDS:,} records, {data.nbytes / 1e6:.0f} MB in memory")
    print(f"program: {program:.2f} s ({told})")
    print(f"package: {released:.2f} s until it is released, {whole:.2f} s until the frame is there: {whole / program:.2f} times the program")
    print(f"peak memory: {held / 1024:.0f} MB before, {peak / 1024:.0f} MB after")


main()
