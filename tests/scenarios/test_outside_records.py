"""Records and lines as other programs write them: every input of ../shared/cases/outside, with its right answer."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from device.__main__ import main
from tests.support.shared import cases

# Runs a command on a file, and puts its answers into a few words.


@dataclass(frozen=True)
class CommandOutput:
    """The exit status, stdout and stderr of a command."""

    status: int
    out: str
    err: str


def run(command: str, path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> CommandOutput:
    status = main([command, str(path), *options])
    output = capsys.readouterr()
    return CommandOutput(status, output.out, output.err)


def judge_words(output: CommandOutput) -> str:
    """Return the answers of `judge --explain` as `B C3, W pass, !B game-over, error "foo"`."""
    return ", ".join(_word(json.loads(line)) for line in output.out.splitlines())


def _word(answer: dict[str, Any]) -> str:
    if "error" in answer:
        quote = re.search(r'"[^"]*"', answer["error"])
        return f"error {quote[0] if quote else answer['error']}"
    if not answer["legal"]:
        return f"!{answer['player']} {answer['reason']}"
    if answer["player"] is None:
        return "resumed"
    placement = re.match(r"\w+ played ([A-Z][0-9]+)", answer["text"])
    return f"{answer['player']} {placement[1] if placement else 'pass'}"


def score_words(output: CommandOutput) -> str:
    """Return the result that `score --json` printed, or the one in its sentence."""
    if output.out:
        return str(json.loads(output.out)["result"])
    match = re.search(r"\b[BW]\+[RTF]\b", output.err)
    return match[0] if match else output.err


FOUR = "B C3, W D3, B C2, W D2"
TWO = "B C3, W D3"
THREE_STONES = "W G7, B D7, W pass, B pass"
RESUMED = "B C3, W D3, B pass, W pass, B D2, W E3, B C4, W D4, B pass, W pass"

JUDGED = [
    ("sgf-no-charset/sjis-short.sgf", FOUR, "Shift_JIS"),
    ("sgf-no-charset/sjis-comment.sgf", FOUR, "Shift_JIS"),
    ("sgf-no-charset/sjis-names.sgf", FOUR, "Shift_JIS"),
    ("sgf-no-charset/sjis-setup.sgf", "W E5, B C3, W E4", "Shift_JIS"),
    ("sgf-no-charset/sjis-ca.sgf", FOUR, ""),
    ("sgf-no-charset/utf8.sgf", FOUR, ""),
    ("sgf-no-charset/big5-comment.sgf", FOUR, "Big5"),
    ("sgf-no-charset/big5-long.sgf", FOUR, "Big5"),
    ("sgf-no-charset/euckr-name.sgf", TWO, "EUC-KR"),
    ("sgf-resumed-after-passes/resumed.sgf", RESUMED, "resumed"),
    (
        "sgf-resumed-after-passes/opponent-first.sgf",
        "B C3, W D3, B pass, W pass, W D2, B C4, W pass, B pass",
        "resumed",
    ),
    ("sgf-three-passes/three.sgf", "B C3, W D3, B pass, W pass", "changes nothing"),
    ("sgf-three-passes/os.sgf", "B C3, W D3, B pass, W pass", "changes nothing"),
    ("sgf-setup-after-first-move/mid_dup.sgf", "B C7, W G7", ""),
    ("sgf-setup-after-first-move/mid_ab_after.sgf", "B C7, W G7, B C6, W G3", "after turn 4"),
    ("sgf-setup-after-first-move/mid_ae.sgf", "B C7, W G7", "after turn 2"),
    ("sgf-setup-after-first-move/mainline2.sgf", "B C7, W G3, B G7", "variation"),
    ("sgf-text-before/junkbefore.sgf", TWO, "before"),
    ("sgf-text-before/noparen.sgf", TWO, "bracket"),
    ("sgf-unescaped-bracket/us.sgf", TWO, "line 1"),
    ("sgf-unescaped-bracket/noclose.sgf", TWO, "last bracket"),
    ("sgf-unescaped-bracket/dashes.sgf", f"{TWO}, B C2", "line 2"),
    ("sgf-fox-handicap-moves/ha0_moves.sgf", f"B C7, B G3, B C3, {THREE_STONES}", "handicap"),
    ("sgf-handicap-without-stones/ha4_nostones.sgf", "W C17, B D17", "traditional"),
    ("sgf-komi-handicap-words/hatext.sgf", f"{TWO}, B pass, W pass", ""),
    ("sgf-komi-handicap-words/hatext2.sgf", f"{TWO}, B pass, W pass", ""),
    ("sgf-komi-handicap-words/kmhalf.sgf", f"{TWO}, B pass, W pass", ""),
    ("sgf-komi-handicap-words/kmtext.sgf", f"{TWO}, B pass, W pass", ""),
    *((f"sgf-rule-names/ru{number:02}.sgf", TWO, "") for number in (1, 18, 20, 22, 23, 24, 27, 32)),
    ("sgf-rule-names/ru10.sgf", TWO, "Japanese"),
    ("sgf-rule-names/ru15.sgf", TWO, "positional"),
    ("sgf-rule-names/smartgo.sgf", "W C3, B G7", ""),
    ("ot-not-read/ot.sgf", "B C7, W G7", ""),
    ("sgf-no-rules/komi-375.sgf", "B Q16, W D4", "Chinese rules were taken"),
    ("sgf-pass-dialects/80-empty-node-pass.sgf", "B C7, W G3, B pass, W C3, B G7", "turn 3 was read as a pass"),
    ("sgf-pass-dialects/01-pass-ss-18.sgf", "B D15, W P4, B pass, W D4, B P15, W pass, B pass", ""),
    ("rule-names-katago/32-ru-x.sgf", "B C7, W G3", "japanese with ko simple"),
    ("sgf-escaped-first/35-backslash0.sgf", "W B8", ""),
    ("rule-set-capitals/x.jsonl", "B C3", ""),
    ("sgf-resumed-after-passes/resumed.jsonl", "B C3, W D3, B pass, W pass, !B game-over", '{"resume":"B"}'),
    ("json-turn-unknown-key/x.jsonl", 'error "foo", error "resumed"', ""),
]
"""The file, the turns with ! before a refused player, and words of the note; "" if nothing has to be told."""

SCORED = [
    ("sgf-resumed-after-passes/resumed.sgf", "W+0.5", "resumed"),
    ("sgf-resumed-after-passes/opponent-first.sgf", None, "resumed"),
    ("sgf-three-passes/three.sgf", None, "changes nothing"),
    ("sgf-fox-handicap-moves/ha0_moves.sgf", "W+0.5", "handicap"),
    ("sgf-handicap-without-ha/ab_ha.sgf", "W+0.5", ""),
    ("sgf-handicap-without-ha/ab_noha.sgf", "W+0.5", "handicap"),
    ("sgf-handicap-without-ha/ab_ha_aga.sgf", "B+0.5", ""),
    ("sgf-handicap-without-ha/ab_noha_aga.sgf", "B+0.5", "handicap"),
    ("sgf-handicap-without-ha/ab_noha_jp.sgf", "0", "handicap"),
    ("sgf-handicap-without-ha/lizzie.sgf", "0", "handicap"),
    ("sgf-handicap-without-stones/ha_fewer.sgf", None, "HA"),
    ("sgf-handicap-without-stones/ha4_cn.sgf", None, "traditional"),
    ("sgf-komi-hundredths/fox375.sgf", "W+R", "7.5"),
    ("sgf-komi-hundredths/fox50.sgf", None, "0.5"),
    ("sgf-komi-hundredths/fox650.sgf", None, "6.5"),
    ("sgf-komi-hundredths/sgfc.sgf", None, "7.5"),
    ("sgf-komi-hundredths/km3_75.sgf", "W+7.5", "7.5"),
    ("sgf-komi-handicap-words/kmhalf.sgf", "W+6.5", ""),
    ("sgf-komi-handicap-words/kmtext.sgf", "W+6.5", ""),
    ("sgf-record-says-otherwise/re_resign.sgf", "B+R", "resignation"),
    ("sgf-record-says-otherwise/re_time.sgf", "W+T", "time"),
    ("sgf-record-says-otherwise/kgs-dead.sgf", None, "--dead"),
]
"""The file, the result (None: not stated), and words of the note."""


@pytest.mark.parametrize(("name", "turns", "note"), JUDGED, ids=[case[0] for case in JUDGED])
def test_judge(name: str, turns: str, note: str, capsys: pytest.CaptureFixture[str]) -> None:
    output = run("judge", file(name), capsys, "--explain")
    assert judge_words(output) == turns
    assert note in output.err if note else output.err == ""


@pytest.mark.parametrize(("name", "result", "note"), SCORED, ids=[case[0] for case in SCORED])
def test_score(name: str, result: str | None, note: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert result in (None, score_words(run("score", file(name), capsys, "--json")))
    output = run("score", file(name), capsys, "--json", "--dead", "none")
    assert note in output.err if note else output.err == ""


def test_what_is_no_record_gets_a_sentence_about_sgf(capsys: pytest.CaptureFixture[str]) -> None:
    output = run("judge", file("sgf-text-before/empty2.sgf"), capsys)
    assert (output.status, output.out) == (2, "") and "SGF" in output.err


def file(name: str) -> Path:
    return cases(f"outside/{name}")
