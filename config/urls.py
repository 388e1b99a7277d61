"""The site's addresses."""

from django.contrib import admin
from django.urls import include, path

from config import health

urlpatterns = [
    path("healthz", health.live, name="healthz"),
    path("healthz/ready", health.ready, name="healthz-ready"),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("daily.urls")),
    path("", include("bakers.urls")),
]

handler400 = "bakers.views.bad_request"
handler403 = "bakers.views.permission_denied"
handler404 = "bakers.views.not_found"
handler500 = "bakers.views.server_error"
