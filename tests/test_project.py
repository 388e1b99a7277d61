"""What holds for the project as a whole: its parts, its files and how it is run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
LOCK_FILES = ["requirements.txt", "requirements-dev.txt", "requirements-build.txt"]


def tracked_files() -> list[Path]:
    """Return the files that belong to the project, also those not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str:
    """Return what a file says, or nothing if it isn't text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_the_arrows_between_the_parts_point_one_way() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_contract_about_imports_names_modules_that_exist() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    ours = {"accounts", "bakers", "config", "daily"}
    for contract in contracts:
        for key in ("source_modules", "forbidden_modules", "modules"):
            for name in contract.get(key, []):
                base = name.split(".")[0]
                if base in ours:
                    path = ROOT / Path(*name.removesuffix(".*").split("."))
                    assert path.with_suffix(".py").is_file() or path.is_dir(), name


class TestContainers:
    def test_the_compose_file_keeps_to_the_compose_specification(self) -> None:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "check_jsonschema"),
                *("--builtin-schema", "vendor.compose-spec", "docker-compose.yml"),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def test_the_site_s_processes_stand_beside_a_database_that_is_kept_and_a_cache(self) -> None:
        services = self.services()
        assert set(services) == {"web", "worker", "scheduler", "migrate", "database", "cache"}
        assert services["database"]["volumes"] == ["database:/var/lib/postgresql/data"]
        # The web server's own check stands in the image.
        image = (ROOT / "Dockerfile").read_text()
        assert "\nHEALTHCHECK " in image
        assert "gunicorn" in image.rpartition("\nCMD ")[2]
        assert "healthcheck" not in services["web"]
        assert all("test" in services[name]["healthcheck"] for name in ("database", "cache"))

    def test_every_service_comes_back_by_itself_and_can_write_only_where_it_must(self) -> None:
        for name, service in self.services().items():
            assert service["read_only"] is True, name
            assert service["restart"] in {"unless-stopped", "on-failure"}, name
            assert "healthcheck" in service or "build" in service, name

    def test_only_the_web_server_has_a_port_and_only_on_this_machine(self) -> None:
        ports = {name: service["ports"] for name, service in self.services().items() if "ports" in service}
        assert list(ports) == ["web"]
        assert all(port.startswith("127.0.0.1:") for port in ports["web"])

    def test_secrets_come_from_files_that_are_not_in_the_repository(self) -> None:
        compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
        files = [Path(secret["file"]) for secret in compose["secrets"].values()]
        assert files
        assert all(path.parts[0] == "secrets" for path in files)
        assert "/secrets/" in (ROOT / ".gitignore").read_text().splitlines()
        assert "/secrets" in (ROOT / ".dockerignore").read_text().splitlines()
        for service in self.services().values():
            for name, value in service["environment"].items() if "environment" in service else ():
                secret = re.search(r"KEY|PASSWORD", name)
                assert not secret or str(value).startswith("/run/secrets/"), name

    def test_the_image_finds_the_compiled_code_where_nothing_but_the_temporary_folder_can_be_written(
        self, tmp_path: Path
    ) -> None:
        build, _, final = (ROOT / "Dockerfile").read_text().partition("\nFROM python:3.13-slim\n")
        made, looked_for = (dict(re.findall(r"(NUMBA_\w+)=(\S+)", text)) for text in (build, final))
        # Code is found again only where it is looked for under the processor it was made for.
        assert made["NUMBA_CPU_NAME"] == looked_for["NUMBA_CPU_NAME"]
        kept = made["NUMBA_CACHE_DIR"]
        assert f"COPY --from=build {kept} {kept}" in final
        folder = str(Path(looked_for["NUMBA_CACHE_DIR"]).parent)
        assert all(service["tmpfs"] == [folder] for service in self.services().values() if "build" in service)
        assert 'ENTRYPOINT ["docker/start"]' in final

        start = tmp_path / "start"
        start.write_text((ROOT / "docker" / "start").read_text().replace(f"{kept}/", f"{tmp_path}/kept/"))
        (tmp_path / "kept" / "board-1").mkdir(parents=True)
        (tmp_path / "kept" / "board-1" / "code").write_text("compiled")
        done = subprocess.run(
            ["sh", str(start), "cat", "two words/compiled/board-1/code"],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "NUMBA_CACHE_DIR": "two words/compiled"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, "compiled"), done.stderr

    def test_every_copied_folder_of_code_is_in_the_image(self) -> None:
        ignored = (ROOT / ".dockerignore").read_text().splitlines()
        for app in (
            "accounts",
            "bakers",
            "config",
            "static",
            "templates",
            "docker",
            "manage.py",
            "requirements.txt",
        ):
            assert (ROOT / app).exists(), app
            assert f"/{app}" not in ignored

    @staticmethod
    def services() -> dict[str, dict[str, Any]]:
        """Return the services of the compose file."""
        services: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())[
            "services"
        ]
        return services


class TestFiles:
    @pytest.mark.parametrize("name", LOCK_FILES)
    def test_every_locked_package_has_hashes(self, name: str) -> None:
        packages = re.split(r"\n(?=\w)", (ROOT / name).read_text())[1:]
        assert packages
        assert not [package.split()[0] for package in packages if "--hash=sha256:" not in package]

    def test_the_checks_run_on_the_versions_that_the_site_runs_on(self) -> None:
        site, checks = (
            dict(re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / name).read_text(), re.MULTILINE))
            for name in ("requirements.txt", "requirements-dev.txt")
        )
        assert site.items() <= checks.items()

    def test_lock_files_name_no_host(self) -> None:
        assert "resolved" not in (ROOT / "package-lock.json").read_text()
        for name in LOCK_FILES:
            text = (ROOT / name).read_text()
            assert "://" not in text
            assert not re.search(r"^\s*--(?!hash)", text, re.MULTILINE)

    def test_no_file_names_a_registry_or_a_place_on_somebody_s_machine(self) -> None:
        # Put together from parts, so that this file doesn't hold what it looks for.
        hosts = ["pypi" + ".org", "python" + "hosted.org", "registry.npm" + "js.org", "deb.debian" + ".org"]
        places = ["/" + "work/", "/" + "root/", "/" + "home/", "/" + "Users/", "/" + "opt/"]
        found = [
            (str(path.relative_to(ROOT)), word)
            for path in tracked_files()
            for word in (*hosts, *places)
            if re.search(rf"(?<![\w.]){re.escape(word)}", text_of(path))
        ]
        assert not found

    def test_scripts_can_be_run(self) -> None:
        scripts = [path for path in (ROOT / "script").iterdir() if path.is_file() and not path.suffix]
        scripts += [ROOT / name for name in (".ci/run", "manage.py", "docker/make-secrets", "docker/start")]
        assert [path.name for path in scripts if not path.stat().st_mode & 0o100] == []
