"""A table played from a script: the physical world. Frames out, button edges in, no truth told to the box."""
