"""macOS, over a fake of F_FULLFSYNC: what is written is asked onto the disk itself."""

import fcntl

from tests.support.device.systems import F_FULLFSYNC, load_system


def test_a_sync_asks_the_drive_itself(monkeypatch, tmp_path):
    with load_system("darwin") as module, (tmp_path / "file").open("w") as file:
        requests = []
        monkeypatch.setattr(fcntl, "fcntl", lambda handle, request: requests.append(request))
        module.sync_file(file.fileno())
        module.sync_data(file.fileno())
        assert requests == [F_FULLFSYNC, F_FULLFSYNC] and module.SQLITE_PRAGMAS == ("PRAGMA fullfsync=ON",)


def test_a_file_system_that_cannot_be_asked_is_synced(monkeypatch, tmp_path):
    synced = []

    def refuse(handle, request):
        raise OSError(45, "Operation not supported")

    with load_system("darwin") as module, (tmp_path / "file").open("w") as file:
        monkeypatch.setattr(fcntl, "fcntl", refuse)
        monkeypatch.setattr("os.fsync", synced.append)
        module.sync_file(file.fileno())
        assert synced == [file.fileno()]
