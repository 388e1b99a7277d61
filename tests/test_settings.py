"""The two modes of the site, each as a process of its own would find it."""

from __future__ import annotations

import os
import runpy
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
Settings = Callable[..., dict[str, Any]]
Refusal = Callable[..., str]

GOOD_KEY = "kJ3vQz9-Xw2LmPq8RtYu5BnHs7DfGa4CeVi6ZoNxK1MbWyTjUhSgFdAlErIpOcQ0"

MAIL = "smtp+tls://cards:p%40ss@mail.example:587"


@pytest.fixture
def settings_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Makes the settings of a process that finds nothing but this in its environment."""

    def load(**environment: str) -> dict[str, Any]:
        with monkeypatch.context() as patch:
            for name in list(os.environ):
                patch.delenv(name)
            patch.setenv("DATA_DIR", str(tmp_path / "data"))
            for name, value in environment.items():
                patch.setenv(name, value)
            return runpy.run_path(str(ROOT / "config" / "settings.py"))

    return load


@pytest.fixture
def refusal_of(settings_of: Settings) -> Refusal:
    """Makes the message with which an environment is refused."""

    def load(**environment: str) -> str:
        with pytest.raises(ImproperlyConfigured) as refusal:
            settings_of(**environment)
        return str(refusal.value)

    return load


def production(**environment: str) -> dict[str, str]:
    """Return the environment of a proper site."""
    return {"SITE_URL": "https://cards.example", "SECRET_KEY": GOOD_KEY, "EMAIL_URL": MAIL, **environment}


class TestLocalMode:
    def test_it_is_the_default_and_serves_this_machine_alone(self, settings_of: Settings) -> None:
        settings = settings_of()
        assert settings["PRODUCTION"] is False
        assert settings["DEBUG"] is False
        assert settings["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
        assert settings["SITE_URL"] == "http://localhost:8000"

    def test_cookies_have_plain_names_that_work_without_https(self, settings_of: Settings) -> None:
        settings = settings_of()
        assert settings["SESSION_COOKIE_NAME"] == "sessionid"
        assert settings["CSRF_COOKIE_NAME"] == "csrftoken"
        assert settings["SESSION_COOKIE_SECURE"] is False
        assert settings["CSRF_COOKIE_SECURE"] is False
        assert settings["SECURE_HSTS_SECONDS"] == 0

    def test_its_key_is_made_once_and_readable_by_its_owner_alone(
        self, settings_of: Settings, tmp_path: Path
    ) -> None:
        first = settings_of()["SECRET_KEY"]
        path = tmp_path / "data" / "secret-key"
        assert len(first) >= 50
        assert path.read_text() == first
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert settings_of()["SECRET_KEY"] == first
        assert [entry.name for entry in path.parent.iterdir()] == ["secret-key"]

    def test_the_clock_may_be_shifted(self, settings_of: Settings) -> None:
        assert settings_of(CLOCK_OFFSET="-3600")["CLOCK_OFFSET"] == -3600

    def test_the_port_shows_in_the_address(self, settings_of: Settings) -> None:
        assert settings_of(PORT="8123")["SITE_URL"] == "http://localhost:8123"

    def test_an_empty_variable_counts_as_not_given(self, settings_of: Settings) -> None:
        settings = settings_of(SITE_URL="", DATABASE_URL="", DEBUG="", SECRET_KEY="")
        assert settings["PRODUCTION"] is False
        assert settings["DATABASES"]["default"]["ENGINE"] == "django.db.backends.sqlite3"

    def test_another_machine_may_not_be_served(self, tmp_path: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-c", "import config.gunicorn"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "HOST": "0.0.0.0"},  # noqa: S104
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode != 0
        assert "local mode serves this machine alone" in done.stderr


class TestProduction:
    def test_cookies_are_bound_to_this_host_over_https(self, settings_of: Settings) -> None:
        settings = settings_of(**production())
        assert settings["PRODUCTION"] is True
        assert settings["ALLOWED_HOSTS"] == ["cards.example"]
        assert settings["SESSION_COOKIE_NAME"] == "__Host-sessionid"
        assert settings["CSRF_COOKIE_NAME"] == "__Host-csrftoken"
        assert settings["SESSION_COOKIE_SECURE"] is True
        assert settings["CSRF_COOKIE_SECURE"] is True
        assert settings["SECURE_HSTS_SECONDS"] >= 31_536_000

    def test_it_writes_no_key(self, settings_of: Settings, tmp_path: Path) -> None:
        settings_of(**production())
        assert not (tmp_path / "data").exists()

    def test_secrets_may_stand_in_files(self, settings_of: Settings, tmp_path: Path) -> None:
        (tmp_path / "key").write_text(f"{GOOD_KEY}\n")
        (tmp_path / "password").write_text("p@ss/word\n")
        settings = settings_of(
            SITE_URL="https://cards.example",
            EMAIL_URL=MAIL,
            SECRET_KEY_FILE=str(tmp_path / "key"),
            DATABASE_URL="postgres://bakers@database/bakers",
            DATABASE_PASSWORD_FILE=str(tmp_path / "password"),
        )
        assert settings["SECRET_KEY"] == GOOD_KEY
        assert settings["DATABASES"]["default"]["PASSWORD"] == "p@ss/word"

    @pytest.mark.parametrize(
        "key",
        ["", "short", "a" * 80, "ab" * 40, f"django-insecure-{GOOD_KEY}"],
        ids=lambda key: key[:16] or "none",
    )
    def test_a_missing_or_weak_key_is_refused(self, refusal_of: Refusal, key: str) -> None:
        message = refusal_of(**production(SECRET_KEY=key))
        assert "SECRET_KEY" in message
        assert "secrets.token_urlsafe" in message
        assert not key or key not in message

    def test_a_weak_old_key_is_refused(self, refusal_of: Refusal) -> None:
        assert "SECRET_KEY_FALLBACKS" in refusal_of(**production(SECRET_KEY_FALLBACKS="old"))

    def test_a_key_file_that_is_not_there_is_named(self, refusal_of: Refusal) -> None:
        message = refusal_of(SITE_URL="https://cards.example", SECRET_KEY_FILE="/nowhere")
        assert message == "The file that SECRET_KEY_FILE names can't be read: No such file or directory."

    def test_a_shifted_clock_is_refused(self, refusal_of: Refusal) -> None:
        assert "CLOCK_OFFSET" in refusal_of(**production(CLOCK_OFFSET="1"))

    def test_debugging_is_refused(self, refusal_of: Refusal) -> None:
        assert "DEBUG" in refusal_of(**production(DEBUG="true"))

    def test_a_proxy_is_believed_only_when_told_to(self, settings_of: Settings) -> None:
        assert "SECURE_PROXY_SSL_HEADER" not in settings_of(**production())
        trusting = settings_of(**production(TRUST_PROXY="true"))
        assert trusting["SECURE_PROXY_SSL_HEADER"] == ("HTTP_X_FORWARDED_PROTO", "https")
        assert trusting["SECURE_SSL_REDIRECT"] is True


@pytest.mark.parametrize(
    "address",
    ["http://cards.example", "cards.example", "https://", "https://cards.example/bakers", "ftp://localhost"],
)
def test_an_address_that_is_neither_mode_is_refused(refusal_of: Refusal, address: str) -> None:
    assert "SITE_URL" in refusal_of(SITE_URL=address, SECRET_KEY=GOOD_KEY)


def test_a_number_that_is_none_is_named(refusal_of: Refusal) -> None:
    assert refusal_of(CLOCK_OFFSET="soon").startswith("CLOCK_OFFSET can't be read")


class TestDatabase:
    def test_sqlite_waits_for_the_write_lock_and_loses_no_move(
        self, settings_of: Settings, tmp_path: Path
    ) -> None:
        database = settings_of()["DATABASES"]["default"]
        assert database["NAME"] == str(tmp_path / "data" / "db.sqlite3")
        assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
        assert database["OPTIONS"]["timeout"] == 20
        assert "synchronous=FULL" in database["OPTIONS"]["init_command"]
        assert database["ATOMIC_REQUESTS"] is False

    def test_postgresql_is_reached_through_a_pool(self, settings_of: Settings) -> None:
        database = settings_of(DATABASE_URL="postgres://me@%2Fsockets/cards")["DATABASES"]["default"]
        assert database["ENGINE"] == "django.db.backends.postgresql"
        assert (database["HOST"], database["NAME"]) == ("/sockets", "cards")
        assert database["OPTIONS"]["pool"]["max_size"] == 10
        assert "lock_timeout=20s" in database["OPTIONS"]["options"]
        assert database["CONN_MAX_AGE"] == 0
        assert database["ATOMIC_REQUESTS"] is False

    def test_another_kind_is_refused(self, refusal_of: Refusal) -> None:
        assert "DATABASE_URL" in refusal_of(DATABASE_URL="mysql://me@localhost/cards")


@pytest.mark.parametrize("environment", [{}, production()], ids=["local mode", "production"])
def test_passwords_are_hashed_by_argon2id(
    settings_of: Settings, settings: Any, environment: dict[str, str]
) -> None:
    settings.PASSWORD_HASHERS = settings_of(**environment)["PASSWORD_HASHERS"]
    stored = make_password("quiet-otter-1883")
    assert stored.startswith("argon2$argon2id$")
    assert check_password("quiet-otter-1883", stored)
    assert not check_password("loud-heron-1926", stored)


class TestMail:
    def test_local_mode_sends_none_and_keeps_them_for_its_page(
        self, settings_of: Settings, tmp_path: Path
    ) -> None:
        settings = settings_of()
        assert settings["EMAIL_BACKEND"] == "django.core.mail.backends.filebased.EmailBackend"
        assert settings["EMAIL_FILE_PATH"] == str(tmp_path / "data" / "mail")
        assert settings["DEFAULT_FROM_EMAIL"] == "Baker's Dozen <noreply@localhost>"

    def test_a_mail_server_is_given_by_its_address(self, settings_of: Settings) -> None:
        settings = settings_of(EMAIL_URL=MAIL)
        assert settings["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
        assert (settings["EMAIL_HOST"], settings["EMAIL_PORT"]) == ("mail.example", 587)
        assert (settings["EMAIL_HOST_USER"], settings["EMAIL_HOST_PASSWORD"]) == ("cards", "p@ss")
        assert settings["EMAIL_USE_TLS"] is True
        # A request waits for the mail server, and a browser for the request.
        assert 0 < settings["EMAIL_TIMEOUT"] <= 10
        assert not settings["EMAIL_FILE_PATH"]

    def test_it_may_stand_in_a_file_since_it_holds_a_password(
        self, settings_of: Settings, tmp_path: Path
    ) -> None:
        (tmp_path / "mail").write_text(f"{MAIL}\n")
        assert settings_of(EMAIL_URL_FILE=str(tmp_path / "mail"))["EMAIL_HOST_PASSWORD"] == "p@ss"

    def test_production_without_one_is_refused(self, refusal_of: Refusal) -> None:
        message = refusal_of(**production(EMAIL_URL=""))
        assert message == "Production needs EMAIL_URL, for example smtp+tls://user:password@host:587."

    def test_one_that_can_t_be_read_is_refused_without_its_password(self, refusal_of: Refusal) -> None:
        for address in (
            "pigeon://cards:s3cret@mail.example",
            "mail.example:587",
            "smtp+tls://cards:s3cret@host:x",
        ):
            message = refusal_of(EMAIL_URL=address)
            assert "EMAIL_URL" in message
            assert "s3cret" not in message

    def test_mails_come_from_whom_one_likes(self, settings_of: Settings) -> None:
        settings = settings_of(**production(EMAIL_FROM="Cards <cards@cards.example>"))
        assert settings["DEFAULT_FROM_EMAIL"] == "Cards <cards@cards.example>"
        assert settings_of(**production())["DEFAULT_FROM_EMAIL"] == "Baker's Dozen <noreply@cards.example>"


def test_a_shared_cache_also_holds_sessions(settings_of: Settings) -> None:
    alone = settings_of()
    assert alone["SESSION_ENGINE"] == "django.contrib.sessions.backends.db"
    assert alone["CACHES"]["default"]["OPTIONS"]["MAX_ENTRIES"] >= 10_000
    shared = settings_of(CACHE_URL="redis://cache:6379/0")
    assert shared["SESSION_ENGINE"] == "django.contrib.sessions.backends.cached_db"
    assert shared["CACHES"]["default"]["LOCATION"] == "redis://cache:6379/0"


def test_whoever_runs_the_site_sees_what_is_wrong_and_no_more(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "SITE_URL": "https://cards.example"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("The site can't run with these settings. Production needs SECRET_KEY")
    assert "Traceback" not in done.stderr
