"""The prisoner bowls (the lids): whose stones lie in whose bowl, and the ultimate stone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.board import COLOURS, Colour

_LETTERS = tuple(colour.value for colour in COLOURS)


@dataclass(frozen=True)
class Bowls:
    """Prisoners by owner and colour: contents[owner][colour] counts them, the ultimate stone left out.

    ultimate: the colour of the ultimate stone, which is also the owner of the bowl it lies in (Ultimate Go rule 6);
    None before the first delay and in rule sets without one. ultimate_delays: under the original rules, who has given
    the ultimate prisoner beside their bowl, the first one first.
    """

    contents: tuple[tuple[int, ...], ...]
    ultimate: Colour | None = None
    ultimate_delays: tuple[Colour, ...] = ()

    @property
    def are_lids(self) -> bool:
        """Whether they lie on the table: the lids belong to two sides, and a table of more players has none."""
        return len(self.contents) == 2

    @property
    def told(self) -> Colour | None:
        """What answers call "ultimate": the ultimate stone's colour, or who was first to give an ultimate prisoner."""
        return self.ultimate or next(iter(self.ultimate_delays), None)

    def count(self, owner: Colour, colour: Colour) -> int:
        """How many prisoners of that colour lie in the owner's bowl, the ultimate stone not among them."""
        return self.contents[COLOURS.index(owner)][COLOURS.index(colour)]

    def stones(self, owner: Colour, colour: Colour) -> int:
        """How many stones of that colour can be seen in the owner's lid, the ultimate stone among them."""
        return self.count(owner, colour) + (self.ultimate is owner and colour is owner)

    def moved(self, owner: Colour, colour: Colour, change: int) -> Bowls:
        """The bowls with `change` more (or fewer) stones of a colour in the owner's bowl."""
        contents = [list(bowl) for bowl in self.contents]
        contents[COLOURS.index(owner)][COLOURS.index(colour)] += change
        return replace(self, contents=tuple(map(tuple, contents)))

    def with_ultimate(self, owner: Colour) -> Bowls:
        """The bowls with the ultimate stone in that owner's bowl."""
        return replace(self, ultimate=owner)

    def with_ultimate_delay(self, player: Colour) -> Bowls:
        """The bowls after this player's ultimate delay under the original rules."""
        return replace(self, ultimate_delays=(*self.ultimate_delays, player))

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Owner letter to colour letter to count, colours that are not there left out."""
        bowls = zip(_LETTERS, self.contents, strict=False)
        return {owner: {_LETTERS[i]: count for i, count in enumerate(bowl) if count} for owner, bowl in bowls}


def empty_bowls(players: int = 2) -> Bowls:
    """Bowls with nothing in them."""
    return Bowls(((0,) * players,) * players)


def bowls_of(counts: Mapping[str, Mapping[str, int]], players: int = 2) -> Bowls:
    """Bowls from owner letter to colour letter to count (the form of `as_dict`); raises KeyError or ValueError."""
    bowls = empty_bowls(players)
    for owner, colours in counts.items():
        for colour, count in colours.items():
            bowls = bowls.moved(Colour(owner), Colour(colour), count)
    return bowls
