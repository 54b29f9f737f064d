"""The story of a game on one sheet, as SVG: the last position with the newest moves numbered, the count, the clocks
over the moves, and the refused turns with their reasons. Portrait, in the proportions of A4, for paper and phone.

Text widths are upper estimates, letter by letter, and long texts are set smaller, broken or cut: nothing exceeds its
place, whatever font draws it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from html import escape

from referee import COLOURS, Colour, Marks, Placement, Point, Snapshot, TableSnapshot, message
from web.errors import WebError
from web.language import ENGLISH, Translator
from web.language_traits import font_family
from web.page import labels
from web.page.svg import SHADES, board_svg

DAY = len("2026-11-23")
WIDE, HIGH = 840.0, 1188.0
"""The sheet's size, in quarters of a millimetre of A4; a phone shows it at its own width."""
EDGE, GAP = 48.0, 24.0
INNER = WIDE - 2 * EDGE
BOARD = 470.0
"""The board's side."""
NUMBERED = 30
"""Number of newest moves that are numbered, as far as their stones stand."""
LONG_NAME = 14.0
"""Font size of a name that needs two lines."""
SMALLEST = 9.0
"""Smallest font size; longer words are cut."""
INK, FAINT, RULE = "#1b1d20", "#5c6066", "#c9c6bf"
FONTS = ("-apple-system", "Segoe UI", "Roboto", "Helvetica", "Arial")
_NEVER_FIRST = "、。，．：；？！）」』】〕》〉”’…ー々っゃゅょッャュョ,.:;?!)]}%"
_NEVER_LAST = "（「『【〔《〈“‘([{\N{NON-BREAKING HYPHEN}"
"""Signs that begin or end no line."""
BOLDER = 1.14
"""Relative width of bold letters."""
ROW = 38.0
"""The height of a row of two players' names."""
CHART = 190.0
"""The height of the clocks' chart."""
MOST_STEPS, MOST_REFUSED = 9, 8


def poster_of(snapshot: TableSnapshot, say: Translator = ENGLISH, day: str = "") -> str:
    """Draw the poster of a game in its present state. day: the day on which it began (ISO 8601), empty if unknown."""
    say = say.on(snapshot)
    top, head = _draw_head(snapshot, say, day)
    side, column = EDGE + BOARD + GAP, WIDE - EDGE - (EDGE + BOARD + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 {WIDE:g} {HIGH:g}" '
        f'font-family="{font_family(say.code, *FONTS)}" xml:lang="{say.code}">',
        "<style>@media screen{:root{display:block;width:min(100%,210mm);height:auto;margin:auto}}</style>",
        f"<title>{escape(labels.persons_text(snapshot, say) or say('poster.title'))}</title>",
        f'<rect class="sheet" width="{WIDE:g}" height="{HIGH:g}" fill="#fbfaf7"/>',
        *head,
        _nest_drawing(_draw_board(snapshot, say), EDGE, top, BOARD),
        *_off_board(snapshot.game, say, top + BOARD + 17),
        *_draw_count(snapshot.game, say, side, top, column, top + BOARD),
    ]
    y = top + BOARD + 1.6 * GAP
    if any(entry.faces for entry in snapshot.game.past.thens):
        parts += _draw_clocks(snapshot, say, y)
        y += CHART + 2.4 * GAP
    parts += _refusal_text(snapshot.game, say, y)
    return "".join([*parts, *_draw_foot(snapshot, say), "</svg>"])


class NoPdf(WebError):
    """No PDF can be made here; one sentence says what to do."""


@lru_cache(4)
def pdf_of(svg: str) -> bytes:
    """Convert the SVG drawing to a PDF of one page of its size.

    Raises NoPdf if the library, or Cairo beneath it, is missing.
    """
    try:
        from cairosvg import svg2pdf
    except (ImportError, OSError) as error:
        raise NoPdf(message("poster.no-pdf")) from error
    pdf: bytes = svg2pdf(bytestring=svg.encode())
    return pdf


# Text


def width_of(text: str, size: float) -> float:
    """Return an upper estimate of a text's width at this font size, in any sans-serif font."""
    return size * sum(map(_letter_width, text))


def _letter_width(one: str) -> float:
    if unicodedata.east_asian_width(one) in "WF":
        return 1.05
    if one in "iIjl.,:;'|! ":
        return 0.4
    return 1.02 if one in "mwMW@%—" else 0.8 if one.isupper() else 0.66


def fit_text(text: str, wide: float, size: float) -> tuple[str, float]:
    """Return the text and the font size at which it fits; cut if it would be smaller than readable."""
    needed_width = width_of(text, 1.0)
    if needed_width * size <= wide:
        return text, size
    if needed_width * SMALLEST <= wide:
        return text, wide / needed_width
    while text and width_of(text + "…", SMALLEST) > wide:
        text = text[:-1]
    return text.rstrip() + "…", SMALLEST


def break_lines(text: str, wide: float, size: float) -> list[str]:
    """Break the text into lines of at most this width, between words, or within a word that is too long."""
    lines, line = list[str](), ""
    for word in _split_words(text):
        if width_of((line + word).rstrip(), size) <= wide:
            line += word
            continue
        lines += [line.rstrip()] if line.strip() else []
        line = word
        while width_of(line.rstrip(), size) > wide:
            cut = next(n for n in range(len(line), 0, -1) if n == 1 or width_of(line[:n], size) <= wide)
            lines, line = [*lines, line[:cut]], line[cut:]
    return [*lines, line.rstrip()] if line.strip() else lines


def _split_words(text: str) -> Iterator[str]:
    """Yield the unbreakable pieces, each with the space after it; every Chinese letter is one, with its punctuation."""
    start = 0
    for index in range(1, len(text)):
        if _may_break(text[index - 1], text[index]):
            yield text[start:index]
            start = index
    if text:
        yield text[start:]


def _may_break(before: str, after: str) -> bool:
    """Return True if a line may end between these letters."""
    if " " in (before, after):
        return before == " " != after
    return (_is_unspaced(before) or _is_unspaced(after)) and before not in _NEVER_LAST and after not in _NEVER_FIRST


def _is_unspaced(one: str) -> bool:
    """Return True for a letter of a script without spaces; Korean has them."""
    return unicodedata.east_asian_width(one) in "WF" and not "가" <= one <= "힣"


def _draw_text(
    x: float,
    y: float,
    text: str,
    size: float,
    wide: float,
    *,
    ink: str = INK,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    """Return a line no wider than its place. at: the text anchor at x."""
    cut_text, fits = fit_text(text, wide / BOLDER if bold else wide, size)
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{fits:.2f}" fill="{ink}"{weight} text-anchor="{anchor}" '
        f'data-wide="{wide:.1f}">{escape(cut_text)}</text>'
    )


# Head


def _draw_head(snapshot: TableSnapshot, say: Translator, day: str) -> tuple[float, list[str]]:
    """Return the vertical end of the head, and its parts: title, players, result and terms of the game."""
    game, y = snapshot.game, EDGE + 14
    title = labels.occasion_label(snapshot, say) or say("poster.title")
    parts = [_draw_text(EDGE, y, title, 17, INNER * 0.7, ink=FAINT)]
    where = say.comma.join(filter(None, (day, snapshot.game_info.place)))
    parts.append(_draw_text(WIDE - EDGE, y, where, 14, INNER * 0.28, ink=FAINT, anchor="end") if where else "")
    half = (INNER - GAP) / 2
    for number, colour in enumerate(snapshot.players):
        row, column = divmod(number, 2)
        x, line = EDGE + column * (half + GAP), y + row * ROW
        parts.append(_draw_disc(x + 11, line + 34, colour))
        person = snapshot.names[number] or labels.player_name(colour, say)
        parts += _draw_person(person, x + 30, line + 42, half - 34)
    y += ((len(snapshot.players) - 1) // 2) * ROW
    parts.append(
        _draw_text(EDGE, y + 82, labels.result_text(game, say) or say("kept.unfinished"), 22, INNER, bold=True)
    )
    facts = say.comma.join([*labels.list_terms(game, say), say("poster.turns", n=game.turn)])
    parts.append(_draw_text(EDGE, y + 106, facts, 14, INNER, ink=FAINT))
    return y + 126, parts


def _draw_person(name: str, x: float, y: float, wide: float) -> list[str]:
    """Return a name in large letters, or a long one in two lines of small ones."""
    if width_of(name, LONG_NAME) * BOLDER <= wide:
        return [_draw_text(x, y, name, 26, wide, bold=True)]
    first, *second_line = break_lines(name, wide / BOLDER, LONG_NAME)
    return [
        _draw_text(x, y - 13, first, LONG_NAME, wide, bold=True),
        _draw_text(x, y + 5, "".join(second_line), LONG_NAME, wide, bold=True),
    ]


def _draw_disc(x: float, y: float, colour: Colour) -> str:
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="10" fill="{_player_ink(colour)}" stroke="#17191c" stroke-width="1.4"/>'
    )


def _player_ink(colour: Colour) -> str:
    """Return a player's colour for drawings on paper."""
    return "#fff" if colour is Colour.WHITE else SHADES[colour][1]


# Board


def _draw_board(snapshot: TableSnapshot, say: Translator) -> str:
    game = snapshot.game
    return board_svg(game.position, Marks(count=game.counting.layout), say, None, newest_numbers(game))


def newest_numbers(game: Snapshot) -> dict[Point, int]:
    """Return the numbers of the newest moves by their points, as far as their stones still stand."""
    numbers = {turn.point: number for number, turn in _newest_placements(game)}
    return {point: n for point, n in numbers.items() if game.position.occupied >> point & 1}


def _newest_placements(game: Snapshot) -> list[tuple[int, Placement]]:
    newest = list(enumerate(game.turns, 1))[-NUMBERED:]
    return [(number, turn) for number, turn in newest if isinstance(turn, Placement) and turn.point >= 0]


def _off_board(game: Snapshot, say: Translator, y: float) -> Iterator[str]:
    """Yield the newest moves that the board does not show, because their stones were captured."""
    numbers_shown, board = newest_numbers(game).values(), game.position.board
    captured_moves = [
        (number, board.name(turn.point)) for number, turn in _newest_placements(game) if number not in numbers_shown
    ]
    if captured_moves:
        text = say.comma.join(say("poster.at", turn=number, point=point) for number, point in captured_moves)
        yield _draw_text(EDGE, y, text, 12.5, BOARD)


def _nest_drawing(svg: str, x: float, y: float, side: float) -> str:
    """Return a drawing nested in this one."""
    return svg.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" ', 1)


# Column beside the board


def _draw_count(game: Snapshot, say: Translator, x: float, y: float, wide: float, bottom: float) -> Iterator[str]:
    """Yield the count step by step, and the prisoners."""
    count = game.counting.count
    steps = [labels.translate_message(step.message, say).text for step in count.steps] if count is not None else []
    owners = _bowl_owners(game) if game.bowls.are_lids else []
    prisoner_lines = [
        say("poster.captured", player=labels.player_name(p, say), n=sum(game.bowls.contents[i])) for i, p in owners
    ]
    left_out = max(len(steps) - MOST_STEPS, 0)
    count_lines = [*steps[: MOST_STEPS // 2], *steps[left_out + MOST_STEPS // 2 :]] if left_out else steps
    if left_out:
        count_lines.insert(MOST_STEPS // 2, say("sheet.left-out", n=left_out))
    if count_lines or prisoner_lines:
        yield from _draw_paragraphs(
            say("page.count") if count_lines else say("poster.prisoners"),
            [*count_lines, *prisoner_lines],
            x,
            y,
            wide,
            bottom,
        )


def _bowl_owners(game: Snapshot) -> list[tuple[int, Colour]]:
    return list(enumerate(COLOURS[: len(game.bowls.contents)]))


def _draw_paragraphs(
    title: str, entries: Sequence[str], x: float, y: float, wide: float, bottom: float, size: float = 12.5
) -> Iterator[str]:
    """Yield a heading and paragraphs beneath it, as many as there is room for; an ellipsis if there are more."""
    yield _draw_text(x, y + 14, title, 16, wide, bold=True)
    y += 22
    for entry in entries:
        lines = break_lines(entry, wide, size)
        if y + size * 1.35 * len(lines) + 6 > bottom - size:
            yield _draw_text(x, y + size, "…", size, wide, ink=FAINT)
            return
        for line in lines:
            y += size * 1.35
            yield _draw_text(x, y, line, size, wide)
        y += 6


# Clocks


def _draw_clocks(snapshot: TableSnapshot, say: Translator, y: float) -> Iterator[str]:
    """Yield the chart of each clock's time after every move."""
    thens = [entry for entry in snapshot.game.past.thens if entry.faces]
    left, right, low = EDGE + 44, WIDE - EDGE, y + CHART
    first, last = thens[0].number, max(thens[-1].number, thens[0].number + 1)
    most = max(max(face.stretch for face in entry.faces) for entry in thens) or 1
    yield _draw_text(EDGE, y, say("poster.clocks"), 16, INNER, bold=True)
    high = y + 16

    def place_point(number: int, ms: float) -> tuple[float, float]:
        return left + (right - left) * (number - first) / (last - first), low - (low - high) * ms / most

    yield from _draw_grid(most, place_point, left, right, low, first, last, say)
    for index, colour in enumerate(snapshot.players):
        steps = [place_point(entry.number, entry.faces[index].stretch) for entry in thens]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in steps)
        yield from _draw_curve(line, colour)


def _draw_curve(line: str, colour: Colour) -> Iterator[str]:
    shape = f'<polyline points="{line}" fill="none" stroke-linejoin="round"'
    if colour is Colour.WHITE:
        yield f'{shape} stroke="#17191c" stroke-width="4"/>{shape} stroke="#fff" stroke-width="2"/>'
    else:
        yield f'{shape} stroke="{_player_ink(colour)}" stroke-width="2.4"/>'


def _draw_grid(
    most: float,
    place_of: Callable[[int, float], tuple[float, float]],
    left: float,
    right: float,
    low: float,
    first: int,
    last: int,
    say: Translator,
) -> Iterator[str]:
    step = next((s for s in (1, 2, 5, 10, 15, 30, 60, 120, 240, 600) if most / 60000 / s <= 4.5), 1440)
    for minutes in range(0, int(most / 60000) + 1, step):
        y = place_of(first, minutes * 60000)[1]
        yield f'<path d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="{RULE}" stroke-width="1"/>'
        yield _draw_text(left - 8, y + 4, say("poster.minutes", minutes=minutes), 11, 36, ink=FAINT, anchor="end")
    interval = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**6) if (last - first) / s <= 10)
    for number in range(-(-first // interval) * interval, last + 1, interval):
        x = place_of(number, 0)[0]
        yield _draw_text(x, low + 16, str(number), 11, 40, ink=FAINT, anchor="middle")


# Refused turns


def _refusal_text(game: Snapshot, say: Translator, y: float) -> Iterator[str]:
    refusals = [(entry.number + 1, say.sentence(ruling.message)) for entry in game.past.thens for ruling in entry.tried]
    if not refusals:
        return
    entries = [say("poster.refused", turn=number, why=text) for number, text in refusals[:MOST_REFUSED]]
    more = len(refusals) - len(entries)
    entries += [say("poster.more", n=more)] if more else []
    yield from _draw_paragraphs(say("sheet.refused"), entries, EDGE, y, INNER, HIGH - EDGE - 24)


def _draw_foot(snapshot: TableSnapshot, say: Translator) -> Iterator[str]:
    y = HIGH - EDGE + 8
    if snapshot.seal:
        yield _draw_text(EDGE, y, say("page.seal", seal=snapshot.seal), 10.5, INNER * 0.85, ink=FAINT)
    yield _draw_text(WIDE - EDGE, y, "shinpan", 10.5, INNER * 0.12, ink=FAINT, anchor="end")
