"""The wall: one game on a projector or a television, readable from across the room, and as an overlay for a stream."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice

from flask import Flask, Response, render_template, request

from referee import COLOURS, Colour, Message, Ruling, Sight, Snapshot, State, Status, TableSnapshot, reason_for
from web.allowed_hosts import address_for_others
from web.backend import Backend
from web.language import Translator, find_translator
from web.page import labels
from web.page.clocks import newest_answers
from web.page.model import PageModel, Player
from web.page.partials import DiffedPage
from web.page.qr import qr_svg
from web.responses import keep_language, request_translator

WALL, OVERLAY = "wall", "overlay"
"""The kinds of wall; the second, as a query, is the wall without its background, to be laid over a stream's picture."""
MOST_SENTENCES = 6
"""Number of newest rulings and remarks shown."""
LONG_CLOCK = 5
"""Characters of a clock, "59:59", beyond which its digits are set narrower."""
SHORT, LONG = 24, 60
"""Characters of an order up to which it is set in the largest letters, and beyond which in the smallest."""
_OVER = (State.FINAL, State.RESULT)


SHORTENED = (
    "lift.played",
    "unexplained.gone",
    "unexplained.other-colour",
    "unexplained.out-of-turn",
    "unexplained.point",
    "unexplained.points",
)
"""Rulings that the wall says in a few words of its own, because the order says what to do."""
MESSAGE_KEYS = tuple(f"wall.{key}" for key in SHORTENED)


@dataclass(frozen=True)
class Reason(labels.LocalisedText):
    """A reason in a few words. whole: the same as a sentence, for screen readers."""

    whole: str = ""


@dataclass(frozen=True)
class Seat:
    """A player's row.

    player: the player's card.
    lit: True if it is this player's turn.
    prisoners: the prisoners in the lid by colour, if any.
    beside: the text beside the clock now, such as for overtime.
    narrow: True if the clock's digits are narrow.
    """

    player: Player
    lit: bool
    prisoners: tuple[tuple[str, int], ...]
    beside: str
    narrow: bool


@dataclass(frozen=True)
class WallModel(PageModel):
    """The contents of the wall."""

    @cached_property
    def mover(self) -> Colour | None:
        """The winner, before the end who has to act; None if there is none."""
        return labels.winner_of(self.game) if self.snapshot.display_state.state in _OVER else super().mover

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The players' rows; one is lit, unless it is nobody's turn and nobody has won."""
        return tuple(_build_seat(self.game, player, player.colour == self.mover, self.say) for player in self.players)

    @cached_property
    def addressed(self) -> str:
        """The colour of the order's addressee, "" for everybody."""
        return self.headline.player or self.mover or ""

    @cached_property
    def size(self) -> str:
        """The size of the order's letters."""
        order = len(self.headline.text)
        return "short" if order <= SHORT else "long" if order > LONG else "middle"

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """The order's reasons, in a few words where there are such."""
        short = self._short_reasons()
        return tuple(Reason(short.get(why.text, why.text), why.lang, why.text) for why in self.headline.reasons)

    def _short_reasons(self) -> dict[str, str]:
        """Return a few words for each whole sentence that has some."""
        short_forms = dict[str, str]()
        if self.snapshot.sight is Sight.COVERED:
            short_forms[labels.sight_text(self.snapshot, self.say)] = self.say("wall.covered")
        reason, trouble = reason_for(self.snapshot), self.snapshot.trouble
        if reason is not None and trouble is not None and (words := self._few_words(reason, trouble)):
            short_forms[self.say.sentence(reason)] = words[:1].upper() + words[1:]
        return short_forms

    def _few_words(self, reason: Message, trouble: Ruling) -> str:
        """Return the ruling in a few words, "" if there are none."""
        if reason.key in SHORTENED:
            return self.say(f"wall.{reason.key}", **{slot: value for slot, value in reason.args if slot != "n"})
        if trouble.status is not Status.ILLEGAL or trouble.reason is None:
            return ""
        why = self.say(f"reason.{trouble.reason}")
        if trouble.repeats is None:
            return why
        key = "wall.as-after" if trouble.repeats else "wall.as-at-start"
        return self.say(key, reason=why, **({"turn": trouble.repeats} if trouble.repeats else {}))

    @cached_property
    def newest_sentences(self) -> tuple[labels.LocalisedText, ...]:
        """The newest rulings except the order's subject, and the newest remark among them, newest first.

        If both have the same time, the remark comes first.
        """
        rulings = (ruling for ruling in reversed(self.game.rulings) if ruling != self.snapshot.trouble)
        remark = newest_answers(self.game.answers)[:1]
        newest = sorted([*remark, *islice(rulings, MOST_SENTENCES + 1)], key=lambda one: -one.t)
        texts = self._translate_all(one.message for one in newest)
        return tuple(one for one in texts if one not in self.headline.reasons)[:MOST_SENTENCES]


def add_wall(app: Flask, backend: Backend, run: str, address: str = "") -> None:
    """Add the wall, also as an overlay. address: the page's URL for other devices, as the box reports it."""
    walls = DiffedPage(partial(_render_page, run), run)

    def page_key(kind: str) -> tuple[str, str, str]:
        return request_translator().code, kind, address_for_others(address) if kind == WALL else ""

    @app.get("/wall")
    def show_wall() -> Response:
        keys = page_key(OVERLAY if OVERLAY in request.args else WALL)
        return keep_language(Response(walls.page(backend.read_snapshot(), *keys), mimetype="text/html"))

    @app.get("/wall/parts", defaults={"kind": WALL})
    @app.get("/wall/overlay/parts", defaults={"kind": OVERLAY})
    def show_wall_parts(kind: str) -> Response:
        """Return the differences from the client's version."""
        text = walls.since(backend.read_snapshot(), request.args.get("since", ""), *page_key(kind))
        return Response(text, mimetype="text/html")


def _render_page(run: str, snapshot: TableSnapshot, code: str, kind: str, address: str) -> str:
    view, qr, version = WallModel(snapshot, find_translator(code)), qr_svg(address), f"{run}-{snapshot.number}"
    context = {"view": view, "say": view.say, "version": version, "kind": kind}
    return render_template("wall.html", **context, address=address, qr=qr, overlay=kind == OVERLAY)


def _build_seat(game: Snapshot, player: Player, lit: bool, say: Translator) -> Seat:
    colour, bowls = Colour(player.colour), game.bowls
    prisoners = ((one.value, bowls.count_prisoners(colour, one)) for one in COLOURS[: len(bowls.contents)])
    faces = game.clocks.faces if game.clocks is not None else ()
    notes = (say.sentence(face.beside) for face in faces if face.player is colour and face.beside is not None)
    narrow = player.clock is not None and len(player.clock.time) > LONG_CLOCK
    return Seat(player, lit, tuple(one for one in prisoners if one[1]), next(notes, ""), narrow)
