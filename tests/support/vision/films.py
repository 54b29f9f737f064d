"""Films with chosen time stamps, as phones, browsers and editors write them: each picture is a JPEG.

MP4 as in ISO/IEC 14496-12, Matroska as in RFC 9559; both with no more than a reader needs.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from vision.camera.frame import Image

MILLISECONDS = 1000
"""Ticks a second of both containers."""
CAPTURE_RATE = b"com.android.capture.fps"


def write_mp4(path: Path, pictures: Sequence[Image], stamps_ms: Sequence[int], taken_hz: float | None = None) -> Path:
    """Write a film in which each picture lasts until the next one's stamp.

    taken_hz: the rate at which a phone says that it took the pictures, for slow motion and time-lapse.
    """
    data = _jpegs(pictures)
    height, width = pictures[0].shape[:2]
    lasts = [after - before for before, after in pairwise(stamps_ms)] + [33]
    start = _box(b"ftyp", b"isom" + bytes(4) + b"isom")
    at = len(start) + 8
    total = sum(lasts)
    entry = (
        bytes(6) + struct.pack(">H", 1) + bytes(16) + struct.pack(">HHIIIH", width, height, 72 << 16, 72 << 16, 0, 1)
    )
    table = _box(
        b"stbl",
        _full(b"stsd", struct.pack(">I", 1) + _box(b"jpeg", entry + bytes(32) + struct.pack(">Hh", 24, -1))),
        _full(b"stts", struct.pack(">I", len(lasts)), *(struct.pack(">II", 1, ticks) for ticks in lasts)),
        _full(b"stsc", struct.pack(">IIII", 1, 1, len(data), 1)),
        _full(b"stsz", struct.pack(">II", 0, len(data)), *(struct.pack(">I", len(one)) for one in data)),
        _full(b"stco", struct.pack(">II", 1, at)),
    )
    where = _box(b"dinf", _full(b"dref", struct.pack(">I", 1), _box(b"url ", struct.pack(">I", 1))))
    handler = _full(b"hdlr", bytes(4) + b"vide" + bytes(13))
    media = _box(
        b"mdia",
        _full(b"mdhd", struct.pack(">IIIIHH", 0, 0, MILLISECONDS, total, 0x55C4, 0)),
        handler,
        _box(b"minf", _box(b"vmhd", struct.pack(">I", 1) + bytes(8)), where, table),
    )
    identity = struct.pack(">9i", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    shown = (
        struct.pack(">IIIII", 0, 0, 1, 0, total) + bytes(16) + identity + struct.pack(">II", width << 16, height << 16)
    )
    movie = struct.pack(">IIIIIH", 0, 0, MILLISECONDS, total, 0x10000, 0x100) + bytes(10) + identity + bytes(24)
    moov = _box(
        b"moov",
        _full(b"mvhd", movie + struct.pack(">I", 2)),
        _box(b"trak", _box(b"tkhd", struct.pack(">I", 3) + shown), media),
        b"" if taken_hz is None else _capture_rate(taken_hz),
    )
    path.write_bytes(start + _box(b"mdat", *data) + moov)
    return path


def _capture_rate(taken_hz: float) -> bytes:
    key = struct.pack(">I4s", 8 + len(CAPTURE_RATE), b"mdta") + CAPTURE_RATE
    value = _box(b"data", struct.pack(">II", 23, 0) + struct.pack(">f", taken_hz))
    handler = _full(b"hdlr", bytes(4) + b"mdta" + bytes(13))
    keys = _full(b"keys", struct.pack(">I", 1) + key)
    return _box(b"meta", handler, keys, _box(b"ilst", _box(struct.pack(">I", 1), value)))


def write_matroska(path: Path, pictures: Sequence[Image], stamps_ms: Sequence[int]) -> Path:
    """Write a film as browsers do: no default duration, so that readers state a rate of 1,000; any order of stamps."""
    height, width = pictures[0].shape[:2]
    video = _element(0xE0, _number(0xB0, width), _number(0xBA, height))
    track = _element(0xAE, _number(0xD7, 1), _number(0x73C5, 1), _number(0x83, 1), _element(0x86, b"V_MJPEG"), video)
    clusters = (
        _element(0x1F43B675, _number(0xE7, stamp), _element(0xA3, b"\x81\0\0\x80", jpeg))
        for stamp, jpeg in zip(stamps_ms, _jpegs(pictures), strict=True)
    )
    about, tracks = _element(0x1549A966, _number(0x2AD7B1, 1_000_000)), _element(0x1654AE6B, track)
    head = _element(0x1A45DFA3, _element(0x4282, b"matroska"), _number(0x4287, 4), _number(0x4285, 2))
    path.write_bytes(head + _element(0x18538067, about, tracks, *clusters))
    return path


def write_unstamped(path: Path, pictures: Sequence[Image], _: Sequence[int] = ()) -> Path:
    """Write nothing but the pictures one after the other, as some network cameras do (.mjpeg)."""
    path.write_bytes(b"".join(_jpegs(pictures)))
    return path


def _jpegs(pictures: Sequence[Image]) -> list[bytes]:
    return [np.asarray(cv2.imencode(".jpg", one, (cv2.IMWRITE_JPEG_QUALITY, 95))[1]).tobytes() for one in pictures]


def _box(kind: bytes, *contents: bytes) -> bytes:
    inside = b"".join(contents)
    return struct.pack(">I4s", 8 + len(inside), kind) + inside


def _full(kind: bytes, *contents: bytes) -> bytes:
    return _box(kind, bytes(4), *contents)


def _element(ident: int, *contents: bytes) -> bytes:
    inside = b"".join(contents)
    head = ident.to_bytes((ident.bit_length() + 7) // 8, "big")
    return head + (len(inside) | 1 << 56).to_bytes(8, "big") + inside


def _number(ident: int, value: int) -> bytes:
    return _element(ident, value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big"))
