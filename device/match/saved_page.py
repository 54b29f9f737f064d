"""The text of a web page as browsers save it and mail programs send it: HTML, or MHTML with the page in it."""

from __future__ import annotations

from email import message_from_bytes
from email.message import Message
from html.parser import HTMLParser

from referee.sgf.charsets import is_utf_16


class _Text(HTMLParser):
    """A collector of a page's text, without its markup."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def text_of_page(data: bytes) -> str:
    """Return all text in a file, the visible text if it is a web page; other text is returned unchanged."""
    mail = message_from_bytes(data)
    if "MIME-Version" not in mail:
        return _strip_markup(_decode_page(data))
    return "\n".join(
        _strip_markup(_decode_page(_read_body(part))) for part in mail.walk() if part.get_content_maintype() == "text"
    )


def _read_body(part: Message) -> bytes:
    """Return a part's bytes, with the transfer encoding undone."""
    body = part.get_payload(decode=True)
    return body if isinstance(body, bytes) else b""


def _decode_page(data: bytes) -> str:
    return data.decode("utf-16" if is_utf_16(data) else "utf-8", "replace")


def _strip_markup(text: str) -> str:
    if "<" not in text:
        return text
    page = _Text()
    page.feed(text)
    page.close()
    return "".join(page.found)
