"""A transformer for scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from equanym import _frames, _policy
from equanym._errors import InputError
from equanym._policy import Policy, PolicyLike
from equanym._results import Mask


class Anonymizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Releases tables within a pipeline of scikit-learn.

    ``fit`` finds the best safe release of a table and keeps its mask; ``transform`` applies the mask to a table and proves the guarantees
    again, or raises :class:`UnsafeReleaseError`; ``fit_transform`` is the release itself.

    Records keep their order, because what follows in a pipeline counts on it. For the same reason no record may be withheld: a policy
    whose suppression limit lets records go is refused as soon as one of them would. Columns that the policy calls identifying go.

    Without a policy ``fit`` drafts one, in which no record may be withheld and every column may be given up; that is for trying things
    out.
    """

    n_features_in_: int

    def __init__(self, policy: PolicyLike | None = None) -> None:
        self.policy = policy

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Find the best safe release of ``X`` and keep its mask."""
        self._release(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Any:
        """Find the best safe release of ``X`` and give it."""
        return self._given(self._release(X), X)

    def transform(self, X: Any) -> Any:
        """Release ``X`` as the fitted table was: the guarantees hold on ``X``, too, or it raises."""
        check_is_fitted(self)
        frame = self._frame(X, reset=False)
        return self._given(self.mask_.apply(frame), X)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Give the names of the released columns."""
        check_is_fitted(self)
        if input_features is not None and list(input_features) != list(self._names()):
            raise ValueError("input_features is not equal to feature_names_in_")
        return np.asarray(self.released_, dtype=object)

    def _release(self, X: Any) -> Any:
        from equanym import draft, release

        frame = self._frame(X, reset=True)
        policy = draft(frame) if self.policy is None else Policy(_policy.of(self.policy))
        if self.policy is None:
            policy.set("method.suppression_limit", 0.0)
            for name in policy:
                policy[name].levels = None
        policy.set("output.order", "input")
        made = release(frame, policy)
        self.mask_: Mask = made.mask
        self.policy_ = policy
        self.released_ = [name for name in made.data.column_names]
        return made

    def _given(self, made: Any, like: Any) -> Any:
        data = made.data
        withheld = made.report["records"] - made.report["released"]
        if withheld:
            raise InputError(
                f"{withheld} records would be withheld, and a pipeline counts on all of them",
                "set suppression_limit = 0 in [method], or release the table before the pipeline",
            )
        kind = _frames.kind_of(like)
        if kind == "pandas":
            frame = data.to_pandas()
            frame.index = like.index
            return frame
        if kind == "polars":
            import polars

            return polars.from_arrow(data)
        return np.column_stack([np.asarray(column.to_pylist(), dtype=object) for column in data.columns])

    def _names(self) -> Any:
        return getattr(self, "feature_names_in_", [f"x{place}" for place in range(self.n_features_in_)])

    def _frame(self, X: Any, *, reset: bool) -> Any:
        """Give ``X`` as a table of Arrow, checked as scikit-learn checks it."""
        import pyarrow

        kind = _frames.kind_of(X)
        checked = validate_data(
            self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan", skip_check_array=kind in ("pandas", "polars")
        )
        if kind == "polars":
            return X.to_arrow()
        if kind == "pandas":
            return _frames._of_pandas(X)
        try:
            return pyarrow.table([pyarrow.array(column) for column in np.asarray(checked).T], names=list(self._names()))
        except Exception as error:
            raise InputError(f"the table cannot be handed over: PyArrow fails with {type(error).__name__}") from None
