"""`shinpan gallery`: the public boards of a hall from a stream."""

import pytest

from device.__main__ import main


@pytest.mark.parametrize("url", ["http://relay.example/cup", "nats://", "cup"])
def test_an_address_that_is_no_stream_is_one_sentence(url, capsys):
    assert main(["gallery", "--from", url]) == 2
    error = capsys.readouterr().err
    assert error.startswith("shinpan: ") and error.count("\n") == 1 and "Traceback" not in error


def test_without_a_stream_the_usage_is_told(capsys):
    assert main(["gallery"]) == 2
    assert "--from" in capsys.readouterr().err
