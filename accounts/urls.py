"""The pages of accounts; signing in is django-allauth's."""

from django.urls import include, path

from accounts import account_views, mailbox, statistics_views, views
from accounts.api.me import ExportView, MeView
from accounts.api.settings import SettingsView
from accounts.api.statistics import StatisticsView

urlpatterns = [
    path("accounts/", account_views.HomeView.as_view(), name="account-home"),
    path("accounts/name/", account_views.NameView.as_view(), name="account-name"),
    path("accounts/delete/", account_views.DeleteView.as_view(), name="account-delete"),
    path("accounts/deleted/", account_views.DeletedView.as_view(), name="account-deleted"),
    path("accounts/statistics/", statistics_views.statistics, name="statistics"),
    path("accounts/history/", statistics_views.list_history, name="history"),
    path("accounts/history/<uuid:game_id>", statistics_views.replay, name="replay"),
    path("accounts/signup/", views.SignupView.as_view(), name="account_signup"),
    path("accounts/confirm-email/again/", views.mail_code_again, name="account_mail_code_again"),
    path(
        "accounts/password/reset/confirm/again/",
        views.mail_reset_code_again,
        name="account_mail_reset_code_again",
    ),
    path("accounts/signed-out/", views.signed_out, name="account_signed_out"),
    path("accounts/sessions/end/", views.sign_out_everywhere, name="account_sign_out_everywhere"),
    path("api/me", MeView.as_view(), name="api-me"),
    path("api/me/export", ExportView.as_view(), name="api-export"),
    path("api/me/stats", StatisticsView.as_view(), name="api-stats"),
    path("accounts/", include("allauth.urls")),
    path("api/me/settings", SettingsView.as_view(), name="api-settings"),
    path("dev/mail", mailbox.mailbox, name="mailbox"),
]
