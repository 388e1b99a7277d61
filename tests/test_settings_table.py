"""The README's table of settings names each variable that the site reads, and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def variables_in_readme() -> list[str]:
    """Return the names in the first column of the table."""
    table = (ROOT / "README.md").read_text().partition("## Settings")[2]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def variables_in_code() -> set[str]:
    """Return the names that the site and its scripts read."""
    names: set[str] = set()
    for path in sorted((ROOT / "config").glob("*.py")):
        names.update(re.findall(r'\benv\.\w+\(\s*[f]?["\'](\w+)["\']', path.read_text()))
    names.update(re.findall(r"\benv\.int\('(\w+)'", (ROOT / "config" / "settings.py").read_text()))
    for path in sorted((ROOT / "script").iterdir()):
        text = path.read_text()
        names.update(re.findall(r'os\.environ(?:\.get\(|\[)"(\w+)"', text))
        names.update(re.findall(r"\$\{(PYTHON|CI|TEST_DATABASE_URL|NUMBA_CACHE_DIR):?-", text))
    return names


def test_the_table_is_true() -> None:
    assert sorted(variables_in_readme()) == sorted(variables_in_code())


def test_no_variable_is_read_past_the_settings() -> None:
    for folder in ("accounts", "bakers", "config"):
        for path in (ROOT / folder).rglob("*.py"):
            reads = re.findall(r"os\.(?:environ\.get|environ\[|getenv)\W*\w*", path.read_text())
            assert not reads, f"{path.relative_to(ROOT)} reads the environment by itself"


def test_the_defaults_in_the_table_are_those_of_the_code() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE))
    code = "".join(path.read_text() for path in sorted((ROOT / "config").glob("*.py")))
    literal = r"(\d+|True|False|\"\w+\")"
    defaults = dict(re.findall(rf'\benv\.\w+\(\s*"(\w+)",\s*default={literal}\)', code))
    assert len(defaults) >= 8
    told = {name: default.strip('"').lower() for name, default in defaults.items() if name in table}
    assert {name: table[name].lower() for name in told} == told
