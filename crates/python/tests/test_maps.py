"""The map of risk and loss, and the best safe nodes: what the program finds, in memory."""

from __future__ import annotations

import json
import pathlib
import subprocess

import polars as pl
import pyarrow.parquet as pq
import pytest
from conftest import POLICY, files, table

import equanym as eq

GRID = {"k": [2, 3, 5], "limits": [0, 0.1]}


def test_it_is_the_map_of_the_program(tmp_path: pathlib.Path, program: list[str]) -> None:
    pq.write_table(table(), tmp_path / "data.parquet")
    (tmp_path / "policy.toml").write_text(POLICY)
    command = [*program, "frontier", "data.parquet", "--policy", "policy.toml", "--k", "2,3,5", "--limits", "0,0.1"]
    ran = subprocess.run([*command, "--json", "--out", "map"], cwd=tmp_path, check=True, capture_output=True)
    for data in (table(), pl.from_arrow(table()), tmp_path / "data.parquet"):
        found = eq.frontier(data, POLICY, **GRID)
        assert found.to_dict() == json.loads(ran.stdout)
    found.save(tmp_path / "saved")
    assert files(tmp_path / "saved") == files(tmp_path / "map")
    with pytest.raises(eq.InputError):
        found.save(tmp_path / "saved")


def test_each_point_of_the_front_is_a_release() -> None:
    found = eq.frontier(table(), POLICY, methods=["global-recoding", "mondrian"], **GRID)
    assert found.front and len(found["points"]) == 12
    for place in found["front"]:
        point, release = found["points"][place], eq.release(table(), found.policy(place))
        for key in ("node", "suppressed", "released", "classes", "risk"):
            assert point[key] == release.report[key], key


def test_it_draws_itself() -> None:
    found = eq.frontier(table(), POLICY, sweep={"k-anonymity.k": [2, 4]}, risk="highest", loss="withheld")
    drawn = found._repr_html_()
    assert drawn.startswith("<svg") and "highest risk" in drawn and "PLANTED" not in drawn
    assert "2 points" in repr(found)


def test_wrong_wishes_are_refused() -> None:
    wrong = [{"k": [0]}, {"limits": [2.0]}, {"risk": "none"}, {"loss": "none"}, {"sweep": {"k": [1]}}, {"alpha": [0.5]}]
    for wish in wrong:
        with pytest.raises(eq.EquanymError) as caught:
            eq.frontier(table(), POLICY, **wish)  # type: ignore[arg-type]
        assert caught.value.exit_code == 2, wish


def test_a_map_goes_on_where_it_was(tmp_path: pathlib.Path) -> None:
    first = eq.frontier(table(), POLICY, resume=tmp_path / "points", **GRID)
    assert eq.frontier(table(), POLICY, resume=tmp_path / "points", **GRID).to_dict() == first.to_dict()
    assert b"PLANTED" not in (tmp_path / "points").read_bytes()


def test_alternatives_are_those_of_the_program(tmp_path: pathlib.Path, program: list[str]) -> None:
    pq.write_table(table(), tmp_path / "data.parquet")
    (tmp_path / "policy.toml").write_text(POLICY)
    command = [*program, "alternatives", "data.parquet", "--policy", "policy.toml", "--count", "3", "--json"]
    ran = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    found = eq.alternatives(table(), POLICY, count=3)
    assert found.to_dict() == json.loads(ran.stdout)
    assert found._repr_html_().startswith("<table")
