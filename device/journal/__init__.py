"""The journal of a match: its store, what a replay makes of it, and the pictures and copies kept beside it.

What is written. The terms of the match first (`match`). Then, in the order of hearing, everything that the match heard
and that made a difference: looks that were news (`seen`), debounced presses (`pressed`), words and the director's
decisions (`said`), steps about time, the clock's own moments included (`timed`), power cuts (`resumed`). Each of these
is followed by everything that came of it: rulings (`ruled`) and answers (`answered`). In addition, where board and lids
lie, whenever that changes (`placed`); nothing follows from it. Looks that were no news and a button's bouncing are not
written.

When. What was heard is written together with what came of it, all or nothing, before a lamp, a sound or the page shows
any of it, and is on disk when `Journal.write` returns: WAL with synchronous=FULL survives a pulled plug. If the disk is
full, what cannot be written is kept and tried again with the next entry; meanwhile the page says so. While a clock
runs, the box notes twice a second that it is alive, beside the entries.

How. An entry is a kind, a time on the box's clock, the time of day as a label, and a JSON body (`referee/wire`); a look
is heard in the very form in which it is written. Entries are only ever added. The hash of each is the SHA-256 of the
JSON list of the previous hash, its number, both times, its kind and its body as written, so no entry can be changed,
removed or inserted unnoticed. A copy taken while the journal is being written is a whole journal too.

What a replay promises. The same terms and the same things heard, in the same order, give the same game, clocks and
rulings: nothing else goes into a match, neither the time of day nor chance. If this version would rule differently, the
replay names the first such entry, and the box says so. The clocks are stopped after it, at what they showed when the
box was last alive. A damaged journal is refused with the number of its first bad entry; the box continues from what is
sound before that, and keeps the original file aside. Journals of every earlier version replay with the rulings they
have, though the wording of a ruling may change: tests/data/journals holds some.
"""
