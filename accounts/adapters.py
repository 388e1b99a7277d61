"""Where django-allauth asks what this site wants."""

from __future__ import annotations

import smtplib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.middleware.csrf import rotate_token
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.problems import MailNotSent
from bakers import games, players

if TYPE_CHECKING:
    from allauth.account.models import EmailAddress
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.http import HttpRequest

log = structlog.get_logger(__name__)

#: Stored for the address of a session: an address is kept only where a limit needs it, and then as a hash.
NO_ADDRESS = "0.0.0.0"  # noqa: S104 (nothing listens on it)


# The notices of a transaction that goes on; None outside of one.
_held_mails: ContextVar[list[tuple[tuple[Any, ...], dict[str, Any]]] | None] = ContextVar(
    "held_mails", default=None
)


class AccountAdapter(DefaultAccountAdapter):
    """Takes a guest's games along, keeps no addresses, and knows what a mail server may do."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": gettext_lazy("This account is closed."),
        "duplicate_email": gettext_lazy("This is your address already."),
        "email_password_mismatch": gettext_lazy("This address and this password don’t belong together."),
        "email_taken": gettext_lazy("There is an account with this address already."),
        "enter_current_password": gettext_lazy("This isn’t your password."),
        "incorrect_code": gettext_lazy("This isn’t the code. Please look again."),
        "incorrect_password": gettext_lazy("This isn’t your password."),
        "too_many_login_attempts": gettext_lazy(
            "That was a wrong code too often. Please begin again to get a new one."
        ),
    }

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Sign in, and hand the games that were played in this browser over."""
        guest = players.find_player(request)
        # One transaction: whoever sees the session signed in sees the games there too. Their rows are locked before the
        # user's, as everywhere.
        with transaction.atomic():
            if guest is not None and guest.user_id is None:
                _adopt(guest, user.pk)
            super().login(request, user)

    def logout(self, request: HttpRequest) -> None:
        """Sign out, and leave nothing behind; the answer tells the browser to forget what it keeps of this site."""
        player = players.find_player(request)
        # A game that was started in the moment of signing in may still be the guest's, whom nobody knows from here on.
        if player is not None and player.user_id is not None:
            _adopt(player, player.user_id)
        self.leave(request)

    def leave(self, request: HttpRequest) -> None:
        """Sign somebody out of whom nothing is to be kept, or nothing is left."""
        UserSession.objects.filter(session_key=request.session.session_key).delete()
        super().logout(request)
        # Other pages of this browser notice by it that somebody else may be there now.
        rotate_token(request)
        request.META[SIGNED_OUT] = "yes"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail.

        Raises:
            MailNotSent: the mail server didn't take it.
        """
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, smtplib.SMTPException) as error:
            # Without its traceback: what a mail server says names the mailbox.
            log.error("mail not sent", mail=template_prefix, reason=type(error).__name__)  # noqa: TRY400
            raise MailNotSent from error

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Make a confirmed address the account's, all of it or nothing, and say whether it is.

        It isn't where somebody else has confirmed the same address in the same moment.
        """
        held = _held_mails.set([])
        try:
            with transaction.atomic():
                confirmed: bool = super().confirm_email(request, email_address)
        except IntegrityError:
            self.add_message(request, messages.ERROR, "account/messages/email_confirmation_failed.txt")
            return False
        finally:
            mails = _held_mails.get() or []
            _held_mails.reset(held)
        for arguments, options in mails:
            self.send_notification_mail(*arguments, **options)
        return confirmed

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Tell somebody what happened to their account, as far as the mail server lets us: it has happened.

        What happens in a transaction is told when it has ended.
        """
        held = _held_mails.get()
        if held is not None:
            held.append((args, kwargs))
            return
        try:
            super().send_notification_mail(*args, **kwargs)
        except MailNotSent:
            return

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """Go back to the page on which the address was changed."""
        return reverse("account_email")

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return no address; the limits of `accounts.entrance` are counted elsewhere."""
        return NO_ADDRESS


class MFAAdapter(DefaultMFAAdapter):
    """Says the rest in this site's words."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("This isn’t the code. Please look again."),
        "cannot_generate_recovery_codes": gettext_lazy(
            "Recovery codes are for accounts with a passkey or an authenticator app."
        ),
        "unverified_email": gettext_lazy("Please confirm your e-mail address first."),
    }

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002
        """Return a name for a new passkey: its number."""
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return _("Passkey %(number)d") % {"number": count + 1}

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return what a passkey is for: the site by its name, and the host that it is bound to."""
        return {**super().get_public_key_credential_rp_entity(), "name": "Baker’s Dozen"}

    def get_public_key_credential_user_entity(self, user: AbstractBaseUser) -> dict[str, Any]:
        """Return whose a passkey is, as the browser shows it."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "display_name": entity["name"]}


#: Set in a request's META once it has signed somebody out.
SIGNED_OUT = "accounts.signed_out"


def _adopt(player: players.Player, user_id: int) -> None:
    if player.guest is not None:
        games.adopt(guest=player.guest, user_id=user_id)
