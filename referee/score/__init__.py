"""Counting a finished game step by step, so that two people at a table can follow it.

area.py        stones and the empty regions that one colour borders; any number of players
territory.py   surrounded points and prisoners
fill_in.py     Ing's count with full sets of stones
expedited.py   Ultimate Go's expedited counting
procedure.py   its guidelines: the end of a game played out
orders.py      whether filling in another order would end differently
regions.py     visibility along the lines, and the stones that can be dead
agreement.py   the players' agreement on dead stones
methods.py     the method of a rule set, applied to a game
"""
