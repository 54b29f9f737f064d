"""The filter of looks: a camera sends the same table all evening, and only what is new is judged.

A look is news if another content of a point is the likeliest, if one becomes doubtful or sure, or if the lids are
counted otherwise. How likely all this is wavers from look to look, and is news to a waiting press alone, which may need
a more certain stone. After a press or a statement any look is news; one that was taken before it and arrives later is
judged, and not remembered, because it says nothing about that press.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.game.observation import Observation

DOUBTS = 0.8
"""Confidence threshold: an observation is news if a point's likeliest content changes or crosses this confidence."""


@dataclass(frozen=True)
class LookFilter:
    """The newest look that was judged.

    key: the part of it that makes a look news, None if any look is
    confidences: of its points
    asked_at: when the newest press or statement was made, in seconds
    """

    key: object = None
    confidences: tuple[float, ...] = ()
    asked_at: float = 0.0

    def is_known(self, key: object, observation: Observation, is_press_waiting: bool) -> bool:
        """Return True if a look, whose key this is, says nothing new."""
        return key == self.key and not (is_press_waiting and rounded_confidences(observation) != self.confidences)

    def after_look(self, key: object, observation: Observation) -> LookFilter:
        """Return the filter after a look, whose key this is, was judged."""
        known_key = key if observation.t > self.asked_at else None
        return LookFilter(known_key, rounded_confidences(observation), self.asked_at)

    def after_act(self, t: float) -> LookFilter:
        """Return the filter after a press or a statement."""
        return LookFilter(None, self.confidences, t)

    def without_key(self) -> LookFilter:
        """Return the filter if the next look is news whatever it shows."""
        return replace(self, key=None)


def observation_key(observation: Observation) -> object:
    """Return the part of an observation that makes it news: each point's likeliest content and whether it is doubtful,
    stones between points, and the lids' counts; how likely these are wavers.
    """
    likeliest = tuple((sight.index(best), best < DOUBTS) for sight in observation.points for best in [max(sight)])
    return likeliest, observation.between, tuple(replace(lid, chances=None) for lid in observation.lids)


def rounded_confidences(observation: Observation) -> tuple[float, ...]:
    """Return each point's confidence in hundredths: news to a waiting press, which needs a more certain stone."""
    return tuple(round(max(sight), 2) for sight in observation.points)
