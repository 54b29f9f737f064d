"""The commands of `shinpan`, one per module."""
