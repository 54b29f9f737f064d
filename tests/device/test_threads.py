"""Unexpected errors in threads, which are logged with their traceback and shown on the page; and the stop signals."""

from __future__ import annotations

from device.threads import start_supervised_thread


def test_a_thread_that_fails_is_logged_and_begins_anew(caplog, monkeypatch):
    monkeypatch.setattr("device.threads.AGAIN", 0.0)
    left = [3]

    def run() -> None:
        left[0] -= 1
        if left[0]:
            raise ValueError("odd")

    start_supervised_thread("a part", run).join()
    assert left == [0] and caplog.text.count("ValueError: odd") == 2 and "a part has failed" in caplog.text
