"""Announcement of the box's page in the local network, so that a hall can find it: DNS-SD over multicast DNS (RFC 6762,
RFC 6763), by the zeroconf library.

The announcement has the box's public key, its table and its page's port, and no secret.
"""

from __future__ import annotations

import logging
import socket
from contextlib import ExitStack
from ipaddress import ip_address
from threading import Event

from device.machine.label import EVERYWHERE
from device.threads import start_supervised_thread

log = logging.getLogger("shinpan")
KIND = "_shinpan._tcp.local."
BOX, TABLE = "box", "table"
"""Keys of the announced properties: the public key, 64 hexadecimal digits; and the table, as in the box's settings."""
OFTEN = 30.0
"""Seconds between two checks of the machine's addresses: a network may come late, or change."""
LACKING = "The network is not told where this box is: that needs zeroconf (apt install python3-zeroconf)."


class Announcement:
    """An announcement that lasts until closed; if it fails, only the log says so, because no game needs it.

    host, port: where the page is served
    box: the public key
    table: as in the settings
    """

    def __init__(self, host: str, port: int, box: str, table: str) -> None:
        self._host, self._port, self._name = host, port, box[:12]
        self._properties = {BOX: box, TABLE: table}
        self._over = Event()
        self._thread = start_supervised_thread("announcer", self._run)

    def close(self) -> None:
        """Withdraw the announcement."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._over.is_set():
                self._announce_addresses(own_addresses(self._host))
        except ImportError:
            log.warning(LACKING)

    def _announce_addresses(self, addresses: list[str]) -> None:
        """Announce the box for as long as these are its addresses."""
        from zeroconf import Error, ServiceInfo, Zeroconf

        with ExitStack() as stack:
            try:
                if addresses:
                    zeroconf = stack.enter_context(Zeroconf(interfaces=addresses))
                    name, server = f"{self._name}.{KIND}", f"shinpan-{self._name}.local."
                    where = ServiceInfo(
                        KIND,
                        name,
                        port=self._port,
                        server=server,
                        properties=self._properties,
                        parsed_addresses=addresses,
                    )
                    zeroconf.register_service(where)
            except (OSError, Error) as error:
                log.warning("The network cannot be told where this box is: %s.", error or type(error).__name__)
            while not self._over.wait(OFTEN) and own_addresses(self._host) == addresses:
                pass


def own_addresses(host: str) -> list[str]:
    """Return this machine's IPv4 addresses at which a server bound to `host` is reachable, in a stable order.

    Loopback addresses are left out unless it is bound to one.
    """
    if host not in EVERYWHERE:
        return [socket.gethostbyname(host)]
    import ifaddr

    addresses = (str(one.ip) for adapter in ifaddr.get_adapters() for one in adapter.ips if one.is_IPv4)
    return sorted(one for one in addresses if not ip_address(one).is_loopback)
