"""The pages and the modules that they load."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = ROOT / "static/js"
#: The module that each page starts with.
ENTRIES = {"table": "main.js", "deal": "deal.js"}

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
    template = (ROOT / f"templates/bakers/{page}.html").read_text()
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
    assert used == set(SCRIPTS.rglob("*.js"))
