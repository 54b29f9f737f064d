"""A kill in the middle of what changes names in a folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import count


def killed_at(step: int, do: Callable[[], object]) -> bool:
    """Do it in a process that ends before its so-manieth change of a name in a folder; whether it came so far."""
    if (child := os.fork()) == 0:
        steps = count()

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            named = event in ("os.rename", "os.remove", "os.link") and "shinpan-" not in str(arguments[0])
            if named and next(steps) == step:
                os._exit(9)

        sys.addaudithook(hook)
        do()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
