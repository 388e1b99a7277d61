"""The pages of accounts; signing in is django-allauth's."""

from django.urls import include, path

from accounts import account_views, mailbox
from accounts.api.me import ExportView, MeView

urlpatterns = [
    path("accounts/", account_views.HomeView.as_view(), name="account-home"),
    path("accounts/name/", account_views.NameView.as_view(), name="account-name"),
    path("accounts/delete/", account_views.DeleteView.as_view(), name="account-delete"),
    path("accounts/deleted/", account_views.DeletedView.as_view(), name="account-deleted"),
    path("api/me", MeView.as_view(), name="api-me"),
    path("api/me/export", ExportView.as_view(), name="api-export"),
    path("accounts/", include("allauth.urls")),
    path("dev/mail", mailbox.mailbox, name="mailbox"),
]
