"""Pictures that hold no Go board: what else has lines, squares, rounds and lattices, drawn flat and photographed.

A lattice of exactly 9, 13 or 19 lines both ways that ends at a border is left out: to any camera it is a board without
stones.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.support.negatives import boards, paper, surfaces, things
from vision.camera.frame import Image

KINDS: dict[str, Callable[[np.random.Generator], Image]] = {
    kind.__name__.replace("_", " "): kind for kind in (*boards.ALL, *paper.ALL, *surfaces.ALL, *things.ALL)
}
"""The drawings, by name."""
