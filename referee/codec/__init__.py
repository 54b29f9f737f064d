"""The JSON codec for turns, rulings, input events, counts and clocks: the only place that knows their format.

Colours are letters, points are named as in GTP, times are milliseconds, or seconds under the key `t`. If the line or
the entry already has the time, it is left out here, and the reader is given `t`. `x_from_json` turns the output of
`x_to_json` into an equal value; for anything else it raises KeyError, TypeError, ValueError or, with a sentence,
RefereeError.
"""

from referee.codec.counts import (
    cost_to_json,
    count_from_json,
    count_to_json,
    left_from_json,
    step_from_json,
    step_to_json,
    worth_to_json,
)
from referee.codec.events import (
    observation_from_json,
    observation_to_json,
    press_from_json,
    press_to_json,
    statement_from_json,
    statement_to_json,
)
from referee.codec.messages import message_from_json, message_to_json, read_message
from referee.codec.turns import (
    answer_to_json,
    parse_act,
    parse_placement,
    record_after,
    record_to_json,
    ruling_from_json,
    ruling_line,
    ruling_to_json,
    settlement_from_json,
    settlement_to_json,
    turn_from_json,
    turn_to_json,
)
