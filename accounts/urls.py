"""The pages of accounts; signing in is django-allauth's."""

from django.urls import include, path

from accounts import mailbox

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("dev/mail", mailbox.mailbox, name="mailbox"),
]
