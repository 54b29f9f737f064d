"""The box's voice: a thread of its own, so that neither synthesis nor playback of speech delays a ruling."""

from __future__ import annotations

import logging
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import Condition
from typing import Protocol

from device.files import read_stored
from device.panel.panel import Clock, ClosesOnExit, Tell
from device.settings import Voice, expand_home
from device.system import system
from device.threads import start_supervised_thread
from device.voice.agenda import Agenda
from referee.game.errors import RefereeError
from referee.game.messages import Message, error_message, message
from referee.table.display_state import TableSnapshot
from web.language import find_translator
from web.voice.clips import Clips
from web.voice.sound import Sound
from web.voice.speech import Kind, Utterance, list_counts

log = logging.getLogger("shinpan")
MOST_SHOWN = 200
"""Maximum number of queued table states: many more than come while a clip is made."""
LOOK_UP = 0.05
"""Seconds between two checks of a playing clip."""
LATE = 3.0
"""Seconds beyond its length after which a playing clip is stopped, because the device hangs."""
ENDS_WITHIN = 3.0
"""Seconds to wait for the thread's end."""
CLIPS = "voice"
"""The folder of clips, in the folder of games."""


class Speaker(ClosesOnExit):
    """A thread that speaks about the table in one language.

    agenda: the queue of sentences
    code: of the language
    clips: makes the clips
    plays: the loudspeaker
    clock: the box's clock, in seconds
    tell: called with faults, under the name "voice"
    """

    def __init__(self, agenda: Agenda, code: str, clips: Clips, plays: Loudspeaker, clock: Clock, tell: Tell) -> None:
        self._agenda, self._code, self._clips, self._plays = agenda, code, clips, plays
        self._clock, self._tell = clock, tell
        self._changed, self._over = Condition(), False
        self._snapshots: deque[TableSnapshot] = deque(maxlen=MOST_SHOWN)
        self._current: tuple[Utterance, Iterator[Sound]] | None = None
        self._began_at = self._lasts = 0.0
        self._fault: Message | None = None
        self._thread = start_supervised_thread("voice", self._run)

    def show(self, snapshot: TableSnapshot) -> None:
        """Queue the table's new state; from any thread, returns at once."""
        with self._changed:
            self._snapshots.append(snapshot)
            self._changed.notify()

    def close(self) -> None:
        """Stop speaking. A program that is making a clip is not waited for."""
        with self._changed:
            self._over = True
            self._changed.notify()
        self._thread.join(ENDS_WITHIN)

    def _run(self) -> None:
        self._prepare_counts()
        try:
            while not self._over:
                self._run_round()
        finally:
            self._plays.stop()

    def _prepare_counts(self) -> None:
        """Make the clips of the count before they are needed; this reports at once if the box cannot speak."""
        try:
            for text in list_counts(find_translator(self._code)):
                list(self._clips.of(text, self._code))
        except RefereeError as error:
            self._report_fault(error_message(error))

    def _run_round(self) -> None:
        with self._changed:
            if not self._snapshots and not self._over:
                self._changed.wait(self._wait_time())
            snapshots = list(self._snapshots)
            self._snapshots.clear()
        for snapshot in snapshots:
            self._agenda.handle(snapshot)
        t = self._clock()
        if self._is_playing(t):
            self._break_off(t)
        else:
            self._go_on(t)

    def _wait_time(self) -> float | None:
        """Return the seconds until there is something to do; None if only a new state changes anything."""
        if self._plays.is_playing or self._current is not None:
            return LOOK_UP
        wakes = self._agenda.wakes(self._clock())
        return None if wakes is None else max(wakes - self._clock(), LOOK_UP)

    def _is_playing(self, t: float) -> bool:
        playing = self._plays.is_playing
        if playing and t - self._began_at > self._lasts + LATE:
            self._plays.stop()
            playing = False
        if not playing and self._began_at:
            self._began_at = 0.0
            self._report_fault(self._plays.fault)
        return playing

    def _break_off(self, t: float) -> None:
        """Stop a sentence that extends into the last seconds, if they begin sooner because another clock runs now."""
        utterance = self._current[0] if self._current is not None else None
        if utterance is not None and utterance.kind is not Kind.COUNT and self._agenda.is_silent_time(t):
            self._plays.stop()
            self._current = None

    def _go_on(self, t: float) -> None:
        """Play the next clip of the current sentence, or of the next one."""
        while (current := self._current or self._next_utterance(t)) is not None:
            self._current = current if self._agenda.is_current(current[0]) else None
            sound = self._next_clip(*current) if self._current is not None else None
            if sound is not None:
                self._begin_clip(current[0], sound)
                return
            self._current = None

    def _next_utterance(self, t: float) -> tuple[Utterance, Iterator[Sound]] | None:
        utterance = self._agenda.next(t)
        return None if utterance is None else (utterance, self._find_clips(utterance))

    def _find_clips(self, utterance: Utterance) -> Iterator[Sound]:
        return chain.from_iterable(self._clips.of(text, utterance.lang) for text in utterance.sentences)

    def _next_clip(self, utterance: Utterance, clips: Iterator[Sound]) -> Sound | None:
        """Return the next clip of a sentence; None if it has no more, or none can be made."""
        try:
            return next(clips, None)
        except RefereeError as error:
            self._report_fault(error_message(error))
            return None

    def _begin_clip(self, utterance: Utterance, sound: Sound) -> None:
        t = self._clock()
        if utterance.kind is not Kind.COUNT and self._agenda.is_silent_time(t, sound.seconds):
            self._current = None
            self._agenda.back(utterance, t)
        else:
            self._began_at, self._lasts = t, sound.seconds
            self._plays.play(sound)

    def _report_fault(self, fault: Message | None) -> None:
        """Report once that there is no speech, and once that it works again."""
        if fault != self._fault:
            self._fault = fault
            self._tell("voice", fault)


def recordings_folder(voice: Voice) -> Path | None:
    """Return the folder of recorded clips; raises BadSettings for the home of an unknown user."""
    return expand_home(voice.recordings) if voice.recordings is not None else None


def speaker_of(voice: Voice, folder: Path, clock: Clock, tell: Tell) -> Speaker | None:
    """Build the configured voice; return None if the box does not speak.

    voice: the settings
    folder: of the games
    clock: the box's clock, in seconds
    tell: called with faults
    """
    if voice.language is None:
        return None
    clips, agenda = (
        Clips(folder / CLIPS, read_stored, recordings_folder(voice)),
        Agenda(find_translator(voice.language), voice.moves),
    )
    return Speaker(agenda, voice.language, clips, Aplay(voice.device, voice.volume), clock, tell)


CLIP_ENDS_WITHIN_S = 1.0
MESSAGE_KEYS = ("voice.no-player", "voice.no-device")


class Loudspeaker(Protocol):
    """A player of one clip at a time."""

    def play(self, sound: Sound) -> None:
        """Start a clip, without waiting for its end."""

    def stop(self) -> None:
        """Stop the clip, if it is still playing."""

    @property
    def is_playing(self) -> bool:
        """Return True if the clip is still playing."""

    @property
    def fault(self) -> Message | None:
        """Return why the last clip could not be played; None if it was."""


class Aplay:
    """aplay on an ALSA device.

    device: its name
    volume: percent
    program: the command
    """

    def __init__(self, device: str, volume: int, program: str = "aplay") -> None:
        self._command, self._device, self._volume = [program, "-q", "-D", device], device, volume
        self._process: subprocess.Popen[bytes] | None = None
        self.fault: Message | None = None

    def play(self, sound: Sound) -> None:
        """Start a clip, without waiting for its end; `fault` says afterwards whether it failed."""
        self.stop()
        # In memory: this wears no SD card, and no pipe fills up.
        with system.open_in_memory("clip") as clip:
            clip.write(sound.at_volume(self._volume).wav)
            clip.seek(0)
            try:
                self._process = subprocess.Popen(
                    self._command, stdin=clip, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0
                )
            except OSError:
                self.fault = message("voice.no-player")

    def stop(self) -> None:
        """Stop the clip, if it is still playing."""
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            with suppress(OSError, subprocess.TimeoutExpired):
                process.kill()
                process.wait(CLIP_ENDS_WITHIN_S)  # A hanging driver blocks its program, but not us.

    @property
    def is_playing(self) -> bool:
        """Return True if the clip is still playing; once it has ended by itself `fault` is known."""
        if self._process is None:
            return False
        status = self._process.poll()
        if status is None:
            return True
        self.fault = message("voice.no-device", device=self._device) if status else None
        self._process = None
        return False
