"""The journal of a match: its store, its replay, and the frames and copies kept beside it.

Contents. The first entry holds the terms of the match (`match`). Then follows, in the order of arrival, every input of
the match that changed anything: observations that were news (`seen`), debounced presses (`pressed`), spoken words and
the director's decisions (`said`), steps about time, including the clock's own events (`timed`), power cuts (`resumed`);
with the actor, if somebody entered it for somebody else (`author`). Each is followed by its outcome: rulings (`ruled`)
and answers (`answered`). In addition, the positions of board and lids, whenever they change (`placed`), and the fact
that entries were lost (`lost`); nothing follows from these. Observations that were no news are not written.

Timing. An input is written together with its outcome in one transaction, before a lamp, a sound or the page shows any
of it, and is on disk when `Journal.write` returns: WAL with synchronous=FULL survives a power cut. A second after the
newest input, five at most after any, all are checkpointed from SQLite's log into the file, which is then complete by
itself. If the disk is full, the entries are kept in memory and tried again with the next entry; meanwhile the page says
so. While a clock runs, the box writes a
heartbeat twice a second beside the journal, and waits for the disk at most once in five seconds.

Format. An entry is a kind, a time on the box's clock, the time of day as a label, and a JSON body (`referee/codec`);
the match is given an observation in exactly the form in which it is written. Entries are append-only. The hash of
each is the SHA-256 of the JSON list of the previous hash, its number, both times, its kind and its body as written,
so none can be changed, removed or inserted unnoticed. The head (number of entries, the last one's hash, the box's
signature) is written with them and once more beside the journal, so none can be cut off at the end unnoticed. The
journal with the highest number is the newest.

Replay. The same terms and the same inputs, in the same order, give the same game, clocks and rulings: a match depends
on nothing else, neither the time of day nor chance. If this version would rule differently, the replay names the first
such entry, and the box says so. After a replay the clocks are stopped at what they showed when the box was last alive.
Any single damaged byte is harmless or reported; the box continues from the sound entries before it, and keeps the
original aside. Journals of earlier versions replay with the rulings they have (tests/data/journals).
"""
