"""Addresses under `/api/`."""

from django.urls import path

from bakers.api import views

urlpatterns = [
    path("deals", views.ReadLayoutView.as_view(), name="api-read-layout"),
    path("deals/<str:variant>", views.RandomDealView.as_view(), name="api-random-deal"),
    path("deals/<str:variant>/<str:number>", views.DealView.as_view(), name="api-deal"),
    path("games", views.GamesView.as_view(), name="api-games"),
    path("games/<uuid:game_id>", views.GameView.as_view(), name="api-game"),
    path("games/<uuid:game_id>/moves", views.MovesView.as_view(), name="api-moves"),
    path("games/<uuid:game_id>/resign", views.ResignView.as_view(), name="api-resign"),
]
