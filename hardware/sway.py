"""How the arm swings: how often a second, how far when a sleeve brushes it, how long until the picture is still.

Column, boom and head as beams (hardware/frame.py) on the printed parts as springs. What nobody has measured on a bench
is marked so: the printed parts' stiffness is a rule of thumb that may be off by half, the table is taken as rigid.

`python -m hardware.sway` prints the table in ASSEMBLY.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, hypot, pi, sqrt

import numpy as np

from hardware.arm import lens_drop, measures, reach
from hardware.frame import Frame, Matrix, Point, Section

ALUMINIUM = (70e9, 26.3e9, 2700.0)
"""EN AW-6060: Young's modulus and density as thyssenkrupp and others give them; shear modulus for Poisson's 0.33."""
PLA = 3.25e9 * 0.6
"""Young's modulus of printed PLA, Pa (a maker's data sheet as filamentspecs.com quotes it), by the share of a part half
filled inside its walls (chosen by hand)."""
PLA_SHEAR = PLA / 2.7
PLA_STRENGTH = 50e6 * 0.6
"""Tensile strength along the layers, Pa (additive.tools gives 50 to 65 MPa), by the same share."""
ALUMINIUM_STRENGTH = 120e6
"""Yield strength of the softer temper in the shops, T5, Pa (thyssenkrupp's sheet of EN AW-6060)."""
HEAD = 0.25
"""Head and camera, kg: 90 g of print, and a webcam of 160 g."""
GRIP = 0.04
"""From the clamp's back to where its bolt presses, m."""
DAMPING = 0.025
"""Of critical, chosen low: jointed metal frames are given 0.03 to 0.07 (Adams and Askenazi, Building Better Products
with Finite Element Analysis, 1999; not measured on this arm)."""
BRUSH = 2.0
"""A sleeve that brushes the boom's end and lets go, N: chosen by hand."""
JOLT = 0.5e-3
"""A table's top that jumps aside, m."""
STILL = 0.5
"""Pixels below which the picture counts as still."""
MM_A_PIXEL = 22.0 / 29.0
"""At the board: 29 pixels from line to line, as all but the widest camera have them."""


def square_tube(wide: float, wall: float) -> Section:
    """A square tube, measures in mm. The torsion constant is Bredt's: 4 A² t / s, A within the wall's middle line."""
    young, shear, density = ALUMINIUM
    hollow, middle = wide - 2 * wall, wide - wall
    area, second = wide**2 - hollow**2, (wide**4 - hollow**4) / 12
    return Section(
        young, shear, area * 1e-6, second * 1e-12, second * 1e-12, middle**3 * wall * 1e-12, area * 1e-6 * density
    )


def slotted(area: float, broad: float, narrow: float, twist: float) -> Section:
    """A profile with slots, in cm² and cm⁴."""
    young, shear, density = ALUMINIUM
    return Section(young, shear, area * 1e-4, broad * 1e-8, narrow * 1e-8, twist * 1e-8, area * 1e-4 * density)


P2020 = slotted(1.75, 0.70, 0.70, 0.10)
"""20 x 20 with slots of 6 mm: bending as makers of the usual pattern give it; twisting reckoned from its core of 8 mm
(0.141 a⁴) and its legs (b t³ / 3), for it is open and hardly any maker gives it."""
P2040 = slotted(3.2, 4.8, 1.3, 0.23)
"""20 x 40 likewise, its broad side along the boom."""


@dataclass(frozen=True)
class Build:
    """An arm. column, boom: sections; height: of the boom's axis over the table, m; reach: to the lens, m; strut: with
    a brace from the column to the boom, 30 cm from the corner on either; prints: how stiff the printed parts are, of
    what the formulas say."""

    column: Section
    boom: Section
    height: float
    reach: float
    strut: bool = False
    prints: float = 1.0


@dataclass(frozen=True)
class Swing:
    """A way to swing. frequency: Hz; pixels: how far the board's middle moves in the picture at first."""

    frequency: float
    pixels: float

    @property
    def decay(self) -> float:
        """So much of it is lost a second: it is left with exp(-decay * t)."""
        return DAMPING * 2 * pi * self.frequency

    def at(self, t: float) -> float:
        """Pixels, t seconds after it began."""
        return self.pixels * exp(-self.decay * t) * float(np.cos(2 * pi * self.frequency * t))


def usual(camera: float = 750.0, board: float = 30.0, long: float | None = None) -> Build:
    """The arm of the measures, its lens so high over a board so thick (mm), reaching as far as the boom does."""
    m = measures()
    tube = square_tube(m["tube"], m["tube_wall"])
    far = reach() if long is None else reach(long)
    return Build(tube, tube, (camera + board + lens_drop()) / 1000, far / 1000)


class Arm:
    """A build as a frame: what moves the picture, and how it comes to rest."""

    def __init__(self, build: Build) -> None:
        self._build, self._frame = build, Frame()
        self._nodes(build)

    def frequencies(self) -> list[float]:
        """The lowest four, Hz."""
        return [mode.frequency for mode in self._frame.modes()[:4]]

    def pushed(self, force: Point) -> float:
        """How far the head goes when it is pushed so (N), mm."""
        return float(np.linalg.norm(self._frame.moved(self._head, force)[self._head][:3])) * 1000

    def sag(self) -> tuple[float, float]:
        """How far the head sinks under the arm's own weight, mm, and how far it tilts, degrees."""
        head = self._frame.weighed()[self._head]
        return -float(head[2]) * 1000, float(np.degrees(hypot(head[3], head[4])))

    def brushed(self) -> list[Swing]:
        """What swings when a sleeve that pushed the head lets go, the greatest first: sideways, along the boom or up,
        whichever is worst."""
        pushes = [(BRUSH, 0.0, 0.0), (0.0, BRUSH, 0.0), (0.0, 0.0, BRUSH)]
        return max((self._let_go(self._frame.moved(self._head, push)) for push in pushes), key=far)

    def jolted(self, far: float = JOLT) -> list[Swing]:
        """What swings when the table jumps aside by so much (m) and the arm stays behind."""
        behind = np.zeros((len(self._frame), 6))
        behind[:, 1] = -far
        return self._let_go(behind)

    def _let_go(self, still: Matrix) -> list[Swing]:
        found = [
            Swing(mode.frequency, float(np.linalg.norm(self._aimed(mode.shape) * much)) * 1000 / MM_A_PIXEL)
            for mode, much in self._frame.swung(still)[:8]
        ]
        return sorted(found, key=lambda swing: -swing.pixels)

    def _aimed(self, shape: Matrix) -> Matrix:
        """Where the camera looks at on the board, moved by a shape: x and y, m."""
        x, y, _, roll, pitch, _ = shape[self._head]
        down = self._build.height - lens_drop() / 1000
        return np.array([x - pitch * down, y + roll * down])

    def _nodes(self, build: Build) -> None:
        frame, high = self._frame, build.height
        foot_at, top, start = frame.node((0, 0, 0)), frame.node((0, 0, high)), frame.node((0, 0, high))
        end = frame.node((build.reach, 0, high))
        self._head = frame.node((build.reach, 0, high - lens_drop() / 1000))
        frame.hinge(foot_at, None, clamp(build.prints))
        frame.hinge(top, start, elbow(build.prints))
        if build.strut:
            self._braced(foot_at, top, start, end)
        else:
            frame.bar(foot_at, top, build.column, (1, 0, 0))
            frame.bar(start, end, build.boom, (0, 0, 1))
        frame.link(end, self._head)
        frame.mass(self._head, HEAD, 0.03)

    def _braced(self, foot_at: int, top: int, start: int, end: int) -> None:
        frame, build, away = self._frame, self._build, 0.3
        low, out = frame.node((0, 0, build.height - away)), frame.node((away, 0, build.height))
        frame.bar(foot_at, low, build.column, (1, 0, 0))
        frame.bar(low, top, build.column, (1, 0, 0))
        frame.bar(start, out, build.boom, (0, 0, 1))
        frame.bar(out, end, build.boom, (0, 0, 1))
        frame.bar(low, out, square_tube(15, 1.5), (sqrt(0.5), 0, -sqrt(0.5)))


def clamp(prints: float = 1.0) -> Point:
    """How stiffly the printed clamp holds the column against turns about x (along the boom), y and z, Nm/rad.

    Its jaws as cantilevers up to the bolt: twisted (b t³ beta G, Roark's beta 0.235 for 2 to 1), bent up, bent aside.
    """
    m = measures()
    wide, thick = m["clamp_wide"] / 1000, m["jaw_thick"] / 1000
    twisted = 2 * PLA_SHEAR * 0.235 * wide * thick**3 / GRIP
    bent = 3 * PLA * wide * thick**3 / 12 / GRIP
    aside = 2 * 3 * PLA * thick * wide**3 / 12 / GRIP
    return twisted * prints, bent * prints, aside * prints


def elbow(prints: float = 1.0) -> Point:
    """Likewise the plates between column and boom: they shear past each other, bend in their plane, pull as a pair."""
    m = measures()
    high, thick, apart = 2 * m["elbow_back"] / 1000, m["elbow_thick"] / 1000, (m["tube"] + m["elbow_thick"]) / 1000
    long = 0.06
    sheared = 2 * PLA_SHEAR * high * thick / long * (apart / 2) ** 2
    bent = 2 * PLA * thick * high**3 / 12 / long
    pulled = 2 * PLA * high * thick / long * (apart / 2) ** 2
    return sheared * prints, bent * prints, pulled * prints


def far(swings: list[Swing]) -> float:
    """How far the picture goes at most, pixels: all that swings together."""
    return sum(swing.pixels for swing in swings)


def rest(swings: list[Swing]) -> float:
    """Seconds until all of it together is less than STILL pixels, to a tenth."""
    tenths = 0
    while sum(swing.pixels * exp(-swing.decay * tenths / 10) for swing in swings) > STILL:
        tenths += 1
    return tenths / 10


def builds() -> dict[str, Build]:
    """What is compared, by its words in ASSEMBLY.md: all with the lens 75 cm over a board of 3 cm."""
    ours, longer = usual(), usual(long=measures()["boom_longer"])
    high, far = ours.height, ours.reach
    return {
        "slotted profile 20 x 20": Build(P2020, P2020, high, far),
        "the same with a brace": Build(P2020, P2020, high, far, strut=True),
        "column 20 x 40": Build(P2040, P2020, high, far),
        "the same with a brace ": Build(P2040, P2020, high, far, strut=True),
        "**square tube 30 x 30 x 2**": ours,
        "the same with a brace  ": Build(ours.column, ours.boom, high, far, strut=True),
        "the tube, its printed parts half as stiff": Build(ours.column, ours.boom, high, far, prints=0.5),
        "the tube, boom of 1 m": longer,
        "the tube, lens at 93 cm": usual(camera=930.0),
    }


def stresses(newton: float) -> dict[str, float]:
    """What part of its strength each part bears when somebody hangs so much (N) on the boom's end: moment by section
    modulus, b h² / 6, as beam theory has it."""
    m, tube = measures(), usual()
    moment = newton * (m["boom_long"] + m["tube"] / 2) / 1000
    jaw = m["clamp_wide"] * m["jaw_thick"] ** 2 / 6 * 1e-9
    plates = 2 * m["elbow_thick"] * (2 * m["elbow_back"]) ** 2 / 6 * 1e-9
    return {
        "jaw": moment / jaw / PLA_STRENGTH,
        "joint": moment / plates / PLA_STRENGTH,
        "tube": moment * m["tube"] / 2000 / tube.column.broad / ALUMINIUM_STRENGTH,
    }


def table() -> str:
    """All builds as the table in ASSEMBLY.md."""
    head = "| column and boom | lowest two swings | brushed: head moves | picture | still after | table jumps 0.5 mm |"
    return "\n".join([head, "|---|---|---|---|---|---|", *(_row(name, one) for name, one in builds().items())])


def _row(name: str, build: Build) -> str:
    arm = Arm(build)
    first, second, *_ = arm.frequencies()
    brushed, jolted = arm.brushed(), arm.jolted()
    cells = [
        name.strip(),
        f"{first:.1f} and {second:.1f} Hz",
        f"{arm.pushed((0.0, BRUSH, 0.0)):.1f} mm",
        f"{far(brushed):.1f} pixels",
        f"{rest(brushed):.1f} s",
        f"{far(jolted):.0f} pixels, still after {rest(jolted):.1f} s",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print(table())
