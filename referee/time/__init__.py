"""Time: how much the players have, who is using it, and what happens when something goes wrong with it.

controls.py    lengths of time, what a player has left, and the time controls, also as texts: `45m`, `30m+5x30s`,
               `30m+20/5m`, `3m+15s`, `ing 3h30m 3x35m`
clock.py       the clock of a game: it changes over at a press, stops, goes back, and can be read at any time
moments.py     what happens by itself while a clock runs, and when
state.py       a game's time as a whole; play.py, pauses.py, disputes.py and results.py: what may be done about it
steps.py       what players and director do about time, and what the referee answers
timekeeping.py the clock of a game with the procedures of a tournament
records.py     time in game records (SGF's TM, OT, BL, WL, OB, OW)

All inside is whole milliseconds; callers pass in seconds. Nothing here reads a clock, and a tick changes nothing: what
is shown follows from the presses alone.
"""
