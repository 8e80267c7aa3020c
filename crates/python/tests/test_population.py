"""Models that look at a population, which the policy names by a path; and presets."""

from __future__ import annotations

import pathlib

import pyarrow.parquet as pq
import pytest
from conftest import POLICY, table

import equanym as eq

MODEL = 'model = "k-anonymity"\nk = 3'


def policy(folder: pathlib.Path) -> eq.Policy:
    """A policy that looks at a population of everybody thrice."""
    people = table().select(["age", "ward"])
    pq.write_table(people, folder / "one.parquet")
    (folder / "everybody").mkdir()
    for part in range(3):
        pq.write_table(people, folder / "everybody" / f"{part}.parquet")
    asked = POLICY.replace(MODEL, 'model = "k-map"\nk = 9\npopulation = "everybody"')
    return eq.Policy(asked, folder=folder)


def test_a_population_is_found_beside_the_policy(tmp_path: pathlib.Path) -> None:
    release = eq.release(table(), policy(tmp_path))
    assert release.report["population"]["records"] == 2700
    release.save(tmp_path / "out")
    mask = tmp_path / "out/private/mask.json"
    public = tmp_path / "out/public"
    assert eq.audit(public).passed
    assert eq.audit(public, population=tmp_path / "everybody", mask=mask).passed
    again = release.mask.apply(table(), population=tmp_path / "everybody")
    assert again.public["data.csv"] == release.public["data.csv"]
    with pytest.raises(eq.InputError, match="population"):
        release.mask.apply(table())


def test_a_preset_is_a_fragment_of_a_policy() -> None:
    release = eq.release(table(), POLICY.replace(MODEL, 'preset = "cms-11"'))
    assert release.report["privacy"][0]["k"] == 11
