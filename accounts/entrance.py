"""How often somebody may try to get in: counted before anything is hashed, looked up or mailed.

Three limits stand behind each other.

1. An address may send forms often enough for a household or a school behind it.
2. From one address an account may be tried a few times within five minutes. That is too seldom to guess, and since
   it isn't enough to reach the third limit, somebody at one address keeps nobody at another out.
3. From all addresses together an account may be tried some more times within five minutes. Whoever uses that up from
   many addresses, again and again, keeps browsers out that are new to the account, as long as they go on.

A browser that has signed in to the account before (`accounts.known`) is counted by itself instead, and so is somebody
who is signed in: whatever strangers do, the owner gets in. Passkeys, which nobody can guess, aren't counted at all.

An account is named by what was typed, whether there is one or not, so that a refusal says nothing about that. Guessing,
asking for mails and typing codes are counted apart: who floods one leaves the others open.
"""

from __future__ import annotations

from dataclasses import dataclass

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification_by_code import EMAIL_VERIFICATION_CODE_SESSION_KEY
from allauth.account.internal.flows.password_reset_by_code import PASSWORD_RESET_VERIFICATION_SESSION_KEY
from allauth.account.internal.stagekit import unstash_login
from django.http import HttpRequest

from accounts import known
from bakers import limits

#: Forms that one address may send in a minute.
ADDRESS_A_MINUTE = 30
#: The seconds within which everything else is counted.
SECONDS = 5 * 60


@dataclass(frozen=True)
class Limit:
    """How often an account may be tried within `SECONDS`."""

    scope: str
    #: From one address.
    near: int
    #: From all addresses together.
    far: int


PASSWORDS = Limit("entrance password", near=10, far=30)
#: Mails come unasked to whoever's address is typed.
MAILS = Limit("entrance mail", near=3, far=10)
#: Typed again by somebody who is signed in.
OWN_PASSWORDS = Limit("entrance own password", near=10, far=10)
#: Of authenticator apps and recovery codes. Six digits are few, so that from everywhere together there are no more
#: tries than from one address.
CODES = Limit("entrance code", near=10, far=10)
#: Of mailed codes. Each belongs to the session that asked for it and is counted by itself: allauth counts three tries
#: in the session, but sees parallel ones as one.
MAILED_CODES = Limit("entrance mailed code", near=3, far=3)

_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_TYPED = {
    "account_login": (PASSWORDS, "login"),
    "account_signup": (MAILS, "email"),
    "account_reset_password": (MAILS, "email"),
    "account_email": (MAILS, "email"),
}
_OWN_PASSWORD = frozenset({"account_reauthenticate", "account_change_password"})
_OWN_CODE = frozenset({"mfa_reauthenticate", "mfa_activate_totp"})
_MAILED_CODE = {
    "account_email_verification_sent": EMAIL_VERIFICATION_CODE_SESSION_KEY,
    "account_confirm_password_reset_code": PASSWORD_RESET_VERIFICATION_SESSION_KEY,
}
_MAILED_AGAIN = {
    "account_mail_code_again": EMAIL_VERIFICATION_CODE_SESSION_KEY,
    "account_mail_reset_code_again": PASSWORD_RESET_VERIFICATION_SESSION_KEY,
}


def count(request: HttpRequest) -> None:
    """Count what was sent to a page of accounts.

    Raises:
        Throttled: there was too much of it.
    """
    name = request.resolver_match.url_name if request.resolver_match else None
    # Nobody is held when they want to leave.
    if name == "account_logout" or not _is_counted(request, name):
        return
    address = limits.client_address(request)
    limits.take("entrance", address, limit=ADDRESS_A_MINUTE, seconds=60)
    tried = _tried(request, name)
    if tried is None:
        return
    limit, who, email = tried
    browser = known.browser_of(request, email) if email else None
    if browser is not None:
        limits.take(f"{limit.scope} known", f"{who} {browser}", limit=limit.near, seconds=SECONDS)
    else:
        limits.take(f"{limit.scope} near", f"{who} {address}", limit=limit.near, seconds=SECONDS)
        limits.take(limit.scope, who, limit=limit.far, seconds=SECONDS)


def _is_counted(request: HttpRequest, name: str | None) -> bool:
    if request.method not in _SAFE:
        return True
    # Reading starts no session, with one exception: a passkey is asked for by a request that stores its challenge.
    return name == "mfa_login_webauthn" and bool(get_adapter().is_ajax(request))


def _tried(request: HttpRequest, name: str | None) -> tuple[Limit, str, str | None] | None:
    """Return what is tried and whose it is; None where nothing can be guessed.

    The third part is the address of the account, where others may use the limit up.
    """
    if name in _TYPED:
        limit, field = _TYPED[name]
        typed = request.POST.get(field, "").strip().lower()
        return (limit, typed, typed) if typed else None
    if name in _MAILED_CODE:
        state = request.session.get(_MAILED_CODE[name])
        # Giving up is no try.
        if state and "code" in request.POST:
            return MAILED_CODES, f"{request.session.session_key} {state['at']} {name}", None
    if name in _MAILED_AGAIN:
        state = request.session.get(_MAILED_AGAIN[name])
        return (MAILS, state["email"].lower(), state["email"]) if state else None
    if name == "mfa_authenticate":
        login = unstash_login(request, peek=True)
        return (CODES, f"user {login.user.pk}", login.user.email) if login and login.user else None
    if request.user.is_authenticated:
        if name in _OWN_PASSWORD:
            return OWN_PASSWORDS, f"user {request.user.pk}", None
        if name in _OWN_CODE:
            return CODES, f"user {request.user.pk}", request.user.email
    return None
