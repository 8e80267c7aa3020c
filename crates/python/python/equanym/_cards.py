"""Members of families, described by their cards."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Mapping
from typing import Any

from equanym._results import Findings


class Card(Findings):
    """A member of a family: what it does, what it takes, what it promises and where it was published.

    The docstring of each is made from its card, so ``help`` tells of it.
    """

    def __init__(self, card: Mapping[str, Any]) -> None:
        """Hold a card."""
        super().__init__(card)
        self.__doc__ = _told(card)

    def __repr__(self) -> str:
        return f"<Card {self['name']}: {self['summary']}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.__doc__ or '')}</pre>"


def _told(card: Mapping[str, Any]) -> str:
    parts = [f"{card['name']}: {card['summary']}", *textwrap.wrap(card["about"], 100)]
    if card["parameters"]:
        parts.append("Parameters:")
        parts.extend(f"    {one['name']}: {one.get('summary') or one.get('about') or ''}" for one in card["parameters"])
    parts.append(f"Source: {card['source']}")
    return "\n".join(parts)
