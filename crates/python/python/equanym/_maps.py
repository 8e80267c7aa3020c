"""What there is to choose from: the map of risk and loss, and the best safe nodes."""

from __future__ import annotations

import json
import os
from typing import Any

from equanym import _equanym
from equanym._policy import Policy
from equanym._results import Findings, _grid, _number


class Frontier(Findings):
    """The risk–utility map: what releases under many policies would risk and lose, and which of them are worth a look.

    ``frontier["points"]`` are all of them, ``frontier["front"]`` the places of those that no other dominates, from the least risk on.
    It depends on records that a release withholds: keep it to yourself.
    """

    def __init__(self, made: _equanym.Map) -> None:
        """Hold what was found."""
        super().__init__(json.loads(made.report()))
        self._made = made

    @property
    def svg(self) -> str:
        """The drawing: risk from left to right, loss from bottom to top."""
        return self._made.svg()

    @property
    def front(self) -> list[dict[str, Any]]:
        """The points that no other dominates, from the least risk on."""
        return [self["points"][place] for place in self["front"]]

    def policy(self, place: int) -> Policy:
        """Give the policy of a point by its place in ``frontier["points"]``: its release is that point."""
        texts, folder = self._made.policies()
        return Policy(texts[place], folder=folder)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the folder that the program writes: page, drawing, table, and a policy for each point of the front."""
        self._made.save(folder)

    def __repr__(self) -> str:
        return f"<Frontier: {len(self['points'])} points, {len(self['front'])} on the front>"

    def _repr_html_(self) -> str:
        return self.svg


class Alternatives(Findings):
    """The best safe nodes in their order, and what each level of each column would cost."""

    def __repr__(self) -> str:
        return f"<Alternatives: {len(self['alternatives'])} of {self['lattice']} nodes>"

    def _repr_html_(self) -> str:
        rows = [
            (place, _number(one["loss"]), one["suppressed"], ", ".join(f"{name} {level}" for name, level in one["node"].items()))
            for place, one in enumerate(self["alternatives"], 1)
        ]
        return _grid(("place", "loss", "withheld", "levels"), rows)
