"""The box's speech: the sentences and their timing, and the loudspeaker."""
