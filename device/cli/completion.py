"""`shinpan completion`: the shell script that completes lines beginning with `shinpan`.

The shell then runs `shinpan` itself for each Tab, with the line so far in its environment; __main__ answers.
"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from device.cli.options import COMPLETE, Exit, declare_command, print_hint

SHELLS = ("bash", "zsh", "fish")
"""The shells that click supports."""


@declare_command(
    "completion",
    "Print what a shell needs to complete a line.",
    ("completion bash >> ~/.bashrc", "for bash"),
    ("completion zsh >> ~/.zshrc", "for zsh"),
    ("completion fish > ~/.config/fish/completions/shinpan.fish", "for fish"),
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> int:
    """Print the script."""
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    print(completion_class(context.find_root().command, {}, "shinpan", COMPLETE).source())
    print_hint("this belongs into a file that the shell reads; `shinpan completion --help` says which.")
    return Exit.DONE
