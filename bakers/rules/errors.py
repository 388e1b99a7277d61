"""The three ways in which a text or a move can be wrong."""


class RulesError(ValueError):
    """Base of what `bakers.rules` raises.

    Attributes:
        token: the part of the input that is wrong, as it was given.
        reason: one sentence for a person, with a full stop.
        code: a word for machines.
    """

    code = "rules_error"

    def __init__(self, reason: str, *, token: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.token = token


class UnreadableError(RulesError):
    """The text is no card, move, deal number or layout.

    `line` is the number of the text line, from 1, where there is one.
    """

    code = "unreadable"

    def __init__(self, reason: str, *, token: str = "", line: int | None = None) -> None:
        super().__init__(reason, token=token)
        self.line = line


class IllegalMoveError(RulesError):
    """The move can be read, but the rules don't allow it in this position.

    `index` is the place of the move in the line that was played, from 0.
    """

    code = "illegal_move"

    def __init__(self, reason: str, *, token: str = "", index: int = 0) -> None:
        super().__init__(reason, token=token)
        self.index = index


class AmbiguousMoveError(RulesError):
    """The text names more than one legal move."""

    code = "ambiguous_move"
