"""The check of the network."""

from __future__ import annotations

from device.checking.check import Check, Mark
from device.network import links, told
from device.nmcli import NoNetwork, NotThere
from device.settings import Page


def network(page: Page) -> Check:
    """What the box is connected to. A machine whose networks are not NetworkManager's is right too."""
    try:
        found = links()
    except NotThere as error:
        return Check(Mark.OK, "network", f"{error} The page needs no more than an address.")
    except NoNetwork as error:
        return Check(Mark.NOTE, "network", str(error))
    return Check(Mark.OK if found else Mark.NOTE, "network", " ".join(told(found, page).splitlines()))
