"""Pages around signing in that allauth doesn't have."""

from __future__ import annotations

from allauth.account import views as account
from allauth.account.internal.flows.logout import logout
from allauth.usersessions.internal.flows import sessions
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.messages import get_messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.problems import MailNotSent


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
                get_user_model().objects.filter(pk=user.pk, last_login=None).delete()
            raise


@require_safe
def signed_out(request: HttpRequest) -> HttpResponse:
    """Say that somebody is signed out; only right after that, the page also tells the browser's other pages."""
    told = get_messages(request)
    just_now = len(told) > 0
    if just_now:
        # Read, so that it is told once.
        list(told)
    return render(request, "accounts/signed_out.html", {"just_now": just_now})


@require_POST
@login_required
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End every session of the account, this one last."""
    sessions.end_sessions(request, list(UserSession.objects.filter(user_id=request.user.pk)))
    # A session that allauth didn't start is in no list.
    if request.user.is_authenticated:
        logout(request)
    return redirect("account_signed_out")
