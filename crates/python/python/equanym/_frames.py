"""Frames in, the same kind of frame out.

Tables come in through the Arrow PyCapsule interface, ``__arrow_c_stream__``. pandas, Polars, PyArrow and DuckDB are recognised by
their modules, which are never imported unless the caller already did. Messages of these libraries are not passed on, because they
quote cells.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Protocol, Union, runtime_checkable

from equanym import _equanym
from equanym._errors import InputError


@runtime_checkable
class ArrowStream(Protocol):
    """Whatever hands over a table as a stream of Arrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Give a capsule with the stream."""


#: A table: a frame, or a path or an address as on the command line.
Data = Union[ArrowStream, str, "os.PathLike[str]", Any]


def taken(data: Data) -> _equanym.Table | str:
    """Give a table as the engine takes it."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    kind = kind_of(data)
    frame: Any = data
    if kind == "pandas":
        frame = _of_pandas(data)
    elif kind == "polars":
        # A column of nothing has no type that others know.
        polars = sys.modules["polars"]
        empty = [name for name, of in frame.schema.items() if of == polars.Null]
        frame = frame.with_columns(polars.col(name).cast(polars.String) for name in empty) if empty else frame
    elif kind == "polars-lazy":
        raise InputError("a lazy frame has no records yet", "hand over `frame.collect()`, or the path of its file")
    elif kind == "duckdb" and not hasattr(data, "__arrow_c_stream__"):
        frame = _arrow_of_duckdb(data)
    if not hasattr(frame, "__arrow_c_stream__"):
        raise InputError(
            f"an object of type {type(data).__qualname__} is no table",
            "hand over a data frame of pandas, Polars, PyArrow or DuckDB, anything with `__arrow_c_stream__`, or a path",
        )
    try:
        capsule = frame.__arrow_c_stream__()
    except (KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        raise InputError(
            f"the table cannot be handed over: its library fails with {type(error).__name__}",
            "convert its columns to text, numbers, truths, days or moments first",
        ) from None
    # What is there already takes no more memory; a query or a reader may yield more than there is.
    return _equanym.Table(capsule, kind == "duckdb" or not _is_held(frame))


def _is_held(frame: object) -> bool:
    pyarrow = sys.modules.get("pyarrow")
    return kind_of(frame) == "polars" or (pyarrow is not None and isinstance(frame, (pyarrow.Table, pyarrow.RecordBatch)))


def kind_of(data: object) -> str:
    """Tell what made a frame, by the modules that are loaded."""
    pandas, polars, duckdb = (sys.modules.get(name) for name in ("pandas", "polars", "duckdb"))
    if pandas is not None and isinstance(data, getattr(pandas, "DataFrame", ())):
        return "pandas"
    if polars is not None and isinstance(data, getattr(polars, "DataFrame", ())):
        return "polars"
    if polars is not None and isinstance(data, getattr(polars, "LazyFrame", ())):
        return "polars-lazy"
    if duckdb is not None and isinstance(data, getattr(duckdb, "DuckDBPyRelation", ())):
        return "duckdb"
    return "arrow"


class Like:
    """What is remembered of a frame, so that its release looks like it: no cell, and no category."""

    def __init__(self, data: Data) -> None:
        """Look at a frame."""
        self.kind = kind_of(data)
        frame: Any = data
        columns = zip(frame.columns, frame.dtypes) if self.kind == "pandas" else ()
        self.dtypes = {name: dtype for name, dtype in columns if not hasattr(dtype, "categories")}


def given(release: _equanym.Release, like: Like) -> Any:
    """Give released records in the kind of the frame they come from."""
    if like.kind == "polars":
        return sys.modules["polars"].DataFrame(release)
    if like.kind == "pandas":
        return _to_pandas(release, like)
    try:
        import pyarrow
    except ImportError:
        # Whoever takes Arrow takes this.
        return release
    return pyarrow.table(release)


def _of_pandas(frame: Any) -> Any:
    """Give a frame of pandas as Arrow, without its index: it is no column, and may name people."""
    _check_names(frame)
    pyarrow = _pyarrow("a frame of pandas")
    arrays = []
    for place, name in enumerate(frame.columns):
        try:
            arrays.append(pyarrow.Array.from_pandas(frame.iloc[:, place]))
        except (KeyboardInterrupt, MemoryError):
            raise
        except Exception as error:
            raise InputError(
                f"column {name!r}: its cells cannot be read as one type ({type(error).__name__})",
                "columns of objects must hold one kind of value: `frame[column].astype(str)` makes all of them text",
            ) from None
    try:
        return pyarrow.table(arrays, names=[str(name) for name in frame.columns])
    except Exception as error:
        raise InputError(f"the table cannot be handed over: PyArrow fails with {type(error).__name__}") from None


def _check_names(frame: Any) -> None:
    names = list(frame.columns)
    for place, name in enumerate(names, 1):
        if not isinstance(name, str):
            raise InputError(
                f"column {place} has a name of type {type(name).__name__}", "name all columns with text: `frame.columns = […]`"
            )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two columns are called {twice!r}", "rename one of them")


def _to_pandas(release: _equanym.Release, like: Like) -> Any:
    table = _pyarrow("a frame of pandas").table(release)
    frame = table.to_pandas()
    for name in frame.columns:
        # Categories are those of the release: the old type would bring the others.
        before, after = like.dtypes.get(name), frame[name].dtype
        if before is None or before == after:
            continue
        is_text = "string" in str(table.schema.field(name).type)
        # What came back as text is text, unless it was.
        if not is_text or str(before) == "object" or "str" in str(before):
            try:
                frame[name] = frame[name].astype(before)
            except (TypeError, ValueError):
                continue
    return frame


def _arrow_of_duckdb(relation: Any) -> Any:
    _pyarrow("a relation of this DuckDB")
    fetch = getattr(relation, "fetch_arrow_table", None) or relation.arrow
    return fetch()


def _pyarrow(what: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise InputError(f"{what} comes and goes through PyArrow, which is not there", "pip install pyarrow") from None
    return pyarrow
