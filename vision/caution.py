"""What the stone net may be sure of: less where a black stone is as bright as white ones, and where much is doubtful.

Where wood shines and stones do not, white stones are darker than what lies round them, and the net takes some for
black. They are still as bright as the board's other white stones.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

DOUBTFUL_BELOW = 0.98
"""A point whose likeliest content is less likely than this is to be looked at again, or by a person."""
BRIGHT = 0.3
"""A stone read as black is as likely white when its brightness is more than this share of the way from that of the
board's black stones to that of its white ones."""
EITHER = 0.45
"""What of a black stone's probability is then given to white."""
FEWEST, APART = 5, 10.0
"""So many sure stones of each colour tell their brightness, when it differs by so many levels."""
MANY = 0.05
"""Where more than this share of the points that nothing hides is doubtful ..."""
COOLED = 1.36
"""... all log odds are divided by this: what was 0.995 becomes 0.98."""
BLACK, WHITE = 1, 2


def cautious(probabilities: Floats, hidden: npt.NDArray[np.bool_], brightness: Floats) -> Floats:
    """Probabilities that can be believed, of empty, black and white, shape (size, size, 3), as given.

    hidden: points under a hand or beside one, shape (size, size). brightness: that of every point's middle, 0 to 255,
    shape (size, size).
    """
    believed = _either(probabilities, brightness)
    doubtful = (believed.max(axis=-1) < DOUBTFUL_BELOW) & ~hidden
    if doubtful.sum() <= MANY * hidden.size:
        return believed
    cooled = believed ** np.float32(1 / COOLED)
    return np.asarray(cooled / cooled.sum(axis=-1, keepdims=True), np.float32)


def _either(probabilities: Floats, brightness: Floats) -> Floats:
    """The same, black stones that are too bright for the board's black ones being white almost as likely."""
    read, sure = probabilities.argmax(axis=-1), probabilities.max(axis=-1) >= DOUBTFUL_BELOW
    black, white = (brightness[sure & (read == colour)] for colour in (BLACK, WHITE))
    if min(len(black), len(white)) < FEWEST:
        return probabilities
    dark, bright = float(np.median(black)), float(np.median(white))
    if bright - dark < APART:
        return probabilities
    bright_ones = (read == BLACK) & (brightness > dark + BRIGHT * (bright - dark))
    told = probabilities.copy()
    told[bright_ones, WHITE] += EITHER * told[bright_ones, BLACK]
    told[bright_ones, BLACK] *= 1 - EITHER
    return told
