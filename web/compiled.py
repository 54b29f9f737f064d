"""Compiled catalogues, kept beside compiled modules of Python: reading the text of one takes a fifth of a start."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

_DIGEST = sha256().digest_size


def compile_cached(source: Path, compile_source: Callable[[], bytes]) -> bytes:
    """Return a catalogue in gettext's binary form.

    It is kept, where the folder can be written to and Python keeps its own, for as long as the source is the same.

    source: the catalogue's text.
    compile_source: compiles it.
    """
    text, cache_path = source.read_bytes(), source.parent / "__pycache__" / f"{source.stem}.mo"
    with suppress(OSError):
        data = cache_path.read_bytes()
        if data[:_DIGEST] == _digest_source(text, data[_DIGEST:]):
            return data[_DIGEST:]
    binary = compile_source()
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            _write_whole(cache_path, _digest_source(text, binary) + binary)
    return binary


def _digest_source(text: bytes, binary: bytes) -> bytes:
    return sha256(sha256(text).digest() + binary).digest()


def _write_whole(path: Path, data: bytes) -> None:
    """Write the file whole or not at all. Raises OSError."""
    path.parent.mkdir(exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        draft = Path(file.name)
        file.write(data)
    try:
        draft.chmod(0o644)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
