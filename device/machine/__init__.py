"""The machine that the box runs on: its checks, systemd, Wi-Fi, PIN, label, safe mode."""
