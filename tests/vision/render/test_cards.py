"""Printed cards on a drawn table, and what is read of their markers."""

from dataclasses import replace

import numpy as np

from vision.board.marker_layout import LID_IDS
from vision.board.markers import find_markers
from vision.render.dish import lid_dishes
from vision.render.looks import club_look
from vision.render.scene import Card, Scene
from vision.render.table import Table
from vision.render.view import View


def test_a_lids_card_is_seen_with_its_markers():
    look = replace(club_look(4, 9, 1280, 960), lids_shown=False)
    lid = lid_dishes(look, View(look).board_half() + look.wood.margin)[0]
    bare, with_cards = (
        np.asarray(Table(replace(look, cards=cards)).draw(Scene(("." * 9,) * 9)).pixels, np.uint8)
        for cards in ((), (Card(LID_IDS[0][0], lid.x, lid.y),))
    )
    assert find_markers(bare, bare, 1.0) == {} and LID_IDS[0][0] in find_markers(with_cards, with_cards, 1.0)
