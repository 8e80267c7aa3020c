"""What the tests share: a table of everything that a frame may hold, its policy, and the program."""

from __future__ import annotations

import datetime as dt
import os
import pathlib
import subprocess
import sys
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = pathlib.Path(__file__).parents[3]

POLICY = """
[variables.name]
role = "identifying"
[variables.age]
role = "quasi-identifying"
hierarchy = { intervals = [5, 10, 20] }
levels = { min = 1 }
[variables.ward]
role = "quasi-identifying"
hierarchy = { groups = [{ inside = ["a", "b"], outside = ["c"] }] }
[variables.cost]
role = "insensitive"
[variables.nights]
role = "insensitive"
[variables.paid]
role = "insensitive"
[variables.day]
role = "insensitive"
[variables.at]
role = "insensitive"
[variables.unit]
role = "insensitive"
[[privacy]]
model = "k-anonymity"
k = 3
[method]
suppression_limit = 0.1
"""

#: A word in cells that are not released.
PLANTED = b"PLANTED"


def table(records: int = 900) -> pa.Table:
    """A table; the first record is alone in its class, and has a unit of its own."""
    numbers = range(records)
    day = dt.date(2022, 1, 1)
    moment = dt.datetime(2022, 1, 1, tzinfo=dt.timezone.utc)
    return pa.table(
        {
            "name": [f"PLANTED {number}" for number in numbers],
            "age": pa.array([117 if number == 0 else 20 + number * 7 % 40 for number in numbers], pa.int32()),
            "ward": pa.array(["abc"[number % 3] for number in numbers]).dictionary_encode(),
            "cost": pa.array([None if number % 5 == 0 else number / 8 for number in numbers], pa.float64()),
            "nights": pa.array([number % 11 for number in numbers], pa.int64()),
            "paid": [number % 2 == 0 for number in numbers],
            "day": [day + dt.timedelta(days=number % 9) for number in numbers],
            "at": pa.array([moment + dt.timedelta(seconds=number) for number in numbers], pa.timestamp("us", "Europe/Berlin")),
            "unit": pa.array(["PLANTED unit" if number == 0 else "mk"[number % 2] for number in numbers]).dictionary_encode(),
        }
    )


@pytest.fixture(scope="session")
def program() -> list[str]:
    """The program: the one that was built beside the module, or the package's own."""
    built = os.environ.get("EQUANYM_PROGRAM", "")
    return [built] if os.path.exists(built) else [sys.executable, "-m", "equanym"]


@pytest.fixture(scope="session")
def by_program(tmp_path_factory: pytest.TempPathFactory, program: list[str]) -> pathlib.Path:
    """The folder that the program releases, from the same table as Parquet."""
    folder = tmp_path_factory.mktemp("program")
    pq.write_table(table(), folder / "data.parquet")
    (folder / "policy.toml").write_text(POLICY)
    command = [*program, "release", "data.parquet", "--policy", "policy.toml", "--out", "out", "--quiet"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "out"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell how it went in the words of `cargo test`, which `cargo xtask test` counts."""
    failed = [one for kind in ("failed", "error") for one in terminalreporter.stats.get(kind, [])]
    for one in failed:
        terminalreporter.write_line(f"test {one.nodeid} ... FAILED")
    passed, verdict = len(terminalreporter.stats.get("passed", [])), "FAILED" if failed else "ok"
    terminalreporter.write_line(f"test result: {verdict}. {passed} passed; {len(failed)} failed")


def files(folder: pathlib.Path) -> dict[str, bytes]:
    """Every file of a release, by its place."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
