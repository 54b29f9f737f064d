"""What stands in for `nmcli` where no NetworkManager can run: it answers as nmcli 1.42.4 (Debian bookworm) does.

Its words were recorded from that nmcli: from a real NetworkManager all that needs no Wi-Fi device, from a mocked one
the lines of a Wi-Fi device; what it says of wrong passwords and of networks out of reach, from reports of its users. It
is called with a folder (state.json: what is there; asked.jsonl: what it was asked; profiles: the networks' files) and
nmcli's own words.
"""

from __future__ import annotations

import json
import sys
from configparser import ConfigParser
from pathlib import Path

FOLDER = Path(sys.argv[1])
STATE = json.loads((FOLDER / "state.json").read_text())
SECRETS = """Passwords or encryption keys are required to access the wireless network '{name}'.
Warning: password for '802-11-wireless-security.psk' not given in 'passwd-file' and nmcli cannot ask without '--ask'.
Error: Connection activation failed: Secrets were required, but not provided
Hint: use 'journalctl -xe NM_CONNECTION={uuid} + NM_DEVICE=wlan0' to get more details.
"""


def end(status: int, said: str) -> None:
    sys.stderr.write(said)
    sys.exit(status)


def tell(*rows: tuple[str, ...]) -> None:
    for row in rows:
        print(":".join(field.replace("\\", "\\\\").replace(":", "\\:") for field in row))


def profiles() -> dict[str, dict[str, str]]:
    """The networks whose files were loaded, and those that others have set up, by their uuid."""
    found = dict(STATE["known"])
    for path in map(Path, STATE["loaded"]):
        file = ConfigParser(interpolation=None, delimiters=("=",))
        file.read_string(path.read_text())
        named = bytes(map(int, file["wifi"]["ssid"].split(";")[:-1])).decode()
        password = file["wifi-security"]["psk"].replace("\\s", " ").replace("\\\\", "\\")
        found[file["connection"]["uuid"]] = {"ssid": named, "psk": password, "mode": file["wifi"]["mode"]}
    return found


def show(uuid: str, secrets: bool, wanted: list[str]) -> None:
    if uuid not in profiles():
        end(10, f"Error: {uuid} - no such connection profile.\n")
    for field in wanted:
        value = profiles()[uuid][field.rpartition(".")[2]]
        tell((("" if STATE["nobody"] else value if secrets else "<hidden>") if field.endswith(".psk") else value,))


def up(uuid: str) -> None:
    if uuid not in profiles():
        end(10, f"Error: unknown connection '{uuid}'.\n")
    wanted = profiles()[uuid]
    if "up" in STATE["refuses"]:
        end(4, STATE["refuses"]["up"])
    if wanted["mode"] != "ap":
        if wanted["ssid"] not in STATE["air"]:
            STATE["devices"]["wlan0"] = ["wifi", "disconnected", "", ""]
            end(4, "Error: Connection activation failed: The Wi-Fi network could not be found\n")
        if STATE["air"][wanted["ssid"]] != wanted["psk"]:
            STATE["devices"]["wlan0"] = ["wifi", "disconnected", "", ""]
            end(4, SECRETS.format(name=wanted["ssid"], uuid=uuid))
    address = "10.42.0.1/24" if wanted["mode"] == "ap" else "192.168.1.20/24"
    STATE["devices"]["wlan0"] = ["wifi", "connected", uuid, address]
    print("Connection successfully activated (D-Bus active path: /org/freedesktop/NetworkManager/ActiveConnection/4)")


def load(path: str) -> None:
    if STATE["nobody"]:
        end(1, "Error: failed to load connection: access denied.\n")
    if Path(path).stat().st_mode & 0o077:
        end(0, f"Could not load file '{path}'\n")
    STATE["loaded"] = [*(one for one in STATE["loaded"] if one != path), path]


def delete(uuid: str) -> None:
    for path in STATE["loaded"]:
        if uuid in Path(path).read_text():
            Path(path).unlink()
            STATE["loaded"].remove(path)
            return
    end(10, f"Error: unknown connection '{uuid}'.\nError: cannot delete unknown connection(s): uuid '{uuid}'.\n")


def answer(words: list[str]) -> None:
    if not STATE["bus"]:
        end(1, "Error: Could not create NMClient object: Could not connect: No such file or directory.\n")
    if not STATE["running"]:
        end(8, "Error: NetworkManager is not running.\n")
    match words:
        case ["-g", "RUNNING", "general"]:
            tell(("running",))
        case ["-g", wanted, "device", "status"]:
            full = ["DEVICE", "TYPE", "STATE", "CON-UUID"]
            rows = [dict(zip(full, (name, *told), strict=False)) for name, told in STATE["devices"].items()]
            tell(*(tuple(row[field] for field in wanted.split(",")) for row in rows))
        case ["-g", "IP4.ADDRESS", "device", "show", device]:
            address = STATE["devices"][device][3]
            tell(*[(address,)] if address else [])
        case ["-g", wanted, "connection", "show", "uuid", uuid]:
            show(uuid, False, wanted.split(","))
        case ["-s", "-g", wanted, "connection", "show", "uuid", uuid]:
            show(uuid, True, wanted.split(","))
        case ["connection", "load", path]:
            load(path)
        case ["connection", "up", "uuid", uuid]:
            up(uuid)
        case ["connection", "delete", "uuid", uuid]:
            delete(uuid)
        case _:
            end(2, f"Error: argument '{words[0]}' not understood. Try passing --help instead.\n")


if __name__ == "__main__":
    with (FOLDER / "asked.jsonl").open("a") as asked:
        asked.write(json.dumps(sys.argv[2:]) + "\n")
    if sys.argv[2] != "--wait" or not sys.argv[3].isdigit():
        end(2, "Error: no time to wait was given.\n")
    try:
        answer(sys.argv[4:])
    finally:
        (FOLDER / "state.json").write_text(json.dumps(STATE))
