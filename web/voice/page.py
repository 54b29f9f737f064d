"""The HTTP endpoints of the page's voice: current utterances, their clips, and the description of a point."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Iterable
from threading import Lock
from urllib.parse import urlencode

from flask import Flask, Response, request

from referee import RefereeError, TableSnapshot, describe_point, error_message
from web import openapi
from web.backend import Backend
from web.language import Translator, find_translator
from web.language_traits import CODES
from web.responses import RenderCache, as_json, error_response, request_translator, text_response
from web.voice.clips import Clips
from web.voice.pronunciation import Piece, split_pieces
from web.voice.speech import Utterance, list_counts, silent_from, speech_of

LONGEST = 400
"""The maximum number of characters of one clip; pieces are shorter."""
KEPT_FOR = "private, max-age=86400"
MESSAGE_KEYS = ("lies.no-point",)


class Addresses:
    """The signed URLs of clips.

    A URL holds the text, and a signature that only this page can make, so that nobody else can make the box speak.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)

    def of(self, texts: Iterable[str], code: str) -> list[str]:
        """Return one URL for each piece of these messages, in order."""
        return [self._url_of_piece(piece, code) for text in texts for piece in split_pieces(text, code)]

    def _url_of_piece(self, piece: Piece, code: str) -> str:
        query = {"lang": code, "text": piece.text, **({"fast": "1"} if piece.fast else {})}
        return f"voice.wav?{urlencode({**query, 'mark': self.mark(piece, code)})}"

    def has_made(self, piece: Piece, code: str, mark: str) -> bool:
        """Return True if this text and signature are of a URL it made."""
        is_possible = code in CODES and len(piece.text) <= LONGEST
        return is_possible and hmac.compare_digest(mark.encode(), self.mark(piece, code).encode())

    def mark(self, piece: Piece, code: str) -> str:
        """Return the signature of a piece."""
        return hmac.new(self._key, f"{code} {piece.fast} {piece.text}".encode(), "sha256").hexdigest()[:24]


def add_voice(app: Flask, backend: Backend, run: str, clips: Clips | None) -> None:
    """Add the voice's URLs.

    clips: the source of clips; None if nobody hears any
    """
    addresses, synthesis_lock = Addresses(), Lock()
    utterances = RenderCache(
        lambda snapshot, code: json.dumps(_utterance_to_json(snapshot, find_translator(code), addresses)), run
    )

    @app.get("/voice.json")
    def show_voice() -> Response:
        return Response(utterances.of(backend.read_snapshot(), request_translator().code), mimetype="application/json")

    @app.get("/voice.wav")
    def show_clip() -> Response:
        """Answer with a clip, synthesised one at a time, so that many clients use one core at most."""
        code, text, mark, fast = (request.args.get(name, "") for name in ("lang", "text", "mark", "fast"))
        piece = Piece(text, fast=bool(fast))
        if clips is None or not addresses.has_made(piece, code, mark):
            return error_response("http.nothing-here", 404)
        try:
            with synthesis_lock:
                data = clips.clip(piece, code).wav
        except RefereeError as error:
            return text_response(request_translator().sentence(error_message(error)), 503)
        answer = Response(data, mimetype="audio/wav")
        answer.headers["Cache-Control"] = KEPT_FOR
        return answer

    @app.get("/point.json")
    def show_point() -> Response:
        snapshot = backend.read_snapshot()
        say, position = request_translator().on(snapshot), snapshot.game.position
        try:
            point = position.board.point(request.args.get("at", "").strip().upper()[:4])
        except RefereeError:
            return error_response("lies.no-point", 404)
        text = say.sentence(describe_point(position, point))
        point_name, clip_urls = position.board.name(point), addresses.of([text], say.code)
        body: openapi.Lies = {"point": point_name, "text": text, "clips": clip_urls}
        return as_json(body)


def _utterance_to_json(snapshot: TableSnapshot, say: Translator, addresses: Addresses) -> openapi.Voice:
    return {
        "said": [_build_spoken(one, addresses) for one in speech_of(snapshot, say) if one.text],
        "counts": addresses.of(list_counts(say), say.code),
        "silent": silent_from(snapshot),
    }


def _build_spoken(one: Utterance, addresses: Addresses) -> openapi.Spoken:
    return {
        "about": one.about,
        "kind": one.kind.value,
        "text": one.text,
        "clips": addresses.of(one.sentences, one.lang),
    }
