"""Threads, memory and progress, as on the command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from equanym import _equanym
from equanym._errors import InputError

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@contextmanager
def options(threads: int, memory: int | str | None, progress: bool | Callable[[str, int], object]) -> Iterator[_equanym.Options]:
    """Give what a run may use; a bar is shown while it works if ``progress`` is true, and closed at its end."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 0 <= threads <= 4096:
        raise InputError("threads must be a whole number from 0, which means one per core, to 4096")
    if callable(progress):
        yield _equanym.Options(threads, _bytes(memory), progress)
        return
    shown = _bar() if progress else None
    try:
        yield _equanym.Options(threads, _bytes(memory), shown)
    finally:
        if shown is not None:
            shown.close()


def paths(given: Sequence[str | os.PathLike[str]] | str | os.PathLike[str]) -> list[str]:
    """Give paths as text; a single one is a list of one."""
    if isinstance(given, (str, os.PathLike)):
        given = [given]
    return [os.fspath(one) for one in given]


def _bytes(memory: int | str | None) -> int | None:
    if memory is None:
        return None
    found = re.fullmatch(r"([0-9]+)([KMGT]?)", str(memory).strip().upper().removesuffix("B"))
    size = int(found[1]) * _UNITS[found[2]] if found and not isinstance(memory, bool) else 0
    if not 0 < size < 1 << 62:
        raise InputError("memory must be a number of bytes, such as 512_000_000, \"512M\" or \"2G\"")
    return size


class _Line:
    """A line on standard error, where tqdm is not there."""

    def __init__(self) -> None:
        self._told = ("", -1)

    def __call__(self, step: str, done: int) -> None:
        if (step, done) != self._told:
            self._told = (step, done)
            print(f"\r{step}: {done:,}  ", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._told[0]:
            print(file=sys.stderr)


class _Tqdm:
    """The bar of tqdm."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._step = ""

    def __call__(self, step: str, done: int) -> None:
        if step != self._step:
            self.close()
            self._step, self._bar = step, self._tqdm(desc=step, unit=" nodes" if step == "search" else " records", leave=True)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _bar() -> _Line | _Tqdm:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line()
    return _Tqdm(tqdm)
