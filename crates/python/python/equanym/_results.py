"""What runs find: data first, drawn where a notebook asks."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from equanym import _equanym, _frames
from equanym._options import options, paths

_Table = Sequence[Sequence[object]]


class Findings(Mapping[str, Any]):
    """What was found, as a mapping: the document that the program prints with ``--json``."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        """Hold what was found."""
        self._found = dict(found)

    def __getitem__(self, key: str) -> Any:
        return self._found[key]

    def __iter__(self) -> Any:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def to_dict(self) -> dict[str, Any]:
        """Give it as a plain dict."""
        return dict(self._found)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self._found)}>"


class Risk(Findings):
    """How likely somebody in a table is recognised, as it is."""

    def __repr__(self) -> str:
        uniques = self["uniques"]
        return f"<Risk: {self['records']} records, {uniques['share']:.1%} stand alone>"

    def _repr_html_(self) -> str:
        risk = self["risk"]
        facts = [
            ("records", f"{self['records']:,}"),
            ("alone in their class", f"{self['uniques']['records']:,} ({self['uniques']['share']:.1%})"),
            ("highest risk", f"{risk['prosecutor_max']:.1%}"),
            ("mean risk", f"{risk['prosecutor_mean']:.1%}"),
        ]
        bands = [(_band(band), band["classes"], band["records"]) for band in self["sizes"]]
        longest = max((records for _, _, records in bands), default=0) or 1
        bars = [
            f'<tr><td>{name}</td><td style="text-align:right">{classes:,}</td><td style="text-align:right">{records:,}</td>'
            f'<td style="text-align:left"><svg width="160" height="12" role="img" aria-label="{records} records">'
            f'<rect width="{160 * records / longest:.1f}" height="12" fill="#4477aa"/></svg></td></tr>'
            for name, classes, records in bands
        ]
        head = "<tr><th>class size</th><th>classes</th><th>records</th><th></th></tr>"
        return f"{_facts(facts)}<table>{head}{''.join(bars)}</table>"


class Comparison(Findings):
    """What became of a table."""

    def __repr__(self) -> str:
        records = self["records"]
        return f"<Comparison: {records['original']} records before, {records['released']} after>"

    def _repr_html_(self) -> str:
        rows = [
            (metric["metric"], figure.get("column") or "", figure["name"], _number(figure.get("value")))
            for metric in self["metrics"]
            for figure in metric["figures"][:20]
        ]
        return _grid(("metric", "column", "measure", "value"), rows)


class Attacks(Findings):
    """What an intruder finds in a release, with intervals."""

    def __repr__(self) -> str:
        found = ", ".join(f"{' of '.join(filter(None, (one['attack'], one.get('of'))))} {one['risk']:.1%}" for one in self["attacks"])
        return f"<Attacks: {found}>"

    def _repr_html_(self) -> str:
        def rate(found: Mapping[str, Any] | None) -> str:
            return f"{found['rate']:.1%}" if found else ""

        rows = [
            (
                one["attack"],
                one.get("of", ""),
                rate(one["original"]),
                f"{one['original']['low']:.1%} to {one['original']['high']:.1%}",
                rate(one.get("control")),
                rate(one.get("blind")),
                f"{one['risk']:.1%}",
            )
            for one in self["attacks"]
        ]
        return _grid(("attack", "of", "right", "95% interval", "control", "blind", "risk"), rows)


class Verdict(Findings):
    """What an audit found: each claim of a release, and whether it holds."""

    def __init__(self, found: Mapping[str, Any], passed: bool) -> None:
        """Hold what was found."""
        super().__init__({"passed": passed, **found})

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return bool(self["passed"])

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        failed = sum(not check["passed"] for check in self["checks"])
        return f"<Verdict: {len(self['checks'])} checks, {failed} failed>"

    def _repr_html_(self) -> str:
        rows = [("holds" if one["passed"] else "FAILS", one["name"], one["claim"], one["found"]) for one in self["checks"]]
        return _grid(("", "check", "claim", "found"), rows)


class Balance(Findings):
    """The balance of utility and privacy, with its plots as SVG."""

    def __init__(self, found: Mapping[str, Any], plots: Mapping[str, str]) -> None:
        """Hold what was found and drawn."""
        super().__init__(found)
        self.plots = dict(plots)

    def _repr_html_(self) -> str:
        return "".join(f"<figure>{svg}<figcaption>{html.escape(name)}</figcaption></figure>" for name, svg in self.plots.items())


class Mask:
    """How a table was recoded. It holds values and stays with the owner."""

    def __init__(self, text: str) -> None:
        """Take the text of a ``mask.json``."""
        self._text = text

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Mask:
        """Read a ``private/mask.json``."""
        return cls(Path(path).read_text(encoding="utf-8"))

    def to_dict(self) -> dict[str, Any]:
        """Give it as a dict, in the layout of the file."""
        found = json.loads(self._text)
        assert isinstance(found, dict)
        return found

    def apply(
        self,
        data: _frames.Data,
        *,
        suppression_limit: float | None = None,
        levels: Mapping[str, int] | None = None,
        against: Sequence[str | os.PathLike[str]] = (),
        key: str | os.PathLike[str] | None = None,
        show_values: bool = False,
        population: str | os.PathLike[str] | None = None,
        threads: int = 0,
        memory: int | str | None = None,
        progress: bool = False,
    ) -> Release:
        """Release another table in the same way: the guarantees are proved again, or it raises :class:`UnsafeReleaseError`."""
        asked: _equanym._Otherwise = {
            "suppression_limit": suppression_limit,
            "levels": dict(levels or {}),
            "against": paths(against),
            "key": None if key is None else os.fspath(key),
            "show_values": show_values,
            "population": None if population is None else os.fspath(population),
        }
        with options(threads, memory, progress) as using:
            made = _equanym.apply(_frames.taken(data), self._text, asked, using)
        return Release(made, _frames.Like(data))

    def __repr__(self) -> str:
        return f"<Mask of {len(self.to_dict()['mask']['columns'])} columns>"


class Release:
    """A release in memory, audited. Nothing was written.

    ``data`` is the caller's kind of frame, ``report``, ``manifest`` and ``mask`` are data, ``save`` writes the folder that the program
    writes. What is in ``public`` may be handed over; ``private`` and ``mask`` stay with the owner.
    """

    def __init__(self, made: _equanym.Release, like: _frames.Like) -> None:
        """Hold a release of a frame such as this, not the frame."""
        self._made = made
        self._like = like
        self._data: Any = None

    @property
    def data(self) -> Any:
        """The released records: pandas for pandas, Polars for Polars, otherwise a table of PyArrow, or an Arrow stream without it."""
        if self._data is None:
            self._data = _frames.given(self._made, self._like)
        return self._data

    @property
    def report(self) -> Findings:
        """What was found, for the owner's eyes: the document that the program prints with ``--json``."""
        return Findings(json.loads(self._made.report()))

    @property
    def manifest(self) -> Findings:
        """What the release claims: it may be handed over."""
        return Findings(json.loads(self._made.public()["manifest.json"]))

    @property
    def mask(self) -> Mask:
        """How the table was recoded, to be applied to others; it holds values."""
        return Mask(self._made.private()["mask.json"].decode())

    @property
    def public(self) -> dict[str, bytes]:
        """The files to hand over, by name, as the program writes them."""
        return self._made.public()

    @property
    def private(self) -> dict[str, bytes]:
        """The files for the owner's eyes, by name; a key is not among them."""
        return self._made.private()

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the folder that the program writes, the same bytes. An existing folder is never overwritten."""
        self._made.save(folder)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Hand the released records over as Arrow."""
        return self._made.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        report = self.report
        return f"<Release: {report['released']} of {report['records']} records, audited>"

    def _repr_html_(self) -> str:
        page = self._made.private()["report.html"].decode()
        # The page stands by itself, styles and all; a frame keeps it from meeting those of the notebook.
        return (
            f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="" width="100%" height="640" '
            'style="border:0" title="The report of the release"></iframe>'
        )


def _band(band: Mapping[str, Any]) -> str:
    if band["to"] is None:
        return f"{band['from']} and more"
    return str(band["from"]) if band["from"] == band["to"] else f"{band['from']} to {band['to']}"


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    return _grid(("", ""), facts)


def _grid(header: Sequence[str], rows: _Table) -> str:
    def line(cells: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    head = line(header, "th") if any(header) else ""
    return f"<table>{head}{''.join(line(row, 'td') for row in rows)}</table>"


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
