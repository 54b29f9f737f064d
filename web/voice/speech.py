"""The utterances of a table: pure. Every sentence is one that lamps and page show already.

A displayed table has utterances. Box and page speak one when it appears and was not there before. Once it is gone it is
outdated, and any unspoken rest is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from referee import COUNTED, ClockReading, Duration, Message, Placement, Ruling, State, Status, TableSnapshot, message
from web.language import ENGLISH, Translator, find_translator
from web.page.headline import default_rules_notice, find_worded_order, headline_of, reasons_of
from web.voice.pronunciation import LONGEST, estimate_seconds, split_sentences

MOST_RULINGS = 4
"""The number of newest rulings that are still spoken if several come at once."""
WHOLE_FROM = 20
"""The remaining seconds from which "30 seconds" are counted; below it "10" alone, because time is short."""
LAST = 10.0
"""The last seconds of a running clock, during which only the count is spoken."""
_ROUTINE = frozenset({State.TURN, State.PLACES, State.WAITING})
"""The states that recur turn after turn."""


class Kind(StrEnum):
    """The kind of an utterance: a counted second; a request, refusal or ruling; an ordinary turn."""

    COUNT = "count"
    RULING = "ruling"
    MOVE = "move"


@dataclass(frozen=True)
class Utterance:
    """The speech about one thing.

    about: the identity of the thing; two about the same are equal
    sentences: the messages, in order
    lang: the language's code
    """

    about: str
    sentences: tuple[str, ...] = field(compare=False)
    lang: str = field(compare=False)
    kind: Kind = field(default=Kind.RULING, compare=False)

    @property
    def text(self) -> str:
        """Return all of its text."""
        return join_sentences(self.sentences, self.lang)


def speech_of(snapshot: TableSnapshot, say: Translator = ENGLISH) -> tuple[Utterance, ...]:
    """Return all possible utterances of the table, in the order of speaking."""
    say = say.on(snapshot)
    return (
        *_count_seconds(snapshot, say),
        *_word_rulings(snapshot, say),
        *_word_orders(snapshot, say),
        *_word_overtime(snapshot, say),
    )


def build_utterances(
    before: TableSnapshot | None, after: TableSnapshot, say: Translator = ENGLISH, moves: bool = False
) -> tuple[Utterance, ...]:
    """Return the utterances to speak when the table changes.

    before: None for the first state
    moves: speak every turn
    """
    earlier = (
        set(speech_of(before, say))
        if before is not None
        else set(speech_of(after, say)) - set(_word_orders(after, say))
    )
    new = (utterance for utterance in speech_of(after, say) if utterance not in earlier and utterance.text)
    return tuple(utterance for utterance in new if moves or utterance.kind is not Kind.MOVE)


def utterances_between(
    snapshots: Iterable[TableSnapshot], say: Translator = ENGLISH, moves: bool = False
) -> Iterator[tuple[float, str]]:
    """Yield the sentences spoken over these table states, each with its time in seconds on the box's clock."""
    before: TableSnapshot | None = None
    for after in snapshots:
        yield from ((after.t, utterance.text) for utterance in build_utterances(before, after, say, moves))
        before = after


def list_counts(say: Translator) -> tuple[str, ...]:
    """Return the spoken text of every counted second."""
    return tuple(_word_countdown(seconds, say) for seconds in COUNTED)


def silent_from(snapshot: TableSnapshot) -> float | None:
    """Return when the last counted seconds of the running clock begin, in seconds on the box's clock.

    None if no clock runs, or nothing is counted: as long as overtime follows, main time ends in silence.
    """
    clocks = snapshot.game.clocks
    running_faces = [face for face in clocks.faces if face.running] if clocks is not None and clocks.counts else []
    return clocks.t + running_faces[0].stretch / 1000 - LAST if clocks is not None and running_faces else None


def _count_seconds(now: TableSnapshot, say: Translator) -> Iterator[Utterance]:
    seconds = now.game.clocks.counted if now.game.clocks is not None else 0
    if seconds:
        yield Utterance(f"count {seconds}", (_word_countdown(seconds, say),), say.code, Kind.COUNT)


def _word_countdown(seconds: int, say: Translator) -> str:
    return say.value(Duration(seconds * 1000)) if seconds >= WHOLE_FROM else str(seconds)


def _word_rulings(now: TableSnapshot, say: Translator) -> Iterator[Utterance]:
    """Yield the accepted turns; a refusal is spoken with the order.

    Of the game's count each step except the result, whose confirmation is requested.
    """
    rulings = now.game.rulings
    for number, ruling in list(enumerate(rulings))[-MOST_RULINGS:]:
        if ruling.status is Status.LEGAL:
            yield _build_utterance(f"ruling {number}", ruling.message, say, _utterance_kind(ruling))
    for number, step in enumerate(now.game.counting.count.steps if now.game.counting.count else ()):
        if step.act != "result":
            yield _build_utterance(f"step {number} {step.act}", step.message, say)


def _utterance_kind(ruling: Ruling) -> Kind:
    """Return MOVE for a stone, which is visible on the board; a delay, a pass, and a turn's consequences are not."""
    is_plain_move = isinstance(ruling.move, Placement) and not ruling.message.then
    return Kind.MOVE if is_plain_move else Kind.RULING


def _word_orders(now: TableSnapshot, say: Translator) -> Iterator[Utterance]:
    """Yield the headline and its reasons; the reason of a refusal comes first.

    Routine states are spoken only after something else, such as a pause.
    """
    state, order = now.display_state.state, headline_of(now, say).text
    for why in (*reasons_of(now), default_rules_notice(now)):
        if why is not None:
            yield _build_utterance("", why, say)
    if state in _ROUTINE:
        yield Utterance("turn", (order,) if state is not State.WAITING else (), say.code)
        return
    order_message = find_worded_order(now)
    yield Utterance(
        f"{state} {order}", list_spoken(order_message, say) if order_message is not None else (order,), say.code
    )


def _word_overtime(now: TableSnapshot, say: Translator) -> Iterator[Utterance]:
    """Yield the overtime left when a period begins; not how many turns are to be played in it."""
    for face in now.game.clocks.faces if now.game.clocks is not None else ():
        if face.in_overtime and face.beside is not None and not face.fallen:
            left = message("voice.overtime", player=face.player, left=face.beside)
            yield _build_utterance(_overtime_key(face), left, say)


def _overtime_key(face: ClockReading) -> str:
    return f"overtime {face.player} {face.periods} {face.bought}"


def _build_utterance(about: str, message: Message, say: Translator, kind: Kind = Kind.RULING) -> Utterance:
    """Build an utterance.

    about: "" if it is the sentence itself
    """
    return Utterance(about or say.sentence(message), list_spoken(message, say), say.foreign(message) or say.code, kind)


_SILENT = """about act camera desk finding forget gallery games hall http journal kept keys label lamps language
    lights occasion page pairing pin pins plain reason round rules run sheet side status step stream summary sure tap
    title turn wall watch worth"""
SILENT = frozenset(_SILENT.split())
"""The key prefixes of the page, the desk, the hall and the commands: never spoken at a table."""
_FAULTS = "boards camera control fault feed frames gap health identity mat paper poster rim sealed stream unnamed voice"
IN_PART = (SILENT | frozenset(_FAULTS.split())) - {"plain"}
"""The key prefixes that may be spoken in part: faults of the box, gaps of a record, and messages to its keepers alone.

A plain sentence is a person's, and excluded.
"""


def list_spoken(message: Message, say: Translator) -> tuple[str, ...]:
    """Return the spoken text of a message and of each that follows it."""
    text = say(message.key, **dict(message.args))
    code = say.foreign(message) or say.code
    return (shorten_spoken(message.key, text, code), *(one for part in message.then for one in list_spoken(part, say)))


def shorten_spoken(key: str, text: str, code: str) -> str:
    """Return the spoken part of this key's text: all, or its first sentences."""
    if key.partition(".")[0] not in IN_PART or estimate_seconds(text, code) <= LONGEST:
        return text
    parts = split_sentences(text)
    fits = (
        many
        for many in range(len(parts), 1, -1)
        if estimate_seconds(join_sentences(parts[:many], code), code) <= LONGEST
    )
    return join_sentences(parts[: next(fits, 1)], code)


def join_sentences(texts: Sequence[str], code: str) -> str:
    """Join sentences."""
    return find_translator(code).space.join(texts)
