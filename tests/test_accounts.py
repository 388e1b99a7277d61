"""The user model."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction
from django.db.models import F, Value
from django.db.models.functions import Concat, Upper

from accounts.models import User

pytestmark = pytest.mark.django_db


class TestAddresses:
    def test_one_mailbox_is_one_account_whatever_the_case(self) -> None:
        User.objects.create_user("Ann@Example.org")
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.create_user("aNN@example.ORG")

    def test_the_database_itself_refuses_another_case(self) -> None:
        user = User.objects.create_user("ann@example.org")
        # An expression passes by everything that Python does to a value.
        shouted = Concat(Upper(F("email")), Value(""))
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=user.pk).update(email=shouted)

    def test_an_address_is_shown_as_it_is_stored(self) -> None:
        user = User.objects.create_user("Ann@Example.org")
        assert user.email == "ann@example.org"
        user.refresh_from_db()
        assert user.email == "ann@example.org"

    def test_a_user_is_found_and_signs_in_whatever_the_case(self) -> None:
        user = User.objects.create_user("ann@example.org", "correct horse battery")
        assert User.objects.get(email="ANN@example.org") == user
        assert User.objects.get_by_natural_key("Ann@Example.Org") == user
        assert authenticate(username="ANN@EXAMPLE.ORG", password="correct horse battery") == user

    def test_an_address_is_needed(self) -> None:
        with pytest.raises(ValueError, match="e-mail address"):
            User.objects.create_user("")


def test_nobody_signs_in_without_a_password() -> None:
    user = User.objects.create_user("ann@example.org")
    assert not user.has_usable_password()
    assert authenticate(username="ann@example.org", password="") is None


def test_a_superuser_may_do_everything_and_another_user_nothing() -> None:
    root = User.objects.create_superuser("root@example.org", "correct horse battery")
    assert root.is_staff
    assert root.has_perm("accounts.delete_user")
    ann = User.objects.create_user("ann@example.org")
    assert not ann.is_staff
    assert not ann.has_perm("accounts.delete_user")


def test_a_user_s_text_is_the_public_id_and_not_the_address() -> None:
    user = User.objects.create_user("ann@example.org")
    assert str(user) == str(user.public_id)
    assert user.public_id != User.objects.create_user("bob@example.org").public_id
