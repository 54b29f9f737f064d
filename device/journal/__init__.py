"""The journal of a match: its store, what a replay makes of it, and the pictures and copies kept beside it.

What is written. The terms of the match first (`match`). Then, in the order of hearing, all that the match heard and
that made a difference: looks that were news (`seen`), debounced presses (`pressed`), words and the director's decisions
(`said`), what was done about time, moments of the clock's own among it (`timed`), power cuts (`resumed`). After each
of these all that came of it: rulings (`ruled`) and answers (`answered`). Besides, where board and lids lie, whenever
that changes (`placed`); nothing follows from it. Looks that were no news and a button's bouncing are not written.

When. What was heard is written together with what came of it, all or nothing, before a lamp, a sound or the page
shows any of it, and is on disk when `Journal.write` returns: WAL with synchronous=FULL outlives a pulled plug. What
cannot be written, for the disk is full, is kept and tried again with the next entry; the page says so meanwhile.
While a clock runs, the box notes twice a second that it is alive, beside the entries.

How. An entry is a kind, a time on the box's clock, the time of day as a label, and a JSON body (`referee/wire`); a
look is heard in the very form in which it is written. Entries are only ever added. Each one's hash is the SHA-256 of
the JSON list of the hash before it, its number, both times, its kind and its body as written; so none can be changed,
left out or put in unnoticed. A copy that is taken while the journal is being written is a whole journal too.

What a replay promises. The same terms and the same things heard, in the same order, give the same game, clocks and
rulings: nothing else goes into a match, neither the time of day nor chance. Where this version would rule otherwise
than was ruled, the replay names the first such entry, and the box says so. Clocks stand after it, with what they
showed when the box was last alive. A damaged journal is refused with the number of its first entry that is not right;
the box takes up what is sound before that, and sets the file aside as it was. Journals of every earlier version
replay with the rulings they have, though how a ruling is worded may change: tests/data/journals holds some.
"""
