"""Boards and leaderboards."""

from django.urls import path

from daily import views
from daily.api import views as api

urlpatterns = [
    path("daily/<str:variant>", views.today, name="today"),
    path("daily/<str:variant>/<str:date>", views.board, name="board"),
    path("api/daily/<str:variant>", api.TodayView.as_view(), name="api-today"),
    path("api/daily/<str:variant>/<str:date>", api.BoardView.as_view(), name="api-board"),
    path(
        "api/leaderboards/<str:contest>/<str:variant>", api.LeaderboardView.as_view(), name="api-leaderboard"
    ),
]
