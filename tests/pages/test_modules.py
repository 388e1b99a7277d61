"""The table's page and the modules that it loads."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = ROOT / "static/js"


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


def test_the_page_preloads_exactly_the_modules_that_it_will_import() -> None:
    template = (ROOT / "templates/bakers/table.html").read_text()
    preloaded = re.findall(r"rel=\"modulepreload\" href=\"{% static 'js/([^']+)' %}\"", template)
    needed = {str(path.relative_to(SCRIPTS)) for path in _imported(SCRIPTS / "main.js")} - {"main.js"}
    assert sorted(preloaded) == sorted(needed)


def test_every_module_is_used() -> None:
    assert _imported(SCRIPTS / "main.js") == set(SCRIPTS.rglob("*.js"))
