"""The word by which a director confirms one loss, and no other that has taken its place meanwhile."""

from referee import Message
from web.director.confirmation import LENGTH, word_for


def test_another_loss_has_another_word():
    one, other = (
        Message("plain", (("text", text),)) for text in ("Two turns would be lost.", "Three turns would be lost.")
    )
    assert word_for(one) == word_for(Message("plain", (("text", "Two turns would be lost."),))) != word_for(other)
    assert len(word_for(one)) == LENGTH
