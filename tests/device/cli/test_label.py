"""`shinpan label`: a label with the page's URL as a QR code, to print and stick on the table."""

from __future__ import annotations

import re

from device.__main__ import main

ADDRESS = "http://shinpan.local:8000/"


def test_the_command_writes_the_file(tmp_path, capsys):
    (tmp_path / "s.toml").write_text('[page]\nhost = "192.168.7.7"\nport = 8080\n')
    out = tmp_path / "label.svg"
    assert main(["label", "--settings", str(tmp_path / "s.toml"), "--wifi", "Go club", "--out", str(out)]) == 0
    assert "http://192.168.7.7:8080/" in out.read_text() and "Go club" in out.read_text()
    assert "leads to http://192.168.7.7:8080/" in capsys.readouterr().err
    assert main(["label", "--address", ADDRESS, "--wifi", "a\nb"]) == 2
    assert main(["label", "--address", ADDRESS, "--out", str(tmp_path / "none" / "label.svg")]) == 2


def test_a_label_is_no_pdf(tmp_path, capsys):
    out = tmp_path / "label.PDF"
    assert main(["label", "--address", ADDRESS, "--out", str(out)]) == 2
    assert re.fullmatch(r"shinpan: [^\n]*label\.svg[^\n]*\n", capsys.readouterr().err)
    assert not out.exists()
