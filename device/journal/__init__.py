"""The journal of a match: its store, what a replay makes of it, and the pictures and copies kept beside it.

What is written. The terms of the match first (`match`). Then, in the order of hearing, everything the match heard that
made a difference: looks that were news (`seen`), debounced presses (`pressed`), words and the director's decisions
(`said`), steps about time, the clock's own moments included (`timed`), power cuts (`resumed`); who did it, where it was
entered for somebody (`author`). Each is followed by what
came of it: rulings (`ruled`) and answers (`answered`). In addition, where board and lids lie, whenever that changes
(`placed`), and that entries were lost (`lost`); nothing follows from these. Looks that were no news are not written.

When. What was heard is written together with what came of it, all or nothing, before a lamp, a sound or the page shows
any of it, and is on disk when `Journal.write` returns: WAL with synchronous=FULL survives a pulled plug. A second later
it has gone from SQLite's log into the file, which is then whole by itself. If the disk is full, what cannot be written
is kept and tried again with the next entry; meanwhile the page says so. While a clock runs, the box notes twice a
second that it is alive, beside the journal, and waits for the disk at most once in five seconds.

How. An entry is a kind, a time on the box's clock, the time of day as a label, and a JSON body (`referee/wire`); a look
is heard in the very form in which it is written. Entries are only ever added. The hash of each is the SHA-256 of the
JSON list of the previous hash, its number, both times, its kind and its body as written, so none can be changed,
removed or inserted unnoticed. The head (how many entries, the last one's hash, the box's signature) is written with
them and once more beside the journal, so none can go missing at its end. The journal of highest number is the newest.

What a replay promises. The same terms and the same things heard, in the same order, give the same game, clocks and
rulings: nothing else goes into a match, neither the time of day nor chance. If this version would rule differently, the
replay names the first such entry, and the box says so. The clocks are stopped after it, at what they showed when the
box was last alive. Any one damaged byte is harmless or told; the box continues from what is sound before it, and keeps
the original aside. Journals of earlier versions replay with the rulings they have (tests/data/journals).
"""
