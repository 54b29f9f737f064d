"""A failure that strangers cause is one line a minute, whatever they send."""

from __future__ import annotations

import logging

import pytest
from flask import Flask

from web.app import add_errors
from web.failure_log import A_LINE_EVERY_S, LONGEST_LINE, FailureLog

LOG = logging.getLogger("a stranger's failures")


def test_a_minute_has_one_line_and_the_next_tells_how_many_are_missing(caplog):
    now = [0.0]
    failures = FailureLog(LOG, lambda: now[0])
    for _ in range(1000):
        failures.warn("It failed")
    now[0] = A_LINE_EVERY_S
    failures.warn("It failed again")
    assert caplog.messages == ["It failed", "It failed again (999 more in between)"]


@pytest.mark.parametrize("odd", ["a\nb", "a\r\n2026 ERROR b", "\x1b[2J", "\ud800", "\u2028", "%s%n", "x" * 100_000])
def test_a_failure_is_one_plain_line(odd, caplog):
    try:
        raise ValueError(odd)
    except ValueError as error:
        FailureLog(LOG).warn(odd, error)
    (line,) = caplog.messages
    assert line.isprintable() and len(line) <= LONGEST_LINE


def test_a_librarys_records_become_such_lines(caplog):
    now, failures = [0.0], None
    failures = FailureLog(LOG, lambda: now[0])
    LOG.addFilter(failures)
    try:
        for _ in range(10):
            try:
                raise OSError("gone\n100% ")
            except OSError:
                LOG.exception("Exception while serving %s", "/\n")
    finally:
        LOG.removeFilter(failures)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING and record.exc_info is None
    assert record.getMessage().startswith("Exception while serving / : OSError: gone 100% , in test_a_librarys")


def test_a_page_that_fails_is_no_error_in_the_log(caplog):
    app = Flask("web")
    app.get("/broken")(lambda: 1 / 0)
    add_errors(app)
    for _ in range(300):
        assert app.test_client().get("/broken").status_code == 500
    (record,) = caplog.records
    assert record.levelno == logging.WARNING and "ZeroDivisionError" in record.getMessage()
