"""The prisoner bowls (the lids): the prisoners in each player's bowl, and the ultimate stone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.game.board import COLOURS, Colour

_LETTERS = tuple(colour.value for colour in COLOURS)


@dataclass(frozen=True)
class Bowls:
    """Prisoners by owner and colour.

    Attributes:
        contents: contents[owner][colour] is the count, the ultimate stone left out.
        ultimate: the colour of the ultimate stone, and so the owner of its bowl (Ultimate Go rule 6); None before the
            first delay and in rule sets without one.
        ultimate_delays: under the original rules, the players who have given the ultimate prisoner beside their bowl,
            the first one first.
    """

    contents: tuple[tuple[int, ...], ...]
    ultimate: Colour | None = None
    ultimate_delays: tuple[Colour, ...] = ()

    @property
    def are_lids(self) -> bool:
        """Return True if the bowls are lids on the table, which exist only for two players."""
        return len(self.contents) == 2

    @property
    def ultimate_owner(self) -> Colour | None:
        """Return the "ultimate" of a reply: the ultimate stone's colour, or the first giver of an ultimate prisoner."""
        return self.ultimate or next(iter(self.ultimate_delays), None)

    def count_prisoners(self, owner: Colour, colour: Colour) -> int:
        """Return the number of prisoners of that colour in the owner's bowl, without the ultimate stone."""
        return self.contents[COLOURS.index(owner)][COLOURS.index(colour)]

    def count_visible_stones(self, owner: Colour, colour: Colour) -> int:
        """Return the number of stones of that colour visible in the owner's lid, the ultimate stone included."""
        return self.count_prisoners(owner, colour) + (self.ultimate is owner and colour is owner)

    def list_visible_stones(self) -> tuple[tuple[int, int], ...]:
        """Return the visible black and white stones of each bowl, in the owners' order of play."""
        return tuple(
            (self.count_visible_stones(owner, Colour.BLACK), self.count_visible_stones(owner, Colour.WHITE))
            for owner in COLOURS[: len(self.contents)]
        )

    def change_count(self, owner: Colour, colour: Colour, change: int) -> Bowls:
        """Return the bowls with `change` more (or fewer) stones of a colour in the owner's bowl."""
        contents = [list(bowl) for bowl in self.contents]
        contents[COLOURS.index(owner)][COLOURS.index(colour)] += change
        return replace(self, contents=tuple(map(tuple, contents)))

    def with_ultimate(self, owner: Colour) -> Bowls:
        """Return the bowls with the ultimate stone in that owner's bowl."""
        return replace(self, ultimate=owner)

    def with_ultimate_delay(self, player: Colour) -> Bowls:
        """Return the bowls after this player's ultimate delay under the original rules."""
        return replace(self, ultimate_delays=(*self.ultimate_delays, player))

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Return owner letter to colour letter to count, without zero counts."""
        bowls = zip(_LETTERS, self.contents, strict=False)
        return {owner: {_LETTERS[i]: count for i, count in enumerate(bowl) if count} for owner, bowl in bowls}


def empty_bowls(players: int = 2) -> Bowls:
    """Return bowls without prisoners."""
    return Bowls(((0,) * players,) * players)


def bowls_of(counts: Mapping[str, Mapping[str, int]], players: int = 2) -> Bowls:
    """Build bowls from owner letter to colour letter to count (the form of `as_dict`). Raise KeyError or ValueError."""
    bowls = empty_bowls(players)
    for owner, colours in counts.items():
        for colour, count in colours.items():
            bowls = bowls.change_count(Colour(owner), Colour(colour), count)
    return bowls
