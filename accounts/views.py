"""Pages around signing in that allauth doesn't have."""

from __future__ import annotations

import time

from allauth.account import views as account
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.internal.flows.logout import logout
from allauth.account.internal.flows.password_reset_by_code import PasswordResetVerificationProcess
from allauth.usersessions.internal.flows import sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.messages import get_messages
from django.db.models import F
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.problems import MailNotSent
from accounts.signed_in import visitor


class SignupView(account.SignupView):
    """Sign up; an account whose code couldn't be mailed isn't made."""

    def form_valid(self, form: Form) -> HttpResponseBase:
        """Make the account and mail the code."""
        try:
            return super().form_valid(form)  # type: ignore[no-any-return]
        except MailNotSent:
            # A mail can't be sent inside a transaction, so what was stored for it is taken back. Whoever tries again
            # would hear of an account that they never got into.
            user = getattr(self, "user", None)
            if user is not None:
                User.objects.filter(pk=user.pk, last_login=None).delete()
            raise


@require_POST
def mail_code_again(request: HttpRequest) -> HttpResponse:
    """Mail a new code in the place of the one that is waited for; it has the tries that the old one had left.

    allauth's own way to do so mails nothing to somebody who has an account already, which takes another time.
    """
    process = EmailVerificationProcess.resume(request)
    if process is not None:
        process.generate_code()
        _send_again(request, process)
    return redirect("account_email_verification_sent")


@require_POST
def mail_reset_code_again(request: HttpRequest) -> HttpResponse:
    """Mail a new code with which to choose a new password, as `mail_code_again` does."""
    process = PasswordResetVerificationProcess.resume(request)
    if process is not None and not process.state.get("code_confirmed"):
        _send_again(request, process)
    return redirect("account_confirm_password_reset_code")


def _send_again(
    request: HttpRequest, process: EmailVerificationProcess | PasswordResetVerificationProcess
) -> None:
    process.send()
    process.state["at"] = time.time()
    process.persist()
    get_adapter().add_message(request, messages.SUCCESS, "account/messages/code_sent_again.txt")


@require_safe
def signed_out(request: HttpRequest) -> HttpResponse:
    """Say that somebody is signed out; only right after that, the page also tells the browser's other pages."""
    return render(request, "accounts/signed_out.html", {"just_now": was_just_told(request)})


def was_just_told(request: HttpRequest) -> bool:
    """Whether the page before this one left a message, which is read by that: it is told once."""
    told = get_messages(request)
    # Reading where there is none would set a cookie.
    return len(told) > 0 and bool(list(told))


@require_POST
@login_required
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End every session of the account, this one last."""
    user = visitor(request)
    User.objects.filter(pk=user.pk).update(generation=F("generation") + 1)
    sessions.end_sessions(request, list(UserSession.objects.filter(user=user)))
    # A session that allauth didn't start is in no list.
    if request.user.is_authenticated:
        logout(request)
    return redirect("account_signed_out")
