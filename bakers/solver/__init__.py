"""The exact solver: verdicts with proofs and short lines for every variant.

`decide` says won with a line, lost with a proof, or unknown when its budget is spent; `shortest` finds a short line
and proves it shortest where it can. The idea stands in docs/solver.md, the specification in `reference`.
"""

from .lines import WrongLineError
from .pars import Par, ParSearch, shortest
from .quickly import short_line
from .ratings import Rating, rate, rate_won
from .verdicts import DEFAULT_BUDGET, LAST_RESORT, QUICK_BUDGET, Decision, Outcome, Reason, Verdict, decide
from .warming import compile_all

__all__ = [
    "DEFAULT_BUDGET",
    "LAST_RESORT",
    "QUICK_BUDGET",
    "Decision",
    "Outcome",
    "Par",
    "ParSearch",
    "Rating",
    "Reason",
    "Verdict",
    "WrongLineError",
    "compile_all",
    "decide",
    "rate",
    "rate_won",
    "short_line",
    "shortest",
]
