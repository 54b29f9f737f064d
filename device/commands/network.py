"""`shinpan network`: what the box is connected to; a Wi-Fi network to join; an access point of its own."""

from __future__ import annotations

import getpass
import signal
from pathlib import Path

import click

from device.commands.declared import TEXT, Between, Declared, Exit, settings_option, tell
from device.gamefile import standard_input
from device.machine.wifi import (
    OWN_ADDRESS,
    NoNetwork,
    OutOfReach,
    join,
    joined_within,
    links,
    make_access_point,
    open_access_point,
    page_in,
    told,
)
from device.settings import Page, read_settings
from vision.named import NamedFile

LONGEST = 1 << 12
PASSWORD = NamedFile("a file with the password in its first line", LONGEST, NoNetwork)


class Acts(Declared, click.Group):
    """A command with acts of its own; without one it tells how things are."""


@click.group(
    "network",
    cls=Acts,
    invoke_without_command=True,
    help="Join a Wi-Fi network, open one, or tell which are joined.",
    examples=(
        ("network", "what the box is connected to"),
        ("network join ClubNet", "join this network; the password is asked for"),
        ("network access-point", "open a network of the box's own"),
    ),
)
@settings_option
@click.pass_context
def network_command(context: click.Context, settings: Path | None) -> int:
    """Say what the box is connected to, where no act is named."""
    context.obj = settings
    _page(settings)
    return Exit.DONE if context.invoked_subcommand else _tell(settings)


def _tell(settings: Path | None) -> int:
    print(told(links(), _page(settings)))
    return Exit.DONE


@network_command.command(
    "join",
    cls=Declared,
    help="Know a Wi-Fi network, and join it.",
    examples=(
        ("network join ClubNet", "the password is asked for"),
        ("network join ClubNet --password-file FILE", "the password is the file's first line"),
        ("network join ClubNet --password-file - < FILE", "the same, from standard input"),
    ),
)
@click.argument("name", type=TEXT)
@click.option("--password-file", type=TEXT, metavar="FILE", help="A file with the password; - for standard input.")
@settings_option
@click.pass_obj
def join_act(of_the_box: Path | None, name: str, password_file: str | None, settings: Path | None) -> int:
    """Join the network; 1 where it is not in reach."""
    page_of = settings or of_the_box
    _page(page_of)
    password = _password(name, password_file)
    # Whoever came in by the network that is left now is cut off; the box has to go on all the same.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        join(name, password)
    except OutOfReach as error:
        tell(f"{error} The box knows it now, and joins it when it is in reach.")
        return Exit.NOT_WELL
    return _tell(page_of)


@network_command.command(
    "access-point",
    cls=Declared,
    help="Open a Wi-Fi network of the box's own.",
    examples=(
        ("network access-point", "open it, and tell its name and password"),
        ("network access-point --prepare", "tell them, and open nothing"),
        ("network access-point --new-password", "the password before ends"),
    ),
)
@click.option("--prepare", is_flag=True, help="Make and tell its name and password, and open nothing.")
@click.option("--unless-joined", type=Between(0, 600), metavar="S", help="Only if no network is joined in S seconds.")
@click.option("--new-password", is_flag=True, help="With a new password; the one before ends.")
@settings_option
@click.pass_obj
def access_point_act(
    of_the_box: Path | None, prepare: bool, unless_joined: float | None, new_password: bool, settings: Path | None
) -> int:
    """Open the box's own network, and tell its name, its password and the page's address."""
    page_of = settings or of_the_box
    _page(page_of)  # What is wrong with the settings is said before anything is changed.
    if unless_joined is not None:
        if prepare:
            raise click.UsageError("--prepare and --unless-joined cannot go together: the first opens nothing.")
        return _open_unless_joined(unless_joined, new_password, page_of)
    made = (make_access_point if prepare else open_access_point)(new_password)
    print(f"Wi-Fi network  {made.name}\nPassword       {made.password}")
    print(f"When it is open, {page_in(_page(page_of), OWN_ADDRESS)}.")
    return Exit.DONE


def _open_unless_joined(seconds: float, new_password: bool, settings: Path | None) -> int:
    """As the box does when it starts; the password is not told, for what is said stays in the machine's log."""
    try:
        joined = joined_within(seconds)
    except NoNetwork as error:
        raise NoNetwork(f"No network in {seconds:g} seconds. {error}") from error
    if not joined:
        open_access_point(new_password)
    return _tell(settings)


def _page(settings: Path | None) -> Page:
    return read_settings(settings).page if settings else Page()


def _password(name: str, file: str | None) -> str:
    """From the file or standard input, else asked for; never from the command line, which others can read."""
    if file not in (None, "-"):
        password = PASSWORD.text_of(Path(str(file))).partition("\n")[0].rstrip("\r")
        if not password:
            raise PASSWORD.refused(Path(str(file)), "its first line is empty")
        return password
    typed = standard_input()
    try:
        if file is None and typed.isatty():
            return getpass.getpass(f"Password of {name}: ")
        return typed.readline(LONGEST).decode("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise NoNetwork("standard input: no password can be read from it; give a file with one line.") from error
