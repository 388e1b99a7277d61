"""Boards and leaderboards."""

from django.urls import path

from daily import archive_views, leaderboard_views, profile_views, views
from daily.api import views as api

urlpatterns = [
    path("daily/<str:variant>", views.today, name="today"),
    path("daily/<str:variant>/<str:date>", views.board, name="board"),
    path("leaderboards/<str:contest>/<str:variant>", leaderboard_views.leaderboard, name="leaderboard"),
    path("archive/<str:variant>", archive_views.month, name="archive"),
    path("archive/<str:variant>/<str:month>", archive_views.month, name="archive-month"),
    path("u/<str:name>", profile_views.profile, name="profile"),
    path("api/daily/<str:variant>", api.TodayView.as_view(), name="api-today"),
    path("api/me/days/<str:variant>", api.MyDaysView.as_view(), name="api-days"),
    path("api/daily/<str:variant>/<str:date>", api.BoardView.as_view(), name="api-board"),
    path(
        "api/leaderboards/<str:contest>/<str:variant>", api.LeaderboardView.as_view(), name="api-leaderboard"
    ),
]
