"""Responses that several parts of the page share."""

from __future__ import annotations

import csv
import io

from flask import Flask

from web.responses import as_csv


def test_a_file_for_spreadsheets_protects_its_head_too():
    with Flask("x").test_request_context():
        text = as_csv("x.csv", ("=head", "b"), [("\n=1", "\r\n＝1")]).get_data().decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["'=head", "b"], ["'\n=1", "'\r\n＝1"]]
