"""`shinpan completion`: the shell script that completes lines beginning with `shinpan`."""

import os
import shlex
import subprocess
import sys

import pytest

from device.__main__ import main
from tests.support import ROOT


@pytest.mark.parametrize(
    ("line", "words"),
    [("sc", {"score"}), ("look --over", {"--overlay"}), ("completion z", {"zsh"}), ("watch --to-play ", {"B", "W"})],
)
def test_a_shell_is_told_how_a_line_may_go_on(line, words, monkeypatch, capsys):
    command_line = f"shinpan {line}"
    count = len(shlex.split(command_line)) - (not line.endswith(" "))
    for name, value in {
        "_SHINPAN_COMPLETE": "bash_complete",
        "COMP_WORDS": command_line,
        "COMP_CWORD": str(count),
    }.items():
        monkeypatch.setenv(name, value)
    assert main([]) == 0
    assert {word.partition(",")[2] for word in capsys.readouterr().out.split()} == words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_made_for_every_shell(shell, capsys):
    assert main(["completion", shell]) == 0
    assert f"_SHINPAN_COMPLETE={shell}_complete" in capsys.readouterr().out


@pytest.mark.long
def test_bash_can_use_what_it_is_given(tmp_path):
    (tmp_path / "shinpan").write_text(f'#!/bin/sh\nexec {sys.executable} -m device "$@"\n')
    (tmp_path / "shinpan").chmod(0o755)
    lines = 'eval "$(shinpan completion bash)"; COMP_WORDS=(shinpan roll); COMP_CWORD=1; _shinpan_completion shinpan'
    path = f"{tmp_path}:{os.environ['PATH']}"
    command = ["bash", "-c", f"{lines}; echo ${{COMPREPLY[@]}}"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PATH": path})
    assert (result.stdout, result.stderr) == ("rollback\n", "")
