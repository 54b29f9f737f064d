"""The operating system: all that Linux, macOS and Windows do differently, behind one set of names, `system`.

`linux`, `macos` and `windows` each give every name below; what Linux and macOS share stands in `posix`. This room lies
beneath every other and imports nothing of ours, so that `vision` and `web` may use it too. What is the same everywhere
stands in `own_modules`, how our own modules are started, and `stop_signals`. No other module imports fcntl, termios,
signal and the like, or names a file in /proc or /sys: tests/test_house.py holds it.

What a system cannot do is left out where nothing depends on it, and has another means where something does:

- macOS syncs a file to the disk itself only by F_FULLFSYNC; `sync_file`, `sync_data` and SQLite (`SQLITE_PRAGMAS`) ask
  for it. `begin_sync` does nothing there and on Windows: a power cut then loses up to five seconds of heartbeats, not
  one.
- Windows neither renames over an open file nor deletes one. `replace_file` tries again for REPLACED_WITHIN_S: virus
  scanners and indexers hold new files for moments.
- Windows has no sockets with a path. A simulated table listens at this machine's own address there, and the file at
  its path names the port and a key that only this user can read.
- Windows cannot hand open sockets to a child as numbers: they are written to its standard input.
"""

from __future__ import annotations

import sys

from device.system.own_modules import own_command, own_environment
from device.system.stop_signals import exit_on_sigterm, handle_stop_signals

if sys.platform == "win32":
    from device.system import windows as system
elif sys.platform == "darwin":
    from device.system import macos as system
else:
    from device.system import linux as system
