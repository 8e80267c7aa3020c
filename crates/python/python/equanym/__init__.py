"""Releases of microdata with the optimum balance of privacy and utility.

>>> import equanym as eq                      # doctest: +SKIP
>>> policy = eq.draft(frame)                  # doctest: +SKIP
>>> release = eq.release(frame, policy)       # doctest: +SKIP
>>> release.data                              # doctest: +SKIP

Frames of pandas, Polars, PyArrow and DuckDB, and paths as on the command line, come in; the same kind of frame goes out. Work runs
without the interpreter's lock, and Ctrl-C stops it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from equanym import _equanym, _frames, _policy
from equanym._cards import Card
from equanym._equanym import __version__
from equanym._errors import EnvironmentError, EquanymError, InputError, PolicyError, UnsafeReleaseError
from equanym._frames import ArrowStream, Data
from equanym._maps import Alternatives, Frontier
from equanym._options import options as _options
from equanym._options import paths as _paths
from equanym._policy import Policy, PolicyLike, Variable
from equanym._results import Attacks, Balance, Comparison, Findings, Mask, Release, Risk, Verdict

if TYPE_CHECKING:
    from equanym._anonymizer import Anonymizer as Anonymizer

__all__ = [
    "Alternatives",
    "Anonymizer",
    "ArrowStream",
    "Attacks",
    "Balance",
    "Card",
    "Comparison",
    "Data",
    "EnvironmentError",
    "EquanymError",
    "Findings",
    "Frontier",
    "InputError",
    "Mask",
    "Policy",
    "PolicyError",
    "PolicyLike",
    "Release",
    "Risk",
    "UnsafeReleaseError",
    "Variable",
    "Verdict",
    "__version__",
    "alternatives",
    "attack",
    "audit",
    "balance",
    "compare",
    "draft",
    "families",
    "frontier",
    "release",
    "risk",
]

_Path = Union[str, "os.PathLike[str]"]
_Progress = Union[bool, Callable[[str, int], object]]


def draft(
    data: Data, *, threads: int = 0, memory: int | str | None = None, progress: _Progress = False
) -> Policy:
    """Draft a commented policy for a table: roles, hierarchies, a first privacy model.

    It is a proposal. Only a person can say what others may know about the people in the table.
    """
    with _options(threads, memory, progress) as using:
        drafted = json.loads(_equanym.draft(_frames.taken(data), "", using))
    return Policy(drafted["policy"])


def risk(
    data: Data,
    policy: PolicyLike | None = None,
    *,
    threads: int = 0,
    memory: int | str | None = None,
    progress: _Progress = False,
) -> Risk:
    """Measure how likely somebody in a table is recognised, as it is.

    With a policy its quasi-identifiers count; without one those that a draft would propose.
    """
    given = None if policy is None else _policy.of(policy)._given()
    with _options(threads, memory, progress) as using:
        return Risk(json.loads(_equanym.risk(_frames.taken(data), given, using)))


def release(
    data: Data,
    policy: PolicyLike,
    *,
    against: Sequence[_Path] = (),
    key: _Path | None = None,
    seed: int | None = None,
    time_limit: str | float | None = None,
    show_values: bool = False,
    threads: int = 0,
    memory: int | str | None = None,
    progress: _Progress = False,
) -> Release:
    """Find the best safe release of a table and have it audited, in memory: nothing is written.

    ``against`` are the ``public`` folders of earlier releases of the same people; ``key`` is the file of the key for pseudonyms and
    dates that move; ``seed`` is for runs that are to be repeated, and whoever knows it can undo what was drawn; ``time_limit`` is
    in seconds, or a text such as ``"2m"``. Raises :class:`UnsafeReleaseError` where no safe release exists.
    """
    asked: _equanym._Asked = {
        "against": _paths(against),
        "seed": seed,
        "time_limit": f"{int(time_limit * 1000)}ms" if isinstance(time_limit, (int, float)) else time_limit,
        "key": None if key is None else os.fspath(key),
        "show_values": show_values,
    }
    given = _policy.of(policy)._given()
    with _options(threads, memory, progress) as using:
        made = _equanym.release(_frames.taken(data), given, asked, using)
    return Release(made, _frames.Like(data))


def balance(
    data: Data,
    policy: PolicyLike,
    *,
    sweep: Sequence[str] = (),
    threads: int = 0,
    memory: int | str | None = None,
    progress: _Progress = False,
) -> Balance:
    """Find the balance of utility and privacy by the preferences of a policy; ``sweep`` varies ``"alpha"``, ``"ratio"`` or ``"points"``."""
    given = _policy.of(policy)._given()
    with _options(threads, memory, progress) as using:
        report, plots = _equanym.balance(_frames.taken(data), given, list(sweep), using)
    return Balance(json.loads(report), plots)


def frontier(
    data: Data,
    policy: PolicyLike,
    *,
    k: Sequence[int] = (),
    limits: Sequence[float] = (),
    methods: Sequence[str] = (),
    alpha: Sequence[float] = (),
    sweep: Mapping[str, Sequence[float | str]] | None = None,
    risk: str | None = None,
    loss: str | None = None,
    seed: int | None = None,
    resume: _Path | None = None,
    show_values: bool = False,
    threads: int = 0,
    memory: int | str | None = None,
    progress: _Progress = False,
) -> Frontier:
    """Map risk against loss over values of ``k``, suppression ``limits``, ``methods``, weights of utility ``alpha`` and other parameters.

    Every combination is a release, computed exactly from one count of the table; what is not given is as ``[frontier]`` of the policy
    says. ``sweep`` names parameters as ``{"t-closeness.t": [0.1, 0.2]}``; ``risk`` (``"mean"``, ``"highest"``, ``"at-risk"``) and ``loss``
    (``"loss"``, ``"detail"``, ``"withheld"``, or a utility metric) say what is drawn. Methods that draw new values need a ``seed``.
    ``resume`` is a file that keeps known points, so that a map that was stopped goes on where it was.
    """
    swept: _equanym._Swept = {
        "k": list(k),
        "limits": [float(limit) for limit in limits],
        "methods": list(methods),
        "alpha": [float(weight) for weight in alpha],
        "sweep": [f"{name}={','.join(map(str, values))}" for name, values in (sweep or {}).items()],
        "risk": risk,
        "loss": loss,
        "seed": seed,
        "resume": None if resume is None else os.fspath(resume),
        "show_values": show_values,
    }
    given = _policy.of(policy)._given()
    with _options(threads, memory, progress) as using:
        return Frontier(_equanym.map(_frames.taken(data), given, swept, using))


def alternatives(
    data: Data,
    policy: PolicyLike,
    *,
    count: int = 10,
    threads: int = 0,
    memory: int | str | None = None,
    progress: _Progress = False,
) -> Alternatives:
    """Find the best safe nodes in their exact order, and for each level of each column the best safe node that has it."""
    given = _policy.of(policy)._given()
    with _options(threads, memory, progress) as using:
        return Alternatives(json.loads(_equanym.order(_frames.taken(data), given, count, using)))


def compare(
    original: Data,
    released: Release | Data,
    policy: PolicyLike | None = None,
    *,
    target: str | None = None,
    same_order: bool = False,
    clusters: int | None = None,
    starts: int | None = None,
    queries: int | None = None,
    segment: int | None = None,
    threads: int = 0,
    memory: int | str | None = None,
) -> Comparison:
    """Compare a table before and after: a :class:`Release`, a frame, the folder of a release or a file.

    ``clusters`` and ``starts`` are those of k-means, ``queries`` how many questions are asked about each column, ``segment`` how many
    neighbouring records are looked at together; without it as the release was made.
    """
    asked = {"clusters": clusters, "starts": starts, "queries": queries, "segment": segment}
    parameters = {name: value for name, value in asked.items() if value is not None}
    given = None if policy is None else _policy.of(policy)._given()
    after = released._made if isinstance(released, Release) else _frames.taken(released)
    with _options(threads, memory, False) as using:
        found = _equanym.compare(_frames.taken(original), after, given, target, same_order, parameters, using)
    return Comparison(json.loads(found))


def attack(
    released: Release | Data,
    original: Data,
    policy: PolicyLike | None = None,
    *,
    control: Data | None = None,
    threads: int = 0,
    memory: int | str | None = None,
) -> Attacks:
    """Attack a release as somebody would who knows people in it: how often that is right, with intervals.

    ``control`` are people who are not in the table, with the same columns: only what goes beyond their rates was given away.
    ``released`` is a :class:`Release`, the folder of one, or, with a policy that says what columns are, a frame.
    """
    given = None if policy is None else _policy.of(policy)._given()
    after = released._made if isinstance(released, Release) else _frames.taken(released)
    others = None if control is None else _frames.taken(control)
    with _options(threads, memory, False) as using:
        found = _equanym.attack(after, _frames.taken(original), others, given, using)
    return Attacks(json.loads(found))


def audit(
    public: _Path,
    *,
    original: _Path | None = None,
    population: _Path | None = None,
    mask: _Path | None = None,
    key: _Path | None = None,
    policy: PolicyLike | None = None,
    against: Sequence[_Path] = (),
    threads: int = 0,
) -> Verdict:
    """Check each claim of the release in a ``public`` folder, by code that took no part in making it.

    A claim that does not hold is a failed check of the verdict, which is then false; an exception says that there was nothing to judge.
    """
    beside: _equanym._Beside = {
        "original": None if original is None else os.fspath(original),
        "population": None if population is None else os.fspath(population),
        "mask": None if mask is None else os.fspath(mask),
        "key": None if key is None else os.fspath(key),
        "policy": None if policy is None else _policy.of(policy)._given(),
        "against": _paths(against),
    }
    with _options(threads, None, False) as using:
        found, passed = _equanym.audit(public, beside, using)
    return Verdict(json.loads(found), passed)


def families() -> dict[str, dict[str, Card]]:
    """Give the families and their members by name, each with its card: what it does, its parameters, where it was published."""
    found = json.loads(_equanym.families())
    return {family["family"]: {member["name"]: Card(member) for member in family["members"]} for family in found}


def __getattr__(name: str) -> Any:
    # scikit-learn is slow to import, and not required.
    if name == "Anonymizer":
        from equanym._anonymizer import Anonymizer

        return Anonymizer
    raise AttributeError(f"module 'equanym' has no attribute {name!r}")
