"""The phones of a table, as the page's process asks for them: pairing, contact, presses and pictures.

A time of arrival is the page's, on the machine's monotonic clock, which all its processes share.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from device.panel.panel import UNHEARD
from device.panel.phone_presses import MOST_PRESSES, PhonePresses, parse_touch
from device.phones.framing import framing_message
from device.phones.pairing import PairedPhone, Pairings
from referee.game.messages import Listing, Message, error_message, message
from vision.calibration.model import Calibration
from vision.camera.frame import Image
from vision.camera.phone_camera import RATES, PhonePictures
from vision.errors import UnreadableImage
from web.backend import CAMERA

AWAY_S = 4.0
"""Time without contact after which a phone counts as gone; a clock's page makes one a second."""
LOOK_UP_S = 0.5
LOW_BATTERY = 15
"""Percent."""
MOST_DELAY_S = 5.0
"""The longest time that a picture's own time may lie before its arrival."""
ADVISED_EVERY_S = 1.0
"""Interval at which the picture's framing is judged."""
MESSAGE_KEYS = (
    *(f"phone.{part}-{what}" for part in ("camera", "clock") for what in ("paired", "revoked", "hidden", "battery")),
    *(f"phone.{part}-{what}" for part in ("camera", "clock") for what in ("away", "hot")),
    *("phone.no-camera", "phone.well"),
)
Place = Callable[[], tuple[Calibration | None, Image | None]]


@dataclass(frozen=True)
class Contact:
    """The newest contact of a phone.

    at: when, on the monotonic clock.
    hidden: True if its page is not in view: another app, a call, or a dark screen.
    battery: percent, None if the browser does not tell.
    charging: True if it is on a cable.
    hot: True if it seems to be.
    """

    at: float
    hidden: bool = False
    battery: int | None = None
    charging: bool = False
    hot: bool = False

    def is_away(self, now: float) -> bool:
        """Return True if the phone cannot be used now: it has no contact, or its page is not in view."""
        return self.hidden or now - self.at > AWAY_S


class Phones:
    """The phones of a table; its methods may be called from any thread.

    pairings: who may do what.
    presses: takes presses.
    clock: the box's clock, in seconds.
    place: returns the board's place in the newest picture, and that picture.
    fault: sets a fault, or clears it with None.
    remark: tells the players something, which the journal records.
    rate: pictures a second that are asked for.
    """

    def __init__(
        self,
        pairings: Pairings,
        presses: PhonePresses,
        clock: Callable[[], float],
        place: Place,
        fault: Callable[[str, Message | None], None],
        remark: Callable[[Message], None],
        rate: float = RATES[1],
    ) -> None:
        self.pairings, self._presses, self._clock, self._place = pairings, presses, clock, place
        self._fault, self._remark = fault, remark
        self._rate = min(max(rate, RATES[0]), RATES[1])
        self._contacts, self._began = dict[int, Contact](), time.monotonic()
        self._faults = dict[str, Message]()
        self._advice: tuple[float, Message | None] = float("-inf"), None
        self.pictures = PhonePictures(self._why_no_picture)
        self._over, self._checking = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._watch_contacts, name="phones", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching over the contacts."""
        self._over.set()
        self._thread.join()

    # Queries of the page

    def phone_pair(self, token: str, name: str) -> Mapping[str, Any] | None:
        """Use a code up; return the browser's secret and its part, None for a code that is not valid."""
        pairing = self.pairings.pair(token, name)
        if pairing is None:
            return None
        secret, paired = pairing
        self._contacts[paired.number] = Contact(time.monotonic())
        self._remark(_part_message("paired", paired))
        return {"secret": secret, **_describe_part(paired)}

    def phone_part(self, secret: str) -> Mapping[str, Any] | None:
        """Return the browser's part, None if it is not paired."""
        paired = self.pairings.allow(secret)
        return None if paired is None else _describe_part(paired)

    def phone_contact(self, secret: str, arrived: float, body: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Note a contact; return the box's time at its arrival, the run, and the last press that was heard."""
        paired = self.pairings.allow(secret)
        if paired is None:
            return None
        t, presses_made, nonce = self._to_box_time(arrived), body.get("made"), body.get("heard")
        count = presses_made if isinstance(presses_made, int) and 0 <= presses_made < MOST_PRESSES else 0
        hears = self._presses.contact(paired.number, count, nonce if isinstance(nonce, str) else "", t)
        self._note_state(paired, body, hears or not paired.sides)
        last_press = self._presses.last_of(paired.number)
        return {**self._common_answer(paired, t), "last": last_press, **_describe_part(paired)}

    def phone_press(self, secret: str, arrived: float, body: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Take a press; return what became of it, None if the browser may not press that button."""
        paired, touch = self.pairings.allow(secret), parse_touch(body)
        if paired is None or touch is None or touch.side not in (0, *paired.sides) or not paired.sides:
            return None
        if (touch.side == 0) != (touch.button == "pause"):
            return None
        t = self._to_box_time(arrived)
        fate, notice = self._presses.touch(paired.number, touch, t)
        if notice is not None:
            self._remark(notice)
        return {**self._common_answer(paired, t), "heard": fate.value, "said": notice, "number": touch.number}

    def phone_picture(
        self, secret: str, arrived: float, body: Mapping[str, Any], data: bytes = b""
    ) -> Mapping[str, Any] | None:
        """Take a picture; return what the box sees, and the rate that it asks for. None if the browser may not send."""
        paired = self.pairings.allow(secret)
        if paired is None or paired.part != CAMERA:
            return None
        self._note_state(paired, body)
        t, taken_at = self._to_box_time(arrived), body.get("t")
        own = float(taken_at) if isinstance(taken_at, int | float) and body.get("run") == self._presses.run else t
        refusal = None
        if data:
            try:
                self.pictures.put_picture(data, min(max(own, t - MOST_DELAY_S), t))
            except UnreadableImage as error:
                refusal = error_message(error)
        return {**self._common_answer(paired, t), "rate": self._rate, "refused": refusal, **self._answer()}

    def phone_codes(self) -> Mapping[str, str]:
        """Return a code for each part."""
        return self.pairings.codes()

    def phone_list(self) -> list[Mapping[str, Any]]:
        """Return the paired browsers with their state."""
        now = time.monotonic()
        return [
            {**_describe_part(one), "may": may, "state": self._find_fault(one, now)}
            for one, may in self.pairings.listed()
        ]

    def phone_revoke(self, number: int) -> None:
        """End a pairing."""
        paired = self.pairings.revoke(number)
        if paired is not None:
            self.check_contacts(time.monotonic())
            self._remark(_part_message("revoked", paired))

    def phone_keep(self) -> None:
        """Let the clocks of earlier matches act in this one."""
        self.pairings.keep()

    # Contact

    def _to_box_time(self, arrived: float) -> float:
        """Return a time of the monotonic clock on the box's."""
        return self._clock() - max(time.monotonic() - arrived, 0.0)

    def _common_answer(self, paired: PairedPhone, t: float) -> dict[str, Any]:
        """Return what every answer to a phone has. t: the time of the question's arrival."""
        return {"t": t, "run": self._presses.run, "nonce": self._presses.answer(paired.number, self._clock())}

    def _note_state(self, paired: PairedPhone, body: Mapping[str, Any], hears: bool = True) -> None:
        """Note the state of a phone. hears: False if it only sends, and so is in no contact."""
        battery = body.get("battery")
        percent = round(100 * battery) if isinstance(battery, int | float) and 0 <= battery <= 1 else None
        contact_at = time.monotonic() if hears else self._last_contact(paired).at
        self._contacts[paired.number] = Contact(
            contact_at, body.get("hidden") is True, percent, body.get("charging") is True, body.get("hot") is True
        )

    def _watch_contacts(self) -> None:
        while not self._over.wait(LOOK_UP_S):
            self.check_contacts(time.monotonic())
            for notice in self._presses.end_floods(self._clock()):
                self._remark(notice)

    def check_contacts(self, now: float) -> None:
        """Tell what is wrong with the phones; not of a clock that has gone whose sides others have in contact."""
        with self._checking:
            self._report_absent(now)

    def _report_absent(self, now: float) -> None:
        paired = [one for one, may in self.pairings.listed() if may]
        served = {side for one in paired if not self._last_contact(one).is_away(now) for side in one.sides}
        faults = dict[str, Message]()
        for one in paired:
            away = self._last_contact(one).is_away(now)
            fault = None if away and one.sides and served.issuperset(one.sides) else self._find_fault(one, now)
            if fault is not None:
                faults[f"{UNHEARD if away and one.sides else 'phone'} {one.number}"] = fault
        for what in {*self._faults, *faults}:
            self._set_fault(what, faults.get(what))

    def _last_contact(self, paired: PairedPhone) -> Contact:
        return self._contacts.get(paired.number, Contact(self._began))

    def _set_fault(self, what: str, fault: Message | None) -> None:
        if self._faults.get(what) != fault:
            self._faults = {**self._faults, what: fault} if fault is not None else _without_key(self._faults, what)
            self._fault(what, fault)

    def _find_fault(self, paired: PairedPhone, now: float) -> Message | None:
        """Return what is wrong with a phone, None if nothing is."""
        part = "camera" if paired.part == CAMERA else "clock"
        contact, sides = self._last_contact(paired), Listing(paired.sides)
        if contact.is_away(now):
            return message(f"phone.{part}-{'hidden' if contact.hidden else 'away'}", sides=sides)
        if contact.battery is not None and contact.battery <= LOW_BATTERY and not contact.charging:
            return message(f"phone.{part}-battery", sides=sides, percent=contact.battery)
        return message(f"phone.{part}-hot", sides=sides) if contact.hot else None

    def _why_no_picture(self) -> Message:
        camera = next((one for one, _ in self.pairings.listed() if one.part == CAMERA), None)
        if camera is None:
            return message("phone.no-camera")
        return self._find_fault(camera, time.monotonic()) or message("phone.camera-away")

    # The answer to a picture

    def _answer(self) -> Mapping[str, Any]:
        place, pixels = self._place()
        if pixels is None:
            unseen = message("framing.no-board")
            return {"size": None, "corners": [], "lids": [], "say": unseen, "good": False}
        say = self._advise_framing(place, pixels)
        corners = [] if place is None else [[round(x, 1), round(y, 1)] for x, y in place.grid.corners]
        lids = [] if place is None else [[round(v, 1) for v in (b.x, b.y, b.w, b.h)] for b in place.lids]
        size = [pixels.shape[1], pixels.shape[0]]
        return {"size": size, "corners": corners, "lids": lids, "say": say, "good": place is not None and say is None}

    def _advise_framing(self, place: Calibration | None, pixels: Image) -> Message | None:
        advised_at, advice = self._advice
        now = time.monotonic()
        if now - advised_at >= ADVISED_EVERY_S:
            advice = framing_message(place, pixels) if place is not None else message("framing.no-board")
            self._advice = now, advice
        return advice


def _describe_part(paired: PairedPhone) -> dict[str, Any]:
    return {"number": paired.number, "part": paired.part, "sides": list(paired.sides), "name": paired.name}


def _part_message(what: str, paired: PairedPhone) -> Message:
    return message(f"phone.{'camera' if paired.part == CAMERA else 'clock'}-{what}", sides=Listing(paired.sides))


def _without_key(faults: Mapping[str, Message], what: str) -> dict[str, Message]:
    return {key: fault for key, fault in faults.items() if key != what}
