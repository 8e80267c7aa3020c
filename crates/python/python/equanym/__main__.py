"""The program ``equanym``, as a console script or ``python -m equanym``."""

from __future__ import annotations

import sys

from equanym._equanym import program


def main() -> int:
    """Run the program with the arguments of the process; give its exit code."""
    return program(["equanym", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
