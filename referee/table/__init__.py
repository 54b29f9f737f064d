"""The table: what is seen and pressed becomes turns, and the turns are judged."""
