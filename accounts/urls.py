"""The pages of accounts; signing in is django-allauth's."""

from django.urls import include, path

from accounts import mailbox, views

urlpatterns = [
    path("accounts/signup/", views.SignupView.as_view(), name="account_signup"),
    path("accounts/signed-out/", views.signed_out, name="account_signed_out"),
    path("accounts/sessions/end/", views.sign_out_everywhere, name="account_sign_out_everywhere"),
    path("accounts/", include("allauth.urls")),
    path("dev/mail", mailbox.mailbox, name="mailbox"),
]
