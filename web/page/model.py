"""The model of every page: words and drawings made from a table's snapshot. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest

from markupsafe import Markup

from referee import (
    COLOURS,
    LAMPS,
    OFF,
    Bowls,
    Colour,
    ForbiddenPoint,
    HistoryEntry,
    Light,
    Message,
    Phase,
    Ruling,
    Snapshot,
    State,
    Status,
    TableSnapshot,
    Task,
    Tone,
    without_order,
)
from web.formats import Format, format_for
from web.language import ENGLISH, Translator
from web.openapi import MOST_RULINGS
from web.page import labels
from web.page.banner import Banner, count_letters, fit_banner
from web.page.clocks import ClockFace, clock_curves, clock_face, clock_then, newest_answers
from web.page.counting import bowls_after
from web.page.headline import Headline, headline_of
from web.page.navigation import NOW, GamePosition, Neighbours, find_neighbours, is_live, ruling_at, then_at
from web.page.review_view import Worths
from web.page.svg import board_at, lid_svg, lid_words
from web.page.turn_list import Move, row_of, turns_at

MOST_LISTED = 30
"""Newest turns in the list of the present page; a page of an earlier position lists all."""
NAME_SIZES = {"": 20, "long": 36}
"""The most letters of a name in each size of page.css."""
MESSAGE_KEYS = (
    *(f"act.{task}" for task in Task if task is not Task.NOTHING),
    *("page.players", "page.players-alone"),
)


@dataclass(frozen=True)
class Player:
    """A player's card.

    colour: the letter.
    name: the colour's name.
    person: the player's name, if it was given.
    side: the player's seat, if known.
    lamp: its light.
    act: the player's present action or task, in a few words.
    lid: a drawing, empty if there are no lids.
    lid_words: the lid's contents in words.
    prisoners: the number of prisoners of each colour in it; of two players the other's, even if there are none.
    ultimate: True if the player has the ultimate stone.
    clock: if there is one.
    moves: True if this player has to act: it is their turn, or they alone are asked.
    """

    colour: str
    name: str
    person: str
    side: int | None
    lamp: Light
    act: str
    lid: str
    lid_words: str
    prisoners: tuple[tuple[str, int], ...]
    ultimate: bool
    clock: ClockFace | None
    moves: bool

    @property
    def name_size(self) -> str:
        """The size of the name's letters: every name is shown whole, in two or three lines of its strip."""
        letters = count_letters(self.person)
        return next((size for size, most in NAME_SIZES.items() if letters <= most), "longest")


@dataclass(frozen=True)
class Finding:
    """A ruling on the page.

    kind: its status, for the style sheet.
    label: its status and reason in words.
    turn: its number.
    text: the message.
    repeats: the turn after which the same position occurred, 0 for the start.
    """

    kind: str
    label: str
    turn: int
    text: str
    repeats: int | None = None


@dataclass(frozen=True)
class CountStep:
    """A step of the count. is_shown: True if the board after this step is shown."""

    number: int
    sentence: labels.LocalisedText
    is_shown: bool


@dataclass(frozen=True)
class Bar:
    """A point that is forbidden now, and why. name: the point's as people read it here."""

    point: str
    name: str
    reason: str
    text: str


@dataclass(frozen=True)
class PageModel:
    """The contents of a page, each part of it made when it is first asked for; lists are newest first.

    Board, players and finding are of the shown position, the rest is of the present. Every page is a model of this
    kind, with its own parts added.

    snapshot: the table.
    say: the client's language.
    at: the position asked for.
    """

    snapshot: TableSnapshot
    say: Translator = ENGLISH
    at: GamePosition = NOW

    def __post_init__(self) -> None:
        object.__setattr__(self, "say", self.say.on(self.snapshot))

    @property
    def game(self) -> Snapshot:
        """Return the game."""
        return self.snapshot.game

    @cached_property
    def is_live(self) -> bool:
        """True if the present position is shown."""
        return is_live(self.game, self.at)

    @cached_property
    def then(self) -> HistoryEntry | None:
        """The shown turn; None for the present and for the count."""
        return then_at(self.game, self.at)

    @cached_property
    def turn(self) -> int:
        """Number of turns made at the shown position."""
        return self.game.turn if self.at.turn is None else self.at.turn

    @cached_property
    def tried(self) -> int:
        """Index of the shown refused turn, 0 if none."""
        return 0 if self.is_live else self.at.tried

    @cached_property
    def around(self) -> Neighbours:
        """The positions before and after the shown one."""
        return find_neighbours(self.game, self.at)

    @cached_property
    def headline(self) -> Headline:
        """The order to the players; of an earlier position what happened there."""
        return headline_of(self.snapshot, self.say) if self.is_live else self._headline_then()

    def _headline_then(self) -> Headline:
        """Return what was ruled at an earlier position, or the step of the count: it orders nothing."""
        step = next((step.sentence.text for step in self.count if step.is_shown), None)
        ruling_text = self.say.sentence(without_order(self.ruling.message)) if self.ruling is not None else None
        return Headline(Tone.OFF, self._you_are_at(), step or ruling_text or self.say("page.start"))

    def _you_are_at(self) -> str:
        if self.at.step:
            return self.place
        if self.tried:
            return self.say("page.at-tried", turn=self.turn + 1)
        return self.say("page.at-turn", turn=self.turn, turns=self.game.turn)

    @cached_property
    def place(self) -> str:
        """The shown position's place in the game, in words."""
        if self.at.step:
            return self.say("page.step-of", step=self.at.step, steps=len(self.count))
        if self.tried:
            return self.say("page.tried-at", turn=self.turn + 1)
        return self.say("page.turn-of", turn=self.turn, turns=self.game.turn)

    @cached_property
    def label(self) -> str:
        """A few words above the headline: if it is about a ruling, its status and reason."""
        is_about_ruling = (
            self.is_live and self.finding is not None and self.finding.kind == self.snapshot.display_state.state
        )
        return self.finding.label if is_about_ruling and self.finding is not None else self.headline.label

    @cached_property
    def news(self) -> str:
        """The newest turn where the headline is about something else; empty otherwise.

        A refused turn is news only while it stands, and then the headline is about it.
        """
        ruling = self.ruling
        if ruling is None or ruling.status is not Status.LEGAL or not self.is_live or self.game.ended:
            return ""
        text = self.say.sentence(without_order(ruling.message))
        return "" if self.snapshot.display_state.state.value == ruling.status.value else text

    @cached_property
    def banner(self) -> Banner:
        """The order and its reasons, as many as the banner holds."""
        head, say = self.headline, self.say
        news = (labels.LocalisedText(self.news),) if self.news else ()
        person = self.winner.person if self.winner else ""
        link = say("page.see") if self.compared else ""
        return fit_banner(
            self.label, head.text, (*head.reasons, *news), person, link, say("unnamed.link") if head.asks_rules else ""
        )

    @cached_property
    def repeated(self) -> Ruling | None:
        """The refused turn that is shown or stands on the table, if it would repeat a position."""
        trouble = self.snapshot.trouble if self.snapshot.display_state.state is State.ILLEGAL else None
        ruling = trouble if self.is_live else self.ruling if self.tried else None
        return ruling if ruling is not None and ruling.repeats is not None else None

    @property
    def rows_of_players(self) -> tuple[tuple[Player, ...], ...]:
        """The players below the board, the first of them first, and those above it."""
        half = (len(self.players) + 1) // 2
        return self.players[:half], self.players[half:]

    @cached_property
    def are_lids_asked(self) -> bool:
        """True if the lids have to be looked at now."""
        if not self.is_live or not self.players[0].lid:
            return False
        trouble = self.snapshot.trouble
        keys = _message_keys(trouble.message) if trouble is not None else iter(())
        is_asked = any(
            self.snapshot.display_state.task_of(player) is Task.PRISONERS for player in self.snapshot.players
        )
        return is_asked or any("lid" in key for key in keys)

    @cached_property
    def winner(self) -> Player | None:
        """The winner, once there is a result; None if nobody has won."""
        winner = labels.winner_of(self.game) if self.is_live else None
        return next((player for player in self.players if player.colour == winner), None)

    @cached_property
    def about(self) -> tuple[str, ...]:
        """Rules, komi, handicap, time, and the box's certificate."""
        return (*labels.list_terms(self.game, self.say), *labels.certificate_lines(self.snapshot, self.say))

    @cached_property
    def occasion(self) -> str:
        """Event, round, table."""
        return labels.occasion_label(self.snapshot, self.say)

    @cached_property
    def persons(self) -> str:
        """The players' names."""
        return labels.persons_text(self.snapshot, self.say)

    @cached_property
    def sight(self) -> str:
        """The camera's state as a sentence."""
        return labels.sight_text(self.snapshot, self.say)

    @cached_property
    def result(self) -> str | None:
        """The result in words, None during the game."""
        return labels.result_text(self.game, self.say)

    @cached_property
    def format(self) -> Format:
        """The format of the game record."""
        return format_for(len(self.snapshot.players))

    @cached_property
    def board(self) -> str:
        """A drawing of the board."""
        return board_at(self.snapshot, self.at, self.say)

    @cached_property
    def curves(self) -> str:
        """A drawing of the clocks over the turns."""
        return clock_curves(self.game.past.thens, self.say)

    @cached_property
    def to_play(self) -> str:
        """The name of the player to move."""
        return labels.player_name(self.game.to_play, self.say)

    @cached_property
    def mover(self) -> Colour | None:
        """The only player with a task, else the player to move; None once the game has ended."""
        standing = self.snapshot.display_state
        if standing.state is State.ILLEGAL or len(standing.concerned.players) != 1:
            return None if self.game.ended else self.game.to_play
        return standing.concerned.players[0]

    @cached_property
    def bars(self) -> tuple[Bar, ...]:
        """The points that are forbidden now."""
        return tuple(_build_bar(forbidden, self.game, self.say) for forbidden in self.game.past.forbidden_points)

    @cached_property
    def players(self) -> tuple[Player, ...]:
        """The players' cards."""
        persons = self.snapshot.names[: len(self.snapshot.players)]
        seats = zip_longest(self.snapshot.players, persons, fillvalue="")
        return tuple(self._build_player(colour, person) for colour, person in seats if isinstance(colour, Colour))

    def _build_player(self, colour: Colour, person: str) -> Player:
        """Return a player's card for the present, or for a past turn, when nobody has anything to do."""
        game, say, entry, task = self.game, self.say, self.then, self.snapshot.display_state.task_of(colour)
        bowls = bowls_after(game, self.at.step) if entry is None else entry.bowls
        return Player(
            colour.value,
            labels.player_name(colour, say),
            person,
            game.side_of(colour),
            LAMPS[task] if entry is None else OFF,
            _task_text(task, say) if entry is None else "",
            lid_svg(bowls, colour, say) if bowls.are_lids else "",
            lid_words(bowls, colour, say) if bowls.are_lids else "",
            _count_prisoners(bowls, colour) if bowls.are_lids else (),
            bowls.ultimate is colour,
            clock_face(game, colour, say) if entry is None else clock_then(entry, colour, say),
            entry is None and colour is self.mover,
        )

    @cached_property
    def ruling(self) -> Ruling | None:
        """The ruling of the shown position: of the present one what stands, or the newest turn if nothing does.

        A refused turn that was put right is of the past.
        """
        if not self.is_live and not self.at.step:
            return ruling_at(self.game, self.at)
        newest = labels.find_newest_ruling(self.game)
        return self.snapshot.trouble or (newest if newest is not None and newest.status is Status.LEGAL else None)

    @cached_property
    def finding(self) -> Finding | None:
        """The same in words."""
        return None if self.ruling is None else _build_finding(self.ruling, self.say)

    @cached_property
    def compared(self) -> tuple[tuple[GamePosition, str], ...]:
        """The position that a refused turn would repeat, and the one in which it was refused, each with its place."""
        ruling = self.ruling
        about = not self.is_live or (self.finding is not None and self.label == self.finding.label)
        if ruling is None or ruling.repeats is None or not about:
            return ()
        entry = self.game.past.entry_after(ruling.turn - 1)
        nth = entry.tried.index(ruling) + 1 if entry is not None and ruling in entry.tried else 0
        repeated_label = self.say("page.as-then", turn=ruling.repeats) if ruling.repeats else self.say("page.as-start")
        refused_label = self.say("page.tried-at", turn=ruling.turn)
        return (GamePosition(ruling.repeats), repeated_label), (GamePosition(ruling.turn - 1, tried=nth), refused_label)

    @cached_property
    def earlier(self) -> tuple[Finding, ...]:
        """The earlier rulings on turns that were not legal; the list of turns has the others."""
        rulings = [ruling for ruling in self.game.rulings if ruling.status is not Status.LEGAL]
        trouble = self.snapshot.trouble
        return tuple(_build_finding(one, self.say) for one in rulings[: -MOST_RULINGS - 1 : -1] if one != trouble)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The turns, and those that were refused."""
        return tuple(self._moves_back())

    @cached_property
    def _newest_moves(self) -> tuple[Move, ...]:
        """The newest turns: as many as are listed, and one more."""
        return tuple(islice(self._moves_back(), MOST_LISTED + 1))

    def _moves_back(self) -> Iterator[Move]:
        board = self.game.position.board
        for entry in reversed(self.game.past.thens):
            yield from reversed(list(turns_at(entry, board, self.say)))

    @cached_property
    def listed(self) -> tuple[Move, ...]:
        """The turns in the list: the newest alone, so that a long game's page stays small."""
        return self._newest_moves[:MOST_LISTED] if self.is_live else self.moves

    @property
    def rows(self) -> Iterator[Markup]:
        """Yield the list's rows."""
        return (row_of(move, self.say) for move in self.listed)

    @cached_property
    def is_all_listed(self) -> bool:
        """True if these are all."""
        return not self.is_live or len(self._newest_moves) <= MOST_LISTED

    @cached_property
    def act_sentences(self) -> tuple[labels.LocalisedText, ...]:
        """The messages about players' and director's actions."""
        return self._translate_all(answer.message for answer in newest_answers(self.game.answers))

    @cached_property
    def count(self) -> tuple[CountStep, ...]:
        """The steps of an agreed count."""
        steps = self.game.counting.count.steps if self.game.counting.count else ()
        texts = self._translate_all(step.message for step in steps)
        return tuple(CountStep(number, text, number == self.at.step) for number, text in enumerate(texts, 1))

    @cached_property
    def proposed(self) -> tuple[labels.LocalisedText, ...]:
        """The dead chains, doubts and open points of the count that the box proposes, as long as it stands."""
        proposal = self.game.counting.proposal
        stands = proposal is not None and self.is_live and self.game.result is None
        return self._translate_all(proposal.details) if proposal is not None and stands else ()

    @cached_property
    def faults(self) -> tuple[labels.LocalisedText, ...]:
        """The faults of the equipment, except the headline's."""
        in_headline = self.snapshot.display_state.state in (State.LOST, State.UNSHOWN)
        return self._translate_all(
            one for one in self.snapshot.faults if not (in_headline and one == self.snapshot.blind)
        )

    @cached_property
    def is_final(self) -> bool:
        """True if both have agreed to the result."""
        return self.snapshot.phase is Phase.FINAL

    @property
    def worths(self) -> Worths | None:
        """The analysis of the turns, of a finished game's page only."""
        return None

    def _translate_all(self, messages: Iterable[Message]) -> tuple[labels.LocalisedText, ...]:
        return tuple(labels.translate_message(one, self.say) for one in messages)


def _build_bar(forbidden: ForbiddenPoint, game: Snapshot, say: Translator) -> Bar:
    place = game.position.board.name(forbidden.point)
    return Bar(place, say.point(place), forbidden.reason.value, say.sentence(forbidden.message))


def _count_prisoners(bowls: Bowls, owner: Colour) -> tuple[tuple[str, int], ...]:
    """Return the prisoners in a lid, by colour."""
    colours = COLOURS[: len(bowls.contents)]
    counts = ((one, bowls.count_prisoners(owner, one)) for one in colours)
    return tuple((one.value, n) for one, n in counts if n or (len(colours) == 2 and one is not owner))


def _message_keys(message: Message) -> Iterator[str]:
    """Yield the keys of a message and of its parts."""
    yield message.key
    for part in message.then:
        yield from _message_keys(part)


def _task_text(task: Task, say: Translator) -> str:
    return "" if task is Task.NOTHING else say(f"act.{task}")


def _build_finding(ruling: Ruling, say: Translator) -> Finding:
    text = say.sentence(ruling.message)
    return Finding(ruling.status.value, labels.finding_text(ruling, say), ruling.turn, text, ruling.repeats)
