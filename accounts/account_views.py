"""The pages about one's own account: what there is, the display name, and the end."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View

from accounts import known, names, privacy
from accounts.signed_in import visitor
from accounts.views import was_just_told
from bakers.players import find_player


class HomeView(LoginRequiredMixin, View):
    """All that there is to an account, one step away."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show it."""
        user = visitor(request)
        kinds = list(Authenticator.objects.filter(user=user).values_list("type", flat=True))
        context = {
            "verified": EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists(),
            "passkeys": kinds.count(Authenticator.Type.WEBAUTHN),
            "totp": Authenticator.Type.TOTP in kinds,
            "sessions": UserSession.objects.filter(user=user).count(),
        }
        return render(request, "accounts/home.html", context)


class NameForm(forms.Form):
    """A display name, and whether leaderboards may show it."""

    name = forms.CharField(
        # Room for what normalising makes shorter; accounts.names says what is too long.
        max_length=4 * names.MAX_LENGTH,
        strip=False,
        error_messages={"required": gettext_lazy("Choose a name.")},
    )
    listed = forms.ChoiceField(
        choices=[("yes", gettext_lazy("Yes")), ("no", gettext_lazy("No"))],
        error_messages={"required": gettext_lazy("Say yes or no.")},
    )

    def clean_name(self) -> str:
        """Say what is wrong with a name, also where the answer is missing."""
        try:
            # A phone's keyboard adds one, which nobody sees.
            return names.check(self.cleaned_data["name"].strip(" "))
        except names.NameRefused as refusal:
            raise forms.ValidationError(str(refusal)) from None


class NameView(LoginRequiredMixin, View):
    """Choosing the display name; nothing is assumed about leaderboards."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Ask."""
        user = visitor(request)
        answer = "yes" if user.is_listed else "no"
        initial = {"name": user.display_name, "listed": answer} if user.display_name else {}
        return self._show(request, NameForm(initial=initial))

    def post(self, request: HttpRequest) -> HttpResponse:
        """Take the answer."""
        form = NameForm(request.POST)
        if form.is_valid():
            try:
                name = names.choose(
                    user_id=visitor(request).pk,
                    name=form.cleaned_data["name"],
                    is_listed=form.cleaned_data["listed"] == "yes",
                )
            except names.NameTaken as refusal:
                form.add_error("name", str(refusal))
            else:
                messages.success(request, _("Others see you as %(name)s now.") % {"name": name})
                return redirect("account-home")
        return self._show(request, form)

    def _show(self, request: HttpRequest, form: NameForm) -> HttpResponse:
        context = {"form": form, "least": names.MIN_LENGTH, "most": names.MAX_LENGTH}
        return render(request, "accounts/name.html", context)


@method_decorator(reauthentication_required, name="dispatch")
class _ReauthenticatedView(View):
    """Only for somebody who has just proved who they are."""


class DeleteView(LoginRequiredMixin, _ReauthenticatedView):
    """Deleting the account."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Say what goes, and ask."""
        return render(request, "accounts/delete.html")

    def post(self, request: HttpRequest) -> HttpResponse:
        """Delete everything, and sign out."""
        player = find_player(request)
        privacy.erase(user_id=visitor(request).pk, guest=None if player is None else player.guest)
        get_adapter().leave(request)
        messages.success(request, _("Your account is deleted."))
        response = redirect("account-deleted")
        known.forget(response)
        return response


class DeletedView(View):
    """What is left: a page that says so, and right after the deletion tells the browser's other pages."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show it, to anybody."""
        return render(request, "accounts/deleted.html", {"just_now": was_just_told(request)})
