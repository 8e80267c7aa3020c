"""Policies: text, path, dict and object mean the same, and are refused in the same words."""

from __future__ import annotations

import pathlib

import pytest
from conftest import POLICY, table

import equanym as eq


def test_all_kinds_mean_the_same(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(POLICY)
    as_dict = eq.Policy(POLICY).to_dict()
    assert as_dict["privacy"] == [{"model": "k-anonymity", "k": 3}]
    policies = [POLICY, path, str(path), as_dict, eq.Policy(POLICY)]
    expected = eq.release(table(), POLICY).public
    assert all(eq.release(table(), policy).public == expected for policy in policies)
    assert all(eq.Policy(policy) == eq.Policy(POLICY) for policy in policies)


def test_all_kinds_are_refused_in_the_same_words(tmp_path: pathlib.Path) -> None:
    wrong = '[variables.age]\nrolle = "identifying"\n'
    path = tmp_path / "policy.toml"
    path.write_text(wrong)
    said = set()
    for policy in (wrong, path, {"variables": {"age": {"rolle": "identifying"}}}):
        with pytest.raises(eq.PolicyError) as caught:
            eq.release(table(), policy)
        assert caught.value.exit_code == 2 and caught.value.hint
        said.add(str(caught.value))
    assert len(said) == 1 and "policy line 2: unknown key `rolle` in [variables.age]" in said.pop()


def test_columns_are_edited_with_their_comments() -> None:
    policy = eq.draft(table())
    comments = [line for line in str(policy).splitlines() if line.startswith("#")]
    assert comments
    policy.set("method.suppression_limit", 0.02)
    assert [line for line in str(policy).splitlines() if line.startswith("#")] == comments
    assert policy["nights"].hierarchy
    policy["nights"].role = "sensitive"
    assert (policy["nights"].role, policy["nights"].hierarchy) == ("sensitive", None)
    assert "# number, 11 distinct values" in str(policy)
    before = str(policy)
    with pytest.raises(eq.PolicyError, match="role"):
        policy["nights"].role = "secret"
    assert str(policy) == before
    with pytest.raises(KeyError):
        policy["nobody"]
    assert "nights" in policy and len(policy) == 9 and list(policy)[0] == "name"


def test_values_of_all_kinds_are_written() -> None:
    policy = eq.Policy(POLICY)
    policy.set("method.suppression_limit", 0.25)
    policy["age"].hierarchy = {"intervals": [10, 30]}
    policy["ward"].levels = {"max": 1}
    assert policy.to_dict()["method"]["suppression_limit"] == 0.25
    assert policy["age"].hierarchy == {"intervals": [10, 30]}
    policy["ward"].levels = None
    assert policy["ward"].levels is None
    assert eq.Policy(policy.to_dict()) == policy


@pytest.mark.parametrize("policy", [5, ["x"], {"variables": {"a": {"role": object()}}}, {1: 2}, "no/such/file"])
def test_what_is_no_policy(policy: object) -> None:
    with pytest.raises(eq.EquanymError) as caught:
        eq.release(table(), policy)  # type: ignore[arg-type]
    assert caught.value.exit_code == 2


def test_names_that_need_quotes(tmp_path: pathlib.Path) -> None:
    import polars as pl

    name = 'Größe "in" cm.\n'
    frame = pl.DataFrame({name: [1, 1, 2, 2]})
    policy = {"variables": {name: {"role": "quasi-identifying"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    assert eq.release(frame, policy).data.columns == [name]
