"""The machine that the box runs on: what has to be right before it referees, systemd, Wi-Fi, PIN, label, safe mode."""
