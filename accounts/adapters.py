"""Where django-allauth asks what this site wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.adapter import DefaultAccountAdapter
from django.db import transaction

from bakers import games, players

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.http import HttpRequest

#: Stored for the address of a session: an address is kept only where a limit needs it, and then as a hash.
NO_ADDRESS = "0.0.0.0"  # noqa: S104 (nothing listens on it)


class AccountAdapter(DefaultAccountAdapter):
    """Takes a guest's games along, and keeps no addresses."""

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Sign in, and hand the games that were played in this browser over."""
        guest = players.find_player(request)
        # One transaction: whoever sees the session signed in sees the games there too.
        with transaction.atomic():
            super().login(request, user)
            if guest is not None and guest.user_id is None and guest.guest is not None:
                games.adopt(guest=guest.guest, user_id=user.pk)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return no address; the limits of `accounts.entrance` are counted elsewhere."""
        return NO_ADDRESS
