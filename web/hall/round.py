"""The director's page of the hall: assigning a round to the boxes, with the state of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, render_template, request

from referee import error_message
from web.errors import BadAct, NotKept
from web.hall.assignment import Draft, HandedOut, Handing
from web.hall.auth import DIRECTOR, Door, Keys
from web.responses import as_json, error_response, keep_language, request_translator, sent_object, text_response

MESSAGE_KEYS = tuple(f"hall.handing.{one}" for one in Handing)


@dataclass(frozen=True)
class RoundDesk:
    """The backend of the director's page.

    keys: the director's PIN check
    draft: returns the round of this number as it could be assigned, "" for the newest
    hand_out: assigns these matches in this person's name; returns the tables with a new one; raises BadAct and NotKept
    withdraw: takes a table's match back; True if it had not been taken yet; raises NotKept
    handed_out: returns the state of each assignment
    choices: returns rule sets and time controls with their explanations, in the language of a code
    """

    keys: Keys
    draft: Callable[[str], Draft]
    hand_out: Callable[[Iterable[Mapping[str, Any]], str], Sequence[str]]
    withdraw: Callable[[str, str], bool]
    handed_out: Callable[[], Sequence[HandedOut]]
    choices: Callable[[str], Mapping[str, object]]


def add_rounds(app: Flask, desk: RoundDesk, door: Door) -> None:
    """Add the page at /round, and its acts."""

    @app.get("/round")
    def show_round() -> Response:
        say, token = request_translator(), door.token(DIRECTOR)
        if not token:
            return ask_director_in()
        draft = desk.draft(request.args.get("round", ""))
        context = {"draft": draft, "choices": desk.choices(say.code), "rows": desk.handed_out(), "token": token}
        return keep_language(Response(render_template("round.html", say=say, **context)))

    @app.get("/round/now")
    def show_handed_out() -> Response:
        """Answer with the state of each table's match, as a fragment of the page."""
        return Response(render_template("round_now.html", say=request_translator(), rows=desk.handed_out()))

    @app.get("/round.json")
    def show_handed_out_to_programs() -> Response:
        return as_json({"tables": [_match_to_json(one) for one in desk.handed_out()]})

    @app.post("/round")
    def hand_out() -> Response:
        director, body = door.acting(DIRECTOR), sent_object()
        if director is None:
            return error_response("http.outside", 401)
        matches = body.get("matches") if body is not None else None
        if not isinstance(matches, list) or not all(isinstance(one, dict) for one in matches):
            return error_response("http.no-object", 400)
        try:
            return as_json({"tables": list(desk.hand_out(matches, director))})
        except BadAct as error:
            return text_response(request_translator().sentence(error_message(error)), 422)
        except NotKept as error:
            return _refusal_response(error)

    @app.post("/round/withdraw")
    def withdraw_match() -> Response:
        director, body = door.acting(DIRECTOR), sent_object() or {}
        if director is None:
            return error_response("http.outside", 401)
        try:
            is_withdrawn = desk.withdraw(str(body.get("table", "")), director)
        except NotKept as error:
            return _refusal_response(error)
        return as_json({"said": []}) if is_withdrawn else error_response("hall.nothing-waits", 409)


def ask_director_in() -> Response:
    """Answer with the page on which a director logs in."""
    return keep_language(Response(render_template("hall_door.html", say=request_translator())))


def _refusal_response(error: NotKept) -> Response:
    return text_response(request_translator().sentence(error_message(error)), 503)


def _match_to_json(one: HandedOut) -> Mapping[str, object]:
    entry = {"table": one.table, "round": one.round, "players": [one.black, one.white]}
    return {
        **entry,
        "standing": one.standing.value,
        "why": one.why.text if one.why is not None else "",
        "by": one.by,
        "since": one.at,
    }
