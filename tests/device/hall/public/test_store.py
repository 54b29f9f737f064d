"""The store of held-back news, and of the newest published news."""

from __future__ import annotations

import pytest

from device.hall.public.store import FILE
from device.hall.public.stream import Sender, check_stream
from tests.device.hall.public.conftest import Galleries, Hall
from tests.support.device.public_hall import full_disk
from tests.support.hall.brokers import servers
from tests.support.waiting import until


@pytest.mark.slow
def test_news_is_sent_again_and_read_once_while_the_disk_is_full(tmp_path, held, caplog):
    running = held.enter_context(servers(tmp_path / "nats"))
    hall = Hall(tmp_path / "hall", running.address)
    hall._sender.close()
    galleries = Galleries(running.address, 1)
    held.callback(galleries.close)
    hall.turns(0, 3)
    with full_disk(tmp_path / "hall" / f"{FILE}-wal"):
        hall._sender = Sender(check_stream(running.address), hall.delay.sends, hall.delay.mark_sent)
        held.callback(hall.close)
        until(lambda: "cannot be used" in caplog.text)
        galleries.have(15)
        assert hall.delay.sends(1) != []
    until(lambda: hall.delay.sends(1) == [])
    (took,) = galleries.took
    assert took[-1] == 15 and took == sorted(set(took))
    assert "Traceback" not in caplog.text
    assert len([one for one in caplog.records if "cannot be used" in one.getMessage()]) == 1
