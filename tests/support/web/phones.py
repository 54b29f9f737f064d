"""A page's backend with a phone at the table."""

from __future__ import annotations

import time
from dataclasses import replace

from web.backend import Backend, PhoneBackend


def desk_with(desk: Backend, **part: object) -> Backend:
    """A backend with one phone, which has this part, and whose contacts are heard."""

    def nothing(*_: object) -> None:
        return None

    def contact(*_: object) -> dict[str, object]:
        return {"t": time.monotonic(), "run": "run", "last": 0, "number": 1, "name": "phone", **part}

    phones = PhoneBackend(*(nothing,) * 9)  # type: ignore[arg-type]
    return replace(desk, phones=replace(phones, phone_part=lambda secret: part, phone_contact=contact))
