"""The author of a recorded event: a player, the director, the box, or somebody at the table's own button."""

from referee.game.actor import attribute_to_director
from referee.game.messages import message


def test_an_entered_turn_is_said_to_be_the_directors():
    original = message("time.presses")
    assert attribute_to_director(original) == message("director.entered") + original


def test_what_names_the_director_already_is_left_as_it_is():
    own = (message("time.set-by-director"), message("director.waived"), message("time.pauses", who=message("director")))
    assert [attribute_to_director(own_message) for own_message in own] == list(own)
