"""Check that our packages are the ones that Python imports: `web` and `vision` are also names of others' packages.

In the wheel they lie in `shinpan`, where nobody else's do; in the project's folder and in older wheels they do not.
This module imports nothing of ours, so that it works where another package lies in front; and what only the doctor
needs when it is asked for, because every command begins here.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("referee", "vision", "device", "web")
NAME = "shinpan"
HERE, HOME = __name__.removesuffix("device.installation"), Path(__file__).parents[1]
"""What comes before the names of our packages, nothing in the project's folder; and the folder in which they lie."""
APART = "install shinpan in an environment of its own, with pipx or make run"


def find_shadowed() -> Iterator[str]:
    """Yield a sentence for each of our packages in whose place another is imported."""
    for package in PACKAGES:
        spec = find_spec(HERE + package)
        if spec is None or spec.origin is None:
            yield f"{HOME / package} has lost its __init__.py; install shinpan again."
        elif Path(spec.origin).parents[1] != HOME:
            yield f"Python takes {Path(spec.origin).parent} for shinpan's {package}; {APART}."


def find_shared() -> Iterator[str]:
    """Yield a sentence for each other distribution that has written files over ours, or ours over its."""
    from importlib.metadata import packages_distributions

    owners = packages_distributions()
    for package in PACKAGES:
        for other in sorted(set(owners.get((HERE + package).partition(".")[0], ())) - {NAME}):
            if _is_own_file(other, HOME / package / "__init__.py"):
                yield f"{other} and shinpan share {HOME / package}, and the later has overwritten the other; {APART}."


def _is_own_file(name: str, path: Path) -> bool:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        files_owner = distribution(name)
    except PackageNotFoundError:
        return False
    return any(Path(str(files_owner.locate_file(file))).resolve() == path.resolve() for file in files_owner.files or ())
