"""`shinpan network`: what the box is connected to; a Wi-Fi network to join; an access point of its own."""

from __future__ import annotations

import argparse
import getpass
import signal
import sys
from pathlib import Path

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

NOT_JOINED = 1


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `network`, its acts and their options."""
    parser = commands.add_parser("network", help="join a Wi-Fi network, or open one", description=__doc__)
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings, as TOML")
    parser.set_defaults(run=run)
    acts = parser.add_subparsers(metavar="ACT")
    joining = acts.add_parser("join", help="know a Wi-Fi network, and join it")
    joining.add_argument("name", metavar="NAME", help="the network's name")
    joining.add_argument("--password-file", metavar="FILE", help="a file with the password; - for standard input")
    joining.set_defaults(run=run_join)
    own = acts.add_parser("access-point", help="open a Wi-Fi network of the box's own")
    when = own.add_mutually_exclusive_group()
    when.add_argument("--prepare", action="store_true", help="make and tell its name and password, and open nothing")
    when.add_argument("--unless-joined", type=_seconds, metavar="S", help="only if no network is joined in S seconds")
    own.add_argument("--new-password", action="store_true", help="with a new password; the one before ends")
    own.set_defaults(run=run_access_point)
    for act in (joining, own):
        act.add_argument("--settings", type=Path, default=argparse.SUPPRESS, metavar="FILE", help="settings, as TOML")


def run(args: argparse.Namespace) -> int:
    """Say what the box is connected to."""
    print(told(links(), _page(args)))
    return 0


def run_join(args: argparse.Namespace) -> int:
    """Join the network; 1 where it is not in reach."""
    password = _password(args)
    # Whoever came in by the network that is left now is cut off; the box has to go on all the same.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        join(args.name, password)
    except OutOfReach as error:
        print(f"shinpan: {error} The box knows it now, and joins it when it is in reach.", file=sys.stderr)
        return NOT_JOINED
    return run(args)


def run_access_point(args: argparse.Namespace) -> int:
    """Open the box's own network, and tell its name, its password and the page's address."""
    if args.unless_joined is not None:
        return _open_unless_joined(args)
    made = (make_access_point if args.prepare else open_access_point)(args.new_password)
    print(f"Wi-Fi network  {made.name}\nPassword       {made.password}")
    print(f"When it is open, {page_in(_page(args), OWN_ADDRESS)}.")
    return 0


def _open_unless_joined(args: argparse.Namespace) -> int:
    """As the box does when it starts; the password is not told, for what is said stays in the machine's log."""
    try:
        joined = joined_within(args.unless_joined)
    except NoNetwork as error:
        raise NoNetwork(f"No network in {args.unless_joined:g} seconds. {error}") from error
    if not joined:
        open_access_point(args.new_password)
    return run(args)


def _page(args: argparse.Namespace) -> Page:
    return read_settings(args.settings).page if args.settings else Page()


def _password(args: argparse.Namespace) -> str:
    """From the file or standard input, else asked for; never from the command line, which others can read."""
    try:
        if args.password_file not in (None, "-"):
            return Path(args.password_file).read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
        if args.password_file is None and sys.stdin.isatty():
            return getpass.getpass(f"Password of {args.name}: ")
        return sys.stdin.readline().rstrip("\r\n")
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise NoNetwork(f"The password cannot be read ({error}); give a file with one line.") from error


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= 600:
        raise argparse.ArgumentTypeError("must be from 0 to 600 seconds")
    return seconds
