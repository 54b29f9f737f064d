"""The box speaks: what is said when, and the loudspeaker."""
