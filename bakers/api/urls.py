"""Addresses under `/api/`."""

from django.urls import path

from bakers.api import helping, views

urlpatterns = [
    path("deals", views.ReadLayoutView.as_view(), name="api-read-layout"),
    path("deals/<str:variant>", views.RandomDealView.as_view(), name="api-random-deal"),
    path("deals/<str:variant>/<str:number>", views.DealView.as_view(), name="api-deal"),
    path("games", views.GamesView.as_view(), name="api-games"),
    path("games/<uuid:game_id>", views.GameView.as_view(), name="api-game"),
    path("games/<uuid:game_id>/moves", views.MovesView.as_view(), name="api-moves"),
    path("games/<uuid:game_id>/resign", views.ResignView.as_view(), name="api-resign"),
    path("games/<uuid:game_id>/hint", helping.HintView.as_view(), name="api-hint"),
    path("games/<uuid:game_id>/verdict", helping.VerdictView.as_view(), name="api-verdict"),
    path("games/<uuid:game_id>/postmortem", helping.PostmortemView.as_view(), name="api-postmortem"),
    path("games/<uuid:game_id>/solution", helping.SolutionView.as_view(), name="api-solution"),
    path("solve", helping.SolveView.as_view(), name="api-solve"),
]
