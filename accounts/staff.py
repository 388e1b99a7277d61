"""The site of pages for staff, at `/admin/`: its doors are those of everybody else."""

from __future__ import annotations

from functools import update_wrapper
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST


class StaffSite(admin.AdminSite):
    """The admin, without forms of its own to sign in, sign out or change a password.

    They would pass by the second factor, the limits and the list of sessions.
    """

    site_title = site_header = _("Baker’s Dozen: staff")
    index_title = _("Staff")
    # An address that isn't there is a 404 as everywhere else, and tells nothing about who may be staff.
    final_catch_all_view = False
    _unused = frozenset({"autocomplete", "view_on_site"})

    def get_urls(self) -> list[Any]:
        """Leave out what no page here uses."""
        return [each for each in super().get_urls() if getattr(each, "name", None) not in self._unused]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Put up with nobody but staff: for other users there is nothing here, and guests are sent to sign in."""
        for_staff = super().admin_view(view, cacheable)

        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            self._turn_away_players(request)
            return for_staff(request, *args, **kwargs)

        return update_wrapper(inner, view)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Send staff who have signed in on to the pages, and guests to sign in as everywhere."""
        self._turn_away_players(request)
        return _to_the_pages(request)

    def _turn_away_players(self, request: HttpRequest) -> None:
        if request.user.is_authenticated and not self.has_permission(request):
            raise Http404

    @method_decorator(require_POST)
    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Sign out."""
        get_adapter().logout(request)
        return redirect("home")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Send on to the page where everybody changes their password."""
        return redirect("account_change_password")

    def password_change_done(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Send on to where that page leads."""
        return redirect("account-home")


@secure_admin_login
def _to_the_pages(request: HttpRequest) -> HttpResponse:
    return redirect("admin:index")
