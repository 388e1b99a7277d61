"""The pages of accounts; signing in is django-allauth's."""

from django.urls import include, path

from accounts import mailbox, statistics_views
from accounts.api.settings import SettingsView
from accounts.api.statistics import StatisticsView

urlpatterns = [
    path("accounts/statistics/", statistics_views.statistics, name="statistics"),
    path("accounts/history/", statistics_views.list_history, name="history"),
    path("accounts/history/<uuid:game_id>", statistics_views.replay, name="replay"),
    path("api/me/stats", StatisticsView.as_view(), name="api-stats"),
    path("accounts/", include("allauth.urls")),
    path("api/me/settings", SettingsView.as_view(), name="api-settings"),
    path("dev/mail", mailbox.mailbox, name="mailbox"),
]
