"""The table's own icon and name in a browser's tabs and on a phone's screen: with its number, where it has one."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import cast

from flask import Flask, Response, url_for
from markupsafe import Markup

from web.backend import Backend
from web.errors import Unanswered
from web.responses import request_translator, with_etag

LONGEST = 3
"""Letters of a table's number that can be read in an icon."""
NAME = "shinpan"


def add_icons(app: Flask, backend: Backend) -> None:
    """Add icon and manifest, and let every page of the app name them."""
    files = Path(cast(str, app.static_folder))
    plain_icon, manifest = (
        (files / "icon.svg").read_text("utf-8"),
        json.loads((files / "manifest.json").read_text("utf-8")),
    )

    @app.get("/icon.svg")
    def show_icon() -> Response:
        table = _table_name()
        return with_etag(Response(icon_of(plain_icon, table), mimetype="image/svg+xml"), table)

    @app.get("/manifest.json")
    def show_manifest() -> Response:
        table, say = _table_name(), request_translator()
        full_name = f"{NAME}{say.comma}{say('occasion.table', number=table)}" if table else NAME
        icons = [dict(icon, src=url_for("static", filename=icon["src"])) for icon in manifest["icons"]]
        icons[0]["src"] = url_for("show_icon")
        own = {
            "name": full_name,
            "short_name": f"{NAME} {table}".strip(),
            "start_url": "./",
            "scope": "./",
            "icons": icons,
        }
        text = json.dumps({**manifest, **own}, ensure_ascii=False)
        return with_etag(Response(text, mimetype="application/manifest+json"), table, say.code)

    def _table_name() -> str:
        return backend.read_snapshot().game_info.table

    def _known_table() -> str:
        """Return the table's number; empty while the box is silent, since the page that says so has an icon too."""
        try:
            return _table_name()
        except Unanswered:
            return ""

    @app.context_processor
    def name_them() -> dict[str, str]:
        icon = icon_of(plain_icon, _known_table())
        drawing = Markup(icon.replace("<svg ", '<svg width="26" height="26" aria-hidden="true" ', 1))
        return {"own_icon": url_for("show_icon"), "own_manifest": url_for("show_manifest"), "own_drawing": drawing}


def icon_of(plain_icon: str, table: str) -> str:
    """Return the icon with the table's number on its white stone; as it is for a table without a short one."""
    if not 0 < len(table) <= LONGEST:
        return plain_icon
    stone = '<circle cx="16" cy="16" r="14" fill="#fff" stroke="#1b1d20" stroke-width="2"/>'
    size = {1: 20, 2: 17}.get(len(table), 12)
    font = f'font-family="system-ui,sans-serif" font-weight="700" font-size="{size}" text-anchor="middle"'
    return plain_icon.replace("</svg>", f'{stone}<text x="16" y="16" dy=".36em" {font}>{escape(table)}</text></svg>')
