"""Exact analysis of Fundamental Go: score, cost, sente level and phase of a situation, or bounds of them.

Source: Analysis of Ultimate Go (Yoav Yaffe, Sensei's Library), sections IV and V. Standard library only, no clock: the
caller passes in `go_on`, which says whether more work may be done.

>>> from referee import Setup, rule_set
>>> from referee.analysis import worth
>>> found = worth(Setup(rule_set("fundamental"), size=(3, 1)).record(), lambda: True)
>>> found.score, found.level, str(found.phase), found.optimal, found.costs
(0.5, 2, 'normal', ('B1',), {'A1': 2, 'B1': 0, 'C1': 2})
"""

from referee.analysis.figures import PhaseOfPlay, Worth
from referee.analysis.situation import FullSituation, full_situation
from referee.analysis.worth import worth
