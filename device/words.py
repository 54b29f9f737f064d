"""What the box itself says to players, beside the referee's rulings."""

PAUSED = "The game is paused: press pause to go on."
ONLY_DIRECTOR = "Only the director lets the game go on: by holding pause."
NO_SIDES = "Nothing says yet who sits where: nobody can propose to score."
DISAGREED = "A player disagrees with the result: the director is called. Press pause to go on."
FINAL = "Both players have agreed to the result; it is final."
NO_BOARD_YET = "The board has not been found yet: show the whole board to the camera."


def not_ready(missing: str | None) -> str:
    """A press that would start the clock, while the start check is not over."""
    return f"The clock does not start before the table is ready. {missing or 'It has not been seen yet.'}"


def other_board(lines: int, played: int) -> str:
    """Another board than the match's is seen."""
    return f"A board of {lines} lines is seen, but the match is played on {played}: show that board."
