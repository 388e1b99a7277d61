"""A player's settings: which there are, and how those of an account are read and changed.

The browser has the same list in `static/js/settings.js`, for it keeps a guest's. `tests/data/settings.json` holds
both to it.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Preferences, User
from bakers.problems import SignInRequired
from config import clock

Value = bool | str


@dataclass(frozen=True)
class Setting:
    """A setting: a switch, or a choice among words."""

    name: str
    default: Value
    #: What may be chosen; nothing for a switch.
    choices: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        """Return whether a value is one of this setting's."""
        if self.choices:
            return isinstance(value, str) and value in self.choices
        return isinstance(value, bool)


SETTINGS = (
    # A click or tap plays a card.
    Setting("autoplay", default=True),
    # What a tap does with a card that its foundation and another card both take.
    Setting("tap", default="foundation", choices=("foundation", "column")),
    # The player chooses when several columns take a card.
    Setting("ask", default=False),
    # A game that foundation moves alone finish is finished.
    Setting("autocomplete", default=True),
    # Cards that are of no more use go home after a move.
    Setting("safeHome", default=False),
    # New deals are ones that can be won.
    Setting("winnable", default=False),
    Setting("clock", default=True),
    # Whether the game can still be won is shown.
    Setting("lamp", default=False),
    # Cards above a lower card of their suit are marked.
    Setting("kinks", default=False),
    Setting("theme", default="system", choices=("system", "light", "dark")),
    # How many colours tell the suits apart.
    Setting("suits", default="two", choices=("two", "four")),
    # Of what moves on the screen; "system" is normal, or off where the device asks for less motion.
    Setting("speed", default="system", choices=("system", "off", "fast", "normal", "slow")),
    # Single keys do something.
    Setting("shortcuts", default=True),
)
_BY_NAME = {setting.name: setting for setting in SETTINGS}


@dataclass(frozen=True)
class Known:
    """The settings of an account at a time.

    Attributes:
        settings: every setting's value, by name.
        chosen: whether any of them was chosen; what a browser kept of a guest gives way to those.
        as_of: no change that was made before is missing.
    """

    settings: dict[str, Value]
    chosen: bool
    as_of: datetime.datetime


def find(*, user_id: int) -> Known:
    """Return the settings of an account."""
    # Before looking: what is changed in between may be missing, and a browser then keeps the newer answer.
    as_of = clock.now()
    stored = Preferences.objects.filter(user_id=user_id).values_list("values", flat=True).first()
    return _known(stored or {}, as_of)


def change(*, user_id: int, changes: Mapping[str, Value]) -> Known:
    """Change some settings of an account, and return all.

    Args:
        user_id: whose.
        changes: new values by name; what isn't named stays.

    Raises:
        ValueError: there is no such setting, or it hasn't such a value.
        SignInRequired: the account has gone.
    """
    for name, value in changes.items():
        if name not in _BY_NAME or not _BY_NAME[name].allows(value):
            raise ValueError(f"{name} can't be {value!r}.")
    with transaction.atomic():
        # Two browsers may change settings at once: each reads what the other wrote. The row of the user is there
        # before that of the settings is, and a deletion waits for it; a game that is started meanwhile doesn't.
        try:
            User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
        except User.DoesNotExist:
            raise SignInRequired(_("Sign in first.")) from None
        preferences, _made = Preferences.objects.get_or_create(user_id=user_id)
        preferences.values = {**preferences.values, **changes}
        preferences.save(update_fields=["values"])
    return _known(preferences.values, clock.now())


def settings_data(known: Known) -> dict[str, Any]:
    """Return settings as the API and the pages show them."""
    return {
        "settings": known.settings,
        "chosen": known.chosen,
        "as_of": known.as_of.isoformat(timespec="milliseconds"),
    }


def page_settings(user: User) -> str:
    """Return what a page tells the browser of its visitor's settings, as JSON."""
    data = settings_data(find(user_id=user.pk))
    return json.dumps({"account": str(user.public_id), **data}, separators=(",", ":"))


def _known(stored: Mapping[str, object], as_of: datetime.datetime) -> Known:
    # What an older release stored may no longer be a setting, or no longer one of its values.
    chosen = {
        setting.name: value
        for setting in SETTINGS
        if isinstance(value := stored.get(setting.name), (bool, str)) and setting.allows(value)
    }
    defaults = {setting.name: setting.default for setting in SETTINGS}
    return Known(settings={**defaults, **chosen}, chosen=bool(chosen), as_of=as_of)
