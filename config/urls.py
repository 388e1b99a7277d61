"""The site's addresses."""

from django.urls import include, path

from config import health

urlpatterns = [
    path("healthz", health.live, name="healthz"),
    path("healthz/ready", health.ready, name="healthz-ready"),
    path("", include("bakers.urls")),
]
