"""The page that shows mails which weren't sent: for whoever sits at this machine, and in local mode alone."""

from __future__ import annotations

import pytest
from django.core import mail

from tests.accounts.people import make_user

HERE = {"REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture
def folder(db, settings, tmp_path):
    """A folder with one mail in it, as local mode keeps them."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path)
    mail.send_mail("A code", "Here it is:\n\n    BCDF-GHJK\n", None, ["ann@example.org"])
    return tmp_path


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
def test_it_is_shown_at_this_machine(client, folder, address):
    page = client.get("/dev/mail", REMOTE_ADDR=address)
    assert page.status_code == 200
    assert "ann@example.org" in page.content.decode()
    assert "BCDF-GHJK" in page.content.decode()
    assert "no-store" in page["Cache-Control"]


@pytest.mark.parametrize(
    "asked",
    [
        {"REMOTE_ADDR": "203.0.113.7"},
        {"REMOTE_ADDR": "192.168.1.2"},
        {"REMOTE_ADDR": "::ffff:203.0.113.7"},
        {"REMOTE_ADDR": "2001:db8::7"},
        # As from a socket that has a path and no address.
        {"REMOTE_ADDR": ""},
        # A proxy at this machine, for somebody who may be anywhere.
        {**HERE, "HTTP_X_FORWARDED_FOR": "203.0.113.7"},
        {**HERE, "HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {**HERE, "HTTP_X_FORWARDED_FOR": ""},
        {**HERE, "HTTP_FORWARDED": "for=127.0.0.1"},
    ],
    ids=str,
)
def test_from_elsewhere_it_is_not_there(client, folder, asked):
    page = client.get("/dev/mail", **asked)
    assert page.status_code == 404
    assert "BCDF-GHJK" not in page.content.decode()


@pytest.mark.parametrize(
    "changed", [{"PRODUCTION": True}, {"EMAIL_FILE_PATH": None}, {"EMAIL_FILE_PATH": ""}], ids=str
)
def test_where_mails_are_sent_it_is_not_there(client, folder, settings, changed):
    for name, value in changed.items():
        setattr(settings, name, value)
    assert client.get("/dev/mail", **HERE).status_code == 404


def test_who_has_signed_in_or_is_staff_is_treated_alike(client, folder):
    user = make_user()
    user.is_staff = user.is_superuser = True
    user.save()
    client.force_login(user)
    assert client.get("/dev/mail", REMOTE_ADDR="203.0.113.7").status_code == 404
