"""What every answer of the site has, the probes, and the log."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client, override_settings

from config import log


class TestProbes:
    def test_a_living_process_says_so_without_the_database(self, client: Client) -> None:
        response = client.get("/healthz")
        assert response.status_code == 200
        assert response.json() == {"status": "ok"}
        assert "no-store" in response["Cache-Control"]

    @pytest.mark.django_db
    def test_a_process_is_ready_while_it_reaches_the_database(self, client: Client) -> None:
        response = client.get("/healthz/ready")
        assert response.status_code == 200

    @pytest.mark.django_db
    def test_a_process_without_the_database_is_not_ready(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def unreachable() -> None:
            raise OperationalError("the address of the database stands here")

        monkeypatch.setattr(connection, "cursor", unreachable)
        response = client.get("/healthz/ready")
        assert response.status_code == 503
        assert response.json() == {"status": "unavailable"}

    def test_probes_are_only_read(self, client: Client) -> None:
        assert client.post("/healthz").status_code == 405


class TestHeaders:
    @pytest.mark.django_db
    @pytest.mark.parametrize("path", ["/", "/healthz", "/api/games", "/nowhere", "/api/nowhere"])
    def test_every_answer_forbids_what_the_site_does_not_need(self, client: Client, path: str) -> None:
        response = client.get(path)
        policy = {
            name: sources.split()
            for name, _, sources in (
                part.strip().partition(" ") for part in response["Content-Security-Policy"].split(";")
            )
        }
        assert policy == {
            "default-src": ["'none'"],
            "script-src": ["'self'"],
            "style-src": ["'self'"],
            "img-src": ["'self'", "data:"],
            "connect-src": ["'self'"],
            "font-src": ["'self'"],
            "manifest-src": ["'self'"],
            "base-uri": ["'none'"],
            "form-action": ["'self'"],
            "frame-ancestors": ["'none'"],
        }
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["Referrer-Policy"] == "same-origin"
        assert response["Cross-Origin-Opener-Policy"] == "same-origin"
        assert response["X-Frame-Options"] == "DENY"


class TestStaticFiles:
    def test_collected_modules_import_each_other_by_their_hashed_names(self, tmp_path: Path) -> None:
        with override_settings(STATIC_ROOT=str(tmp_path)):
            call_command("collectstatic", interactive=False, verbosity=0)
        names = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
        modules = [name for name in names if name.startswith("js/") and name.endswith(".js")]
        assert "js/main.js" in modules
        for name in modules:
            text = (tmp_path / names[name]).read_text()
            for other in modules:
                file = Path(other).name
                assert f'/{file}"' not in text.replace("//", ""), f"{name} imports {file} by its plain name"

    def test_pages_name_plain_files_where_nothing_was_collected(self) -> None:
        assert staticfiles_storage.url("js/main.js") == "/static/js/main.js"
        assert finders.find("js/main.js")


class TestLog:
    @staticmethod
    def lines(client: Client, *paths: str, **request: Any) -> list[str]:
        """Ask for these addresses, and return what production would have logged."""
        written = io.StringIO()
        handler = logging.StreamHandler(written)
        structured = log.logging_config(json=True, level="INFO")["formatters"]["structured"]
        handler.setFormatter(structured["()"](**{key: structured[key] for key in structured if key != "()"}))
        root = logging.getLogger()
        level = root.level
        root.addHandler(handler)
        root.setLevel(logging.INFO)
        try:
            for path in paths:
                client.get(path, **request)
        finally:
            root.removeHandler(handler)
            root.setLevel(level)
        return written.getvalue().splitlines()

    @pytest.mark.django_db
    def test_a_request_is_one_line_of_json(self, client: Client) -> None:
        (line,) = self.lines(client, "/nowhere")
        entry = json.loads(line)
        assert entry["event"] == "request"
        assert (entry["method"], entry["path"], entry["status"]) == ("GET", "/nowhere", 404)
        assert entry["ms"] >= 0

    @pytest.mark.django_db
    def test_it_holds_nothing_that_could_name_a_player(self, client: Client) -> None:
        client.cookies["sessionid"] = "secretsecretsecret"
        lines = self.lines(client, "/nowhere?word=secretsecretsecret", REMOTE_ADDR="203.0.113.77")
        assert lines
        assert "secret" not in "".join(lines)
        assert "203.0.113" not in "".join(lines)

    def test_probes_that_are_answered_say_nothing(self, client: Client) -> None:
        assert self.lines(client, "/healthz") == []

    @pytest.mark.django_db
    def test_an_error_comes_with_its_traceback_but_no_values(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken() -> None:
            hidden = "secret" * 3
            raise RuntimeError(f"broken after {len(hidden)}")

        monkeypatch.setattr(connection, "cursor", broken)
        client.raise_request_exception = False
        error, request = self.lines(client, "/healthz/ready")
        assert "broken after 18" in json.loads(error)["exception"]
        assert "secretsecret" not in error
        assert json.loads(request)["status"] == 500
