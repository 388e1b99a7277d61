"""The pages and the modules that they load."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = ROOT / "static/js"
#: The module that each page starts with.
ENTRIES = {
    "bakers/table": "main.js",
    "bakers/deal": "deal.js",
    "accounts/statistics": "history.js",
    "accounts/history": "history.js",
    "accounts/replay": "replay.js",
    "daily/closed": "history.js",
    "daily/leaderboard": "history.js",
    "daily/archive": "history.js",
    "daily/profile": "history.js",
}
#: What every page loads, before it is drawn, and so no module.
PLAIN = SCRIPTS / "look.js"

#: Modules that stand alone, and the templates whose pages load them.
ALONE = {
    "account-menu.js": "accounts/_menu.html",
    "passkeys.js": "mfa/webauthn/snippets/scripts.html",
    "signed-out.js": "accounts/signed_out.html",
}


def _imported(entry: Path) -> set[Path]:
    """Every module that a module imports, directly or not, itself included."""
    found: set[Path] = set()
    waiting = [entry]
    while waiting:
        module = waiting.pop()
        if module in found:
            continue
        found.add(module)
        names = re.findall(r'(?:from|import)\s+"(\./[^"]+|\.\./[^"]+)"', module.read_text())
        waiting.extend((module.parent / name).resolve() for name in names)
    return found


@pytest.mark.parametrize("page", ENTRIES)
def test_a_page_preloads_exactly_the_modules_that_it_will_import(page: str) -> None:
    template = (ROOT / f"templates/{page}.html").read_text()
    preloaded = re.findall(r"rel=\"modulepreload\" href=\"{% static 'js/([^']+)' %}\"", template)
    needed = {str(path.relative_to(SCRIPTS)) for path in _imported(SCRIPTS / ENTRIES[page])} - {ENTRIES[page]}
    assert sorted(preloaded) == sorted(needed)
    assert f"src=\"{{% static 'js/{ENTRIES[page]}' %}}\"" in template


@pytest.mark.parametrize("module", ALONE)
def test_a_module_that_stands_alone_imports_nothing(module: str) -> None:
    assert _imported(SCRIPTS / module) == {SCRIPTS / module}
    assert f"src=\"{{% static 'js/{module}' %}}\"" in (ROOT / "templates" / ALONE[module]).read_text()


def test_every_module_is_used() -> None:
    used = set().union(*(_imported(SCRIPTS / entry) for entry in [*ENTRIES.values(), *ALONE]))
    assert used | {PLAIN} == set(SCRIPTS.rglob("*.js"))


def test_the_look_of_a_page_is_decided_before_its_style_sheets_are_asked_for() -> None:
    head = (ROOT / "templates/base.html").read_text().partition("</head>")[0]
    script = "<script src=\"{% static 'js/look.js' %}\"></script>"
    assert head.index('name="theme-color"') < head.index(script) < head.index('rel="stylesheet"')
    assert not re.search(r"^\s*(import|export)\b", PLAIN.read_text(), re.MULTILINE)


def test_one_place_decides_between_the_themes() -> None:
    """Colours that asked the device by themselves would not follow the player's choice."""
    asking = {
        sheet.name: sheet.read_text().count("prefers-color-scheme")
        for sheet in (ROOT / "static/css").glob("*.css")
    }
    assert {name: count for name, count in asking.items() if count} == {"site.css": 1}
