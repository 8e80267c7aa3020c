"""What is wrong is told by what and where, without a cell, and nothing else is touched."""

from __future__ import annotations

import base64
import pathlib
import pickle
import subprocess
import sys
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import POLICY, table

import equanym as eq

ONE = '[variables.a]\nrole = "quasi-identifying"\n[[privacy]]\nmodel = "k-anonymity"\nk = 2\n'


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (17, "type int is no table"),
        ([{"a": 1}], "type list is no table"),
        (None, "NoneType"),
        (pl.LazyFrame({"a": ["SECRET"]}), "a lazy frame"),
        (pd.Series(["SECRET"], name="a"), "no table of columns"),
        (pl.Series("a", ["SECRET"]), "no table of columns"),
        (pd.DataFrame({"a": ["SECRET", 5, 2.5]}), "column 'a'"),
        (pd.DataFrame([["SECRET", 1]], columns=["a", "a"]), "two columns are called 'a'"),
        (pd.DataFrame({3: ["SECRET"]}), "column 1 has a name of type int"),
        (pa.table([pa.array(["SECRET"]), pa.array([1])], names=["a", "a"]), '"a"'),
        (pa.table({"a": [["SECRET"]]}), "(list) cannot be read"),
        (pl.DataFrame({"a": [{"x": "SECRET"}]}), "(struct) cannot be read"),
        (pa.table({"a": [b"SECRET"]}), "(binary) cannot be read"),
        (pa.table({"b": ["SECRET"]}), "b"),
        ("missing.parquet", "missing.parquet"),
    ],
)
def test_bad_tables(data: Any, part: str) -> None:
    with pytest.raises(eq.InputError) as caught:
        eq.release(data, ONE)
    message = str(caught.value)
    assert part in message and "SECRET" not in message, message
    assert caught.value.exit_code == 2 and isinstance(caught.value, eq.EquanymError)
    assert caught.value.__cause__ is None, "what a library says may quote a cell"


# A page of five texts whose lengths are 2^36 numbers (DELTA_LENGTH_BYTE_ARRAY).
BOMB = (
    "UEFSMRYAFh4WHiwWChYMFgYWBgAAgAEEgICAgIACAAAAAAAAFgIZ/AJIBnNjaGVtYRYCABYMJgAYAXYmAAAWChn8ARn8ASYIHBYMGfUBABn4AQF2"
    "FgAWChZAFkAmCAAAFkAWCgAAQgAAAFBBUjE="
)


def test_the_interpreter_survives_a_bomb(tmp_path: pathlib.Path) -> None:
    (tmp_path / "bomb.parquet").write_bytes(base64.b64decode(BOMB))
    program = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
import equanym as eq
try:
    eq.release("bomb.parquet", {ONE.replace(".a]", ".v]")!r}, threads=2)
except eq.InputError as error:
    print("alive", error.exit_code)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "alive 2\n"), done


@pytest.mark.parametrize("data", [pd.DataFrame({"a": []}), pl.DataFrame({"a": []}), pa.table({"a": pa.array([], pa.string())})])
def test_empty_tables(data: Any) -> None:
    with pytest.raises(eq.UnsafeReleaseError, match="0 records"):
        eq.release(data, ONE)


def test_a_producer_that_fails_is_not_quoted() -> None:
    def batches() -> Any:
        yield pa.record_batch({"a": ["x"]})
        raise ValueError("SECRET")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.string())]), batches())
    with pytest.raises(eq.InputError) as caught:
        eq.release(reader, ONE)
    assert "SECRET" not in str(caught.value)


def test_what_does_not_fit_in_memory_is_refused() -> None:
    batch = pa.record_batch({"a": pa.array(range(1 << 20), pa.int64())})

    def batches() -> Any:
        # Far more than 2^31 records, all in the same memory.
        while True:
            yield batch

    reader = pa.RecordBatchReader.from_batches(batch.schema, batches())
    with pytest.raises(eq.InputError, match="does not fit in memory") as caught:
        eq.release(reader, ONE)
    assert caught.value.hint and "path" in caught.value.hint


def test_invalid_buffers_are_refused() -> None:
    broken = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")])
    with pytest.raises(eq.InputError, match="column 1"):
        eq.release(pa.table({"a": broken}), ONE)


def test_moments_of_two_zones_are_refused_by_pandas_and_by_name() -> None:
    moments = [pd.Timestamp("2024-01-01", tz="UTC"), "2024-01-01"]
    with pytest.raises(eq.InputError, match="column 'a'"):
        eq.release(pd.DataFrame({"a": moments}), ONE)


def test_no_safe_release() -> None:
    with pytest.raises(eq.UnsafeReleaseError) as caught:
        eq.release(table(4), POLICY.replace("k = 3", "k = 5"))
    assert caught.value.exit_code == 1 and caught.value.hint and "PLANTED" not in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.hint) == (str(caught.value), caught.value.hint)


def test_flags_are_called_by_the_names_of_arguments(tmp_path: Any) -> None:
    with pytest.raises(eq.EquanymError) as caught:
        eq.release(table(), POLICY, key=tmp_path / "key")
    assert "key= has no effect" in str(caught.value)
    error = eq.InputError("--keys", "use --time-limit, --show-values or `--level COLUMN=LEVEL`; --decimal stays")
    assert str(error) == "--keys\nhint: use time_limit=, show_values= or `levels=`; --decimal stays"


@pytest.mark.parametrize(
    ("options", "part"),
    [({"threads": -1}, "threads"), ({"memory": "much"}, "memory"), ({"time_limit": "soon"}, "time limit")],
)
def test_bad_options(options: dict[str, Any], part: str) -> None:
    with pytest.raises(eq.EquanymError, match=part) as caught:
        eq.release(table(), POLICY, **options)
    assert caught.value.exit_code == 2


def test_a_folder_is_never_overwritten(tmp_path: Any) -> None:
    release = eq.release(table(), POLICY)
    release.save(tmp_path / "out")
    with pytest.raises(eq.InputError, match="never overwritten"):
        release.save(tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
