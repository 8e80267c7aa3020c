"""What goes wrong, whose turn it is, and what to do next."""

from __future__ import annotations

import re

__all__ = ["EnvironmentError", "EquanymError", "InputError", "PolicyError", "UnsafeReleaseError"]


#: What messages call by its flag on the command line, and what it is called here.
_FLAGS = re.compile(
    r"(?<![\w-])--(key|seed|threads|memory|time-limit|show-values|against|suppression-limit|same-order|target|original|mask|policy|population)\b(?!-)"
)


def _here(text: str) -> str:
    """Call flags by the names of the arguments that they are here."""
    text = re.sub(r"(?<![\w-])--level\b(?: [A-Z]+=[A-Z]+)?", "levels=", text)
    return _FLAGS.sub(lambda flag: f"{flag[1].replace('-', '_')}=", text)


class EquanymError(Exception):
    """A failure with its next step. No message holds a cell of a table.

    ``hint`` says what to do next, where that is known; ``exit_code`` is what the program ends with at the same failure.
    """

    hint: str | None
    exit_code: int = 3

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = _here(message)
        self.hint = None if hint is None else _here(hint)
        super().__init__(self.message if self.hint is None else f"{self.message}\nhint: {self.hint}")

    def __reduce__(self) -> tuple[type[EquanymError], tuple[str, str | None]]:
        return type(self), (self.message, self.hint)


class PolicyError(EquanymError):
    """The policy cannot be read, or says what cannot be; the message has the line."""

    exit_code = 2


class InputError(EquanymError):
    """The use or the table is wrong, or does not fit the policy."""

    exit_code = 2


class UnsafeReleaseError(EquanymError):
    """No safe release exists, or a check of one failed: nothing was released."""

    exit_code = 1


class EnvironmentError(EquanymError):  # noqa: A001
    """The machine failed: disk, memory, threads, a server."""

    exit_code = 3
