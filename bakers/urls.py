"""The game's pages and its API."""

from django.urls import include, path

from bakers import views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/<str:variant>", views.play, name="play"),
    path("play/<str:variant>/<str:number>", views.play, name="play-deal"),
    path("game/<uuid:game_id>", views.game, name="game"),
    path("deal/<str:variant>/<str:number>", views.deal, name="deal"),
    path("rules/<str:variant>", views.rules, name="rules"),
    path("questions", views.questions, name="questions"),
    path("api/", include("bakers.api.urls")),
]
