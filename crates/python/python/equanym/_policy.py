"""Policies: text, path, dict or object, all read by the same rules."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Union

from equanym import _equanym
from equanym._errors import InputError, PolicyError

#: A policy: TOML, the path of a file, a dict of the same shape, or a :class:`Policy`.
PolicyLike = Union["Policy", str, "os.PathLike[str]", Mapping[str, Any]]


class Policy:
    """What is asked of a release.

    ``print(policy)`` shows the commented TOML; ``policy["age"]`` is a column, whose keys are attributes:
    ``policy["age"].role = "quasi-identifying"``. Each change is read as strictly as a file: what cannot be is refused, and the policy
    stays as it was.
    """

    def __init__(self, policy: PolicyLike, *, folder: str | os.PathLike[str] | None = None) -> None:
        """Read a policy. ``folder`` is where its hierarchy files are; for a path it is that of the file."""
        text, beside = _text(policy)
        self._folder = Path(folder if folder is not None else beside)
        self._text = text
        _equanym.check(text, self._folder)

    @property
    def text(self) -> str:
        """The TOML, with its comments."""
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """Give the policy as a dict of the same shape."""
        return _equanym.parsed(self._text)

    def set(self, path: str | tuple[str, ...], value: Any) -> None:
        """Set the value at a path of keys, such as ``"method.search"``; None removes it."""
        keys = tuple(path.split(".")) if isinstance(path, str) else path
        self._update(keys[:-1], {keys[-1]: value})

    def _update(self, path: tuple[str, ...], keys: Mapping[str, Any]) -> None:
        text = self._text
        for key, value in keys.items():
            text = _equanym.edited(text, [*path, key], None if value is None else _literal(value))
        _equanym.check(text, self._folder)
        self._text = text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the TOML to a new file."""
        with open(path, "x", encoding="utf-8") as file:
            file.write(self._text)

    def __getitem__(self, column: str) -> Variable:
        variables = self.to_dict().get("variables", {})
        if column not in variables:
            raise KeyError(column)
        return Variable(self, column)

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict().get("variables", {}))

    def __len__(self) -> int:
        return len(self.to_dict().get("variables", {}))

    def __contains__(self, column: object) -> bool:
        return column in self.to_dict().get("variables", {})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Policy of {len(self)} columns>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"

    def _given(self) -> tuple[str, Path]:
        return self._text, self._folder


class Variable:
    """A column of a policy; its keys are attributes.

    ``update`` changes several at once. A column that is no longer quasi-identifying loses its ladder, bounds and points, where they
    have no meaning any more.
    """

    __slots__ = ("_name", "_policy")

    _name: str
    _policy: Policy

    def __init__(self, policy: Policy, name: str) -> None:
        object.__setattr__(self, "_policy", policy)
        object.__setattr__(self, "_name", name)

    def _keys(self) -> dict[str, Any]:
        keys = self._policy.to_dict()["variables"][self._name]
        assert isinstance(keys, dict)
        return keys

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        return self._keys().get(key)

    def update(self, **keys: Any) -> None:
        """Change several keys at once; None removes one."""
        self._policy._update(("variables", self._name), keys)

    def __setattr__(self, key: str, value: Any) -> None:
        try:
            self.update(**{key: value})
        except PolicyError:
            if key != "role" or value == "quasi-identifying":
                raise
            self.update(role=value, hierarchy=None, levels=None, points=None)

    def __delattr__(self, key: str) -> None:
        self._policy.set(("variables", self._name, key), None)

    def __dir__(self) -> list[str]:
        return sorted(self._keys())

    def __repr__(self) -> str:
        return f"<Variable {self._name!r}: {self._keys()!r}>"


def of(policy: PolicyLike) -> Policy:
    """Give a policy of any kind as an object."""
    return policy if isinstance(policy, Policy) else Policy(policy)


def _text(policy: PolicyLike) -> tuple[str, str | os.PathLike[str]]:
    if isinstance(policy, Policy):
        return policy._given()
    if isinstance(policy, Mapping):
        return _toml(policy), ""
    if isinstance(policy, os.PathLike) or (isinstance(policy, str) and _is_path(policy)):
        path = Path(policy)
        try:
            return path.read_text(encoding="utf-8-sig"), path.parent
        except OSError as error:
            raise InputError(f"{str(path)!r}: the policy cannot be opened: {error.strerror or type(error).__name__}") from None
        except UnicodeDecodeError:
            raise PolicyError(f"{str(path)!r}: the policy is not UTF-8", "save it as UTF-8") from None
    if isinstance(policy, str):
        return policy, ""
    raise PolicyError(
        f"an object of type {type(policy).__qualname__} is no policy", "hand over TOML, a path, a dict or a Policy"
    )


def _is_path(text: str) -> bool:
    """A text of one line that assigns nothing is the path of a file."""
    return bool(text.strip()) and "\n" not in text and "=" not in text and not text.lstrip().startswith(("[", "#"))


def _toml(policy: Mapping[str, Any]) -> str:
    lines: list[str] = []
    _table(lines, (), policy)
    return "\n".join(lines) + "\n"


def _table(lines: list[str], path: tuple[str, ...], table: Mapping[str, Any]) -> None:
    """Write a table: its plain keys first, then what becomes a table of its own."""
    below = {key: value for key, value in table.items() if _is_below(path, key, value)}
    if path and (len(below) < len(table) or not table):
        lines.append(f"[{'.'.join(map(_key, path))}]")
    for key, value in table.items():
        if key not in below and value is not None:
            lines.append(f"{_key(key)} = {_literal(value)}")
    for key, value in below.items():
        if isinstance(value, Mapping):
            _table(lines, (*path, key), value)
            continue
        for one in value:
            lines.append(f"[[{'.'.join(map(_key, (*path, key)))}]]")
            lines.extend(f"{_key(inner)} = {_literal(of)}" for inner, of in one.items() if of is not None)


def _is_below(path: tuple[str, ...], key: str, value: Any) -> bool:
    if isinstance(value, Mapping):
        # [variables.age] is a table; what is within it stands in one line.
        return len(path) < 1 or path == ("variables",)
    return not path and isinstance(value, (list, tuple)) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise PolicyError(f"a key of the policy is of type {type(key).__name__}", "keys are text")
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _quoted(key)


def _quoted(text: str) -> str:
    # JSON's escapes are TOML's, but for the one character that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_literal(one) for one in value)}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_literal(one)}' for key, one in value.items() if one is not None)} }}"
    if hasattr(value, "item"):
        # A number of NumPy.
        return _literal(value.item())
    raise PolicyError(f"a value of type {type(value).__qualname__} cannot stand in a policy", "use text, numbers, truths, lists, dicts")
