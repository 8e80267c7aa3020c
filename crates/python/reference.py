"""Prints `docs/python-reference.md`: every name of the package with its signature and docstring.

    python crates/python/reference.py > docs/python-reference.md
"""

from __future__ import annotations

import inspect

import equanym as eq

HEAD = """# The Python package, name by name

Made from the docstrings by `crates/python/reference.py`; a test compares. [docs/python.md](python.md) tells the story. `eq.families()` has
the cards of privacy models, losses, searches, methods, treatments and the rest, and `help` shows each of them.
"""


def shown(name: str, one: object, level: int) -> list[str]:
    try:
        signature = str(inspect.signature(one)) if callable(one) else ""  # type: ignore[arg-type]
    except (TypeError, ValueError):
        signature = ""
    signature = signature.replace("'", "")
    documented = inspect.cleandoc(getattr(one, "__doc__", None) or "").replace("``", "`").replace(":class:", "")
    return [f"{'#' * level} `{name}{signature}`\n", f"{documented}\n"]


def main() -> None:
    parts = [HEAD]
    functions = [name for name in eq.__all__ if inspect.isfunction(getattr(eq, name))]
    classes = [name for name in eq.__all__ if inspect.isclass(getattr(eq, name)) and name not in ("ArrowStream",)]
    parts.append("## Functions\n")
    for name in functions:
        parts += shown(f"eq.{name}", getattr(eq, name), 3)
    parts.append("## Classes\n")
    for name in classes:
        one = getattr(eq, name)
        if not one.__module__.startswith("equanym"):
            continue
        documented = inspect.cleandoc(one.__doc__ or "").replace("``", "`").replace(":class:", "")
        parts += [f"### `eq.{name}`\n", f"{documented}\n"]
        for member, method in vars(one).items():
            if member.startswith("_"):
                continue
            if isinstance(method, property):
                parts += shown(f"{name}.{member}", method, 4)
            elif inspect.isfunction(method) or isinstance(method, classmethod):
                parts += shown(f"{name}.{member}", getattr(one, member), 4)
    print("\n".join(parts).rstrip())


main()
