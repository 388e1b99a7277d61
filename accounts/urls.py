"""The pages of accounts; signing in is django-allauth's."""

from django.urls import include, path

from accounts import mailbox
from accounts.api.settings import SettingsView

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("api/me/settings", SettingsView.as_view(), name="api-settings"),
    path("dev/mail", mailbox.mailbox, name="mailbox"),
]
