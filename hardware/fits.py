"""The screws and their places, with a check of each length against all it passes, from the drawings' measures."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.arm import read_measures


@dataclass(frozen=True)
class Fit:
    """A screw at its place.

    screw: its id in BOM.csv
    many: the number of them there
    where: as BOM.csv words it
    passes: mm between its head and the nut or the hole
    nut: the nut's height, mm
    hole: or the depth of the hole into which it cuts its thread, mm
    """

    screw: str
    many: int
    where: str
    passes: float
    nut: float | None = None
    hole: float | None = None

    def spare_length(self, long: float) -> float:
        """Return how far a screw of this length extends beyond its nut, or the hole beyond its end, mm.

        Below zero it does not fit.
        """
        into = long - self.passes
        return into - self.nut if self.nut is not None else (self.hole or 0.0) - into

    def held_length(self, long: float) -> float:
        """Return the length of its thread in the nut or in the hole, mm."""
        return min(long - self.passes, self.nut if self.nut is not None else self.hole or 0.0)


SPACER_DEEP = 6.0
"""The depth of the thread in a spacer of 11 mm, mm."""


def list_fits() -> list[Fit]:
    """Return every screw that is fitted into something printed."""
    m = read_measures()
    nut, washers = m["m5_nut_high"], 2 * m["m5_washer"]
    camera = m["plate_thick"] - m["plate_sunk"] + m["spacer"] + m["circuit"]
    return [
        Fit("m5-50", 8, "clamp", m["clamp_wide"] - nut + m["m5_washer"], nut=nut),
        Fit("m5-50", 8, "joint", m["tube"] + 2 * m["elbow_thick"] + washers, nut=nut),
        Fit("m5-50", 4, "camera head", m["tube"] + m["slack"] + 2 * m["head_thick"] + washers, nut=nut),
        Fit("tripod-bolt", 1, "camera head", m["plate_thick"] - m["inch_nut_high"] + m["head_thick"] + 1.6, nut=5.6),
        Fit("m2-16", 4, "camera", camera, nut=m["m2_nut_high"]),
        Fit("m25-8", 2, "the Pi", m["circuit"], hole=m["m25_deep"]),
        Fit("m25-8", 2, "the board", m["circuit"], hole=m["m25_deep"]),
        Fit("m25-6", 2, "spacers", m["circuit"], hole=SPACER_DEEP),
        Fit("m3-10", 8, "panel bases", m["floor_"] - m["base_sunk"] + m["slack"], hole=m["m3_deep"]),
        Fit("m3-10", 3, "box cover", m["floor_"], hole=m["m3_deep"]),
    ]


def floor_left() -> float:
    """Return the thickness of the box's floor left by the holes for the Pi's screws, mm."""
    m = read_measures()
    return m["floor_"] + m["pi_post"] - m["m25_deep"]
