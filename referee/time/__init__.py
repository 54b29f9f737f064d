"""Game time: time controls, clocks, and the tournament procedures for them.

controls.py    durations, a player's remaining time, and the time controls, also as texts: `45m`, `30m+5x30s`,
               `30m+20/5m`, `3m+15s`, `ing 3h30m 3x35m`
clock.py       the clock of a game: it changes over at a press, stops, goes back, and can be read at any time
moments.py     the automatic events of a running clock, and their times
state.py       a game's timekeeping as a whole; play.py, pauses.py, disputes.py and results.py: the procedures for it
steps.py       the acts of players and director about time, and the referee's answers
timekeeping.py the clock of a game with the procedures of a tournament
records.py     time in game records (SGF's TM, OT, BL, WL, OB, OW)

Internal times are whole milliseconds; callers pass in seconds. Nothing here reads a clock, and a tick changes nothing:
the display follows from the presses alone.
"""
