"""The box's voice: a thread of its own, so that neither making speech nor playing it delays a ruling."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from threading import Condition

from device.panel.panel import Clock, Closing, Tell
from device.settings import Voice, expanded
from device.threads import lasting
from device.voice.agenda import Agenda
from device.voice.loudspeaker import Aplay, Loudspeaker
from referee.errors import RefereeError
from referee.messages import Message, said_by
from referee.standing import Showing
from web.language import tongue
from web.voice.clips import Clips
from web.voice.sound import Sound
from web.voice.speech import Kind, Utterance, counts

log = logging.getLogger("shinpan")
MOST_SHOWN = 200
"""Showings that can wait to be heard: many more than come while a clip is made."""
LOOK_UP = 0.05
"""Seconds after which a clip that is played is looked at."""
LATE = 3.0
"""Seconds over its length after which a clip that is still played is broken off: the device hangs."""
ENDS_WITHIN = 3.0
"""Seconds for which its end is waited for."""
CLIPS = "voice"
"""The folder of clips, in that of the games."""


class Speaker(Closing):
    """Says what the table shows, in one language. tell: is told what it lacks, under the name "voice"."""

    def __init__(self, agenda: Agenda, code: str, clips: Clips, plays: Loudspeaker, clock: Clock, tell: Tell) -> None:
        self._agenda, self._code, self._clips, self._plays = agenda, code, clips, plays
        self._clock, self._tell = clock, tell
        self._changed, self._over = Condition(), False
        self._shown: deque[Showing] = deque(maxlen=MOST_SHOWN)
        self._now: tuple[Utterance, Iterator[Sound]] | None = None
        self._began = self._lasts = 0.0
        self._lacks: Message | None = None
        self._thread = lasting("voice", self._run)

    def show(self, showing: Showing) -> None:
        """The table is shown so now; from any thread, and returns at once."""
        with self._changed:
            self._shown.append(showing)
            self._changed.notify()

    def close(self) -> None:
        """Silence. A program that is making a clip is not waited for."""
        with self._changed:
            self._over = True
            self._changed.notify()
        self._thread.join(ENDS_WITHIN)

    def _run(self) -> None:
        self._prepare()
        try:
            while not self._over:
                self._round()
        finally:
            self._plays.stop()

    def _prepare(self) -> None:
        """What is counted is there before it is needed; and that the box cannot speak is told at once."""
        try:
            for text in counts(tongue(self._code)):
                list(self._clips.of(text, self._code))
        except RefereeError as error:
            self._lack(said_by(error))

    def _round(self) -> None:
        with self._changed:
            if not self._shown and not self._over:
                self._changed.wait(self._rest())
            new = list(self._shown)
            self._shown.clear()
        for showing in new:
            self._agenda.hear(showing)
        t = self._clock()
        if self._is_playing(t):
            self._break_off(t)
        else:
            self._go_on(t)

    def _rest(self) -> float | None:
        """Seconds until there is something to do by itself; None for as long as nothing is shown."""
        if self._plays.plays or self._now is not None:
            return LOOK_UP
        wakes = self._agenda.wakes(self._clock())
        return None if wakes is None else max(wakes - self._clock(), LOOK_UP)

    def _is_playing(self, t: float) -> bool:
        playing = self._plays.plays
        if playing and t - self._began > self._lasts + LATE:
            self._plays.stop()
            playing = False
        if not playing and self._began:
            self._began = 0.0
            self._lack(self._plays.fault)
        return playing

    def _break_off(self, t: float) -> None:
        """What is played reaches into the last seconds, which begin earlier than it seemed: another's clock runs."""
        said = self._now[0] if self._now is not None else None
        if said is not None and said.kind is not Kind.COUNT and self._agenda.silent(t):
            self._plays.stop()
            self._now = None

    def _go_on(self, t: float) -> None:
        """The next clip of what is said, or of the next sentence."""
        while (now := self._now or self._taken(t)) is not None:
            self._now = now if self._agenda.holds(now[0]) else None
            sound = self._made(*now) if self._now is not None else None
            if sound is not None:
                self._begin(now[0], sound)
                return
            self._now = None

    def _taken(self, t: float) -> tuple[Utterance, Iterator[Sound]] | None:
        said = self._agenda.next(t)
        return None if said is None else (said, self._clips_of(said))

    def _clips_of(self, said: Utterance) -> Iterator[Sound]:
        return chain.from_iterable(self._clips.of(text, said.lang) for text in said.said)

    def _made(self, said: Utterance, clips: Iterator[Sound]) -> Sound | None:
        """The next clip of a sentence; None where it has no more, or none can be made."""
        try:
            return next(clips, None)
        except RefereeError as error:
            self._lack(said_by(error))
            return None

    def _begin(self, said: Utterance, sound: Sound) -> None:
        t = self._clock()
        if said.kind is not Kind.COUNT and self._agenda.silent(t, sound.seconds):
            self._now = None
            self._agenda.back(said, t)
        else:
            self._began, self._lasts = t, sound.seconds
            self._plays.play(sound)

    def _lack(self, fault: Message | None) -> None:
        """Tell once why nothing is heard, and once that it is again."""
        if fault != self._lacks:
            self._lacks = fault
            self._tell("voice", fault)


def recorded(voice: Voice) -> Path | None:
    """The folder of recorded clips; raises BadSettings for a home that nobody has."""
    return expanded(voice.recordings) if voice.recordings is not None else None


def speaker_of(voice: Voice, folder: Path, clock: Clock, tell: Tell) -> Speaker | None:
    """The box's voice as the settings have it; None where it does not speak. folder: of the games."""
    if voice.language is None:
        return None
    clips, agenda = Clips(folder / CLIPS, recorded(voice)), Agenda(tongue(voice.language), voice.moves)
    return Speaker(agenda, voice.language, clips, Aplay(voice.device, voice.volume), clock, tell)
