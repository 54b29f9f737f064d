"""Safe reading of XML that other programs wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.hall.pairing import (
    BadProgram,
    Program,
)
from device.hall.programs import program_of
from device.hall.safe_xml import DEEPEST, MOST_ELEMENTS
from device.hall.tables import HallConfig
from tests.support.device.pairgoth import CSV, MACMAHON, OPENGOTHA

FILES = {
    "opengotha": ("cup.xml", OPENGOTHA.encode()),
    "macmahon": ("cup.xml", MACMAHON.encode("iso-8859-1")),
    "csv": ("cup.csv", CSV.encode("utf-8-sig")),
}


def program(folder: Path, kind: str, data: bytes | None = None) -> Program:
    name, usual = FILES[kind]
    path = folder / name
    path.write_bytes(usual if data is None else data)
    program = program_of(HallConfig(**{kind: str(path)}), folder / "hall")
    assert program is not None
    return program


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("macmahon", b"<Tournament/>", "it is a file without a version; give a tournament as MacMahon 3 saves it"),
        ("macmahon", b'<Tournament typeversion="12"/>', "it is a file of version 12"),
        ("macmahon", b"<a/>", "it holds no tournament"),
        ("macmahon", b'<?xml version="1.0" encoding="klingon"?><a/>', "it is no XML that can be used"),
        (
            "opengotha",
            b'<!DOCTYPE T [<!ENTITY f SYSTEM "file:///etc/issue">]><Tournament>&f;</Tournament>',
            "entities",
        ),
        ("opengotha", b"<Tournament>" + b"<a/>" * (MOST_ELEMENTS + 1) + b"</Tournament>", "more in it than"),
        ("opengotha", b"<Tournament>" + b"<a>" * DEEPEST + b"</a>" * DEEPEST + b"</Tournament>", "more in it than"),
        ("macmahon", b'<!DOCTYPE T [<!ENTITY a "ha">]><Tournament typeversion="9">&a;</Tournament>', "entities"),
        ("opengotha", b"", "it is no XML that can be used"),
        ("csv", b"a,b\n1,2\n", "it has no column round"),
        ("csv", b"round,table,black,white,white\n", "it has two columns white"),
        ("csv", b"\xff\xfe", "it has no column round"),
        ("csv", b"", "it has no column round"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, kind, data, said):
    with pytest.raises(BadProgram, match=said) as caught:
        program(tmp_path, kind, data).pull()
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)
