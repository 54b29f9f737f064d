"""The referee's public names: the same for people, completion and type checkers."""

from __future__ import annotations

import ast
from pathlib import Path

import referee


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(referee.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    homes = {node.module: tuple(sorted(alias.name for alias in node.names)) for node in imports}
    assert {f"referee{module}": tuple(names) for module, names in referee.FACE.items()}.items() <= homes.items()
    assert sum(len(names) for module, names in homes.items() if module.startswith("referee.")) == len(referee.__all__)
