"""Frames in, the same kind of frame out: the program's release to the last cell, typed, and nothing else in any buffer."""

from __future__ import annotations

import csv
import io
import pathlib
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import PLANTED, POLICY, files, table

import equanym as eq


def frames() -> dict[str, Any]:
    whole = table()
    connection = duckdb.connect()
    connection.register("people", whole)
    # Held by the relation.
    return {
        "pyarrow": whole,
        "batches": pa.Table.from_batches(whole.to_batches(max_chunksize=70)),
        "polars": pl.DataFrame(whole),
        "pandas": whole.to_pandas(),
        "pandas-arrow": whole.to_pandas(types_mapper=pd.ArrowDtype),
        "duckdb": connection.sql("SELECT * FROM people"),
    }


FRAMES = frames()


def text(value: object) -> str:
    """A cell as the program writes it."""
    if value is None or value is pd.NaT or value is pd.NA or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if hasattr(value, "tzinfo"):
        utc = value.astimezone(__import__("datetime").timezone.utc)  # type: ignore[attr-defined]
        return utc.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value)


def rows(data: Any) -> list[list[str]]:
    """The records as text."""
    if isinstance(data, pl.DataFrame):
        return [[text(value) for value in row] for row in data.rows()]
    if isinstance(data, pd.DataFrame):
        data = pa.Table.from_pandas(data, preserve_index=False)
    columns = [column.to_pylist() for column in data.columns]
    return [[text(value) for value in row] for row in zip(*columns)]


@pytest.mark.parametrize("kind", FRAMES)
def test_the_same_release_as_the_programs(kind: str, by_program: pathlib.Path, tmp_path: pathlib.Path) -> None:
    release = eq.release(FRAMES[kind], POLICY, threads=2)
    release.save(tmp_path / "out")
    mine, theirs = files(tmp_path / "out"), files(by_program)
    assert mine.keys() == theirs.keys()
    assert mine["public/data.csv"] == theirs["public/data.csv"]
    for name in theirs:
        assert mine[name] == theirs[name], name
    header, *records = csv.reader(io.StringIO(theirs["public/data.csv"].decode()))
    data = release.data
    assert list(getattr(data, "column_names", None) or data.columns) == header
    assert rows(data) == records


def test_a_path_is_released_in_the_same_way(by_program: pathlib.Path) -> None:
    release = eq.release(by_program.parent / "data.parquet", eq.Policy(by_program.parent / "policy.toml"))
    assert {f"public/{name}": data for name, data in release.public.items()}.items() <= files(by_program).items()
    assert isinstance(release.data, pa.Table)


def test_types_are_kept_where_nothing_was_recoded() -> None:
    data = eq.release(FRAMES["pyarrow"], POLICY).data
    kinds = {field.name: str(field.type) for field in data.schema}
    assert kinds == {
        "age": "string",
        "ward": "dictionary<values=string, indices=int32, ordered=0>",
        "cost": "double",
        "nights": "int64",
        "paid": "bool",
        "day": "date32[day]",
        "at": "timestamp[us, tz=Europe/Berlin]",
        "unit": "dictionary<values=string, indices=int32, ordered=0>",
    }
    polars = eq.release(FRAMES["polars"], POLICY).data
    assert isinstance(polars, pl.DataFrame)
    before = FRAMES["polars"].schema
    assert {name: kind for name, kind in polars.schema.items() if name != "age"} == {
        name: kind for name, kind in before.items() if name not in ("age", "name")
    }
    assert polars.schema["age"] == pl.String
    for kind in ("pandas", "pandas-arrow"):
        pandas = eq.release(FRAMES[kind], POLICY).data
        assert isinstance(pandas, pd.DataFrame)
        for name in ("cost", "nights", "paid", "day", "at"):
            assert pandas[name].dtype == FRAMES[kind][name].dtype, (kind, name)


def test_categories_are_those_of_the_release() -> None:
    pandas = eq.release(FRAMES["pandas"], POLICY).data
    assert list(pandas["unit"].cat.categories) == ["k", "m"]
    assert set(pandas["ward"].cat.categories) <= {"inside", "outside", "*", "a", "b", "c"}
    assert set(pandas["ward"].cat.categories) == set(pandas["ward"])
    assert isinstance(pandas.index, pd.RangeIndex)


def test_categories_that_nobody_has_change_nothing() -> None:
    policy = '[variables.a]\nrole = "quasi-identifying"\n[[privacy]]\nmodel = "k-anonymity"\nk = 2\n[method]\nsuppression_limit = 1.0\n'
    made = [
        eq.release(pd.DataFrame({"a": pd.Categorical(["x", "x", "y"], categories=categories)}), policy)
        for categories in (["x", "y"], ["z", "y", "x"], ["x", "y", *"stuvw"])
    ]
    assert made[0].public == made[1].public == made[2].public
    assert made[0].mask.to_dict() == made[1].mask.to_dict() == made[2].mask.to_dict()


def buffers(array: pa.Array) -> list[bytes]:
    """Every buffer below an array, whole."""
    found = [buffer.to_pybytes() for buffer in array.buffers() if buffer is not None]
    if isinstance(array, pa.DictionaryArray):
        found += buffers(array.dictionary)
    return found


@pytest.mark.parametrize("kind", FRAMES)
def test_no_buffer_holds_what_is_not_released(kind: str) -> None:
    release = eq.release(FRAMES[kind], POLICY)
    assert release.report["released"] < release.report["records"]
    data = release.data
    if isinstance(data, pd.DataFrame):
        assert all(PLANTED.decode() not in str(value) for column in data for value in data[column])
        assert not data.attrs and data.index.names == [None]
        data = pa.Table.from_pandas(data)
    elif isinstance(data, pl.DataFrame):
        data = data.to_arrow()
    chunks = [chunk for column in data.columns for chunk in column.chunks]
    # And what the engine itself hands over.
    chunks += [chunk for column in pa.table(release).columns for chunk in column.chunks]
    assert chunks
    for chunk in chunks:
        assert not any(PLANTED in buffer for buffer in buffers(chunk))
    assert PLANTED not in str(data.schema.metadata or {}).encode()
    for name, content in release.public.items():
        assert PLANTED not in content, name


def test_the_original_is_let_go() -> None:
    import gc
    import weakref

    frame = table().to_pandas()
    alive = weakref.ref(frame)
    release = eq.release(frame, POLICY)
    del frame
    gc.collect()
    assert alive() is None
    assert len(release.data) == release.report["released"]


def test_a_mask_is_applied_to_another_table() -> None:
    release = eq.release(FRAMES["polars"], POLICY)
    again = release.mask.apply(FRAMES["polars"])
    assert isinstance(again.data, pl.DataFrame) and again.data.equals(release.data)
    assert again.public["data.csv"] == release.public["data.csv"]
    few = FRAMES["polars"].head(4)
    with pytest.raises(eq.UnsafeReleaseError) as caught:
        release.mask.apply(few)
    assert caught.value.exit_code == 1 and caught.value.hint


def test_drafts_risks_and_comparisons_take_frames(by_program: pathlib.Path) -> None:
    path = by_program.parent / "data.parquet"
    for kind in ("pyarrow", "polars", "pandas"):
        frame = FRAMES[kind]
        assert str(eq.draft(frame)) == str(eq.draft(path))
        assert eq.risk(frame, POLICY) == eq.risk(path, POLICY)
        assert eq.risk(frame) == eq.risk(path)
        release = eq.release(frame, POLICY)
        assert eq.compare(frame, release, POLICY, target="paid") == eq.compare(path, by_program, POLICY, target="paid")
    drafted = eq.draft(FRAMES["pandas"])
    assert eq.release(FRAMES["pandas"], drafted).report["released"] > 0
