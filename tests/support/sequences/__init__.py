"""Sequences of acts at a table, a small model of what is promised about them, and what shortens those that fail.

A sequence is what was agreed before the game (`Agreed`) and acts in words, in the order in which they are done:

    "B C3", "lift C3", "lid B W -1"      a stone is put on or taken off the board, stones go into or out of a lid
    "1 done", "2 hold call", "0 pause"   a button of a side is pressed, or held for two seconds; 0 is the table's
    "look"                               the camera agrees on what lies there
    "wait 3"                             so many seconds pass
    "director take-back 1"               the director does something on their page (`table.DIRECTOR`)
    "director set ..B../... W"  an adjourned game is taken up from that position, and the stones are put there
    "cover"                              the camera looks while a hand is over everything
    "late 1.5 2 done"                    a phone's press arrives that was made so many seconds before
    "power cut", "replay"                the box starts again from its journal; the journal is replayed beside it

`table` drives a real box with them. `laws` holds before and after any act whatever came before, and `presses` has from
docs/panel.md what a press means. `truth` follows a game of players who know what they do, with `purse` for their time
and `count` for the end; `shown` compares what has to come of it with what is shown. None of them asks the product what
is right. `drawn` draws sequences by a seed, `check` plays them, `shrink` shortens those that fail.
"""
