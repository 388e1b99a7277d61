"""The site's settings as the tests run them: nothing of this machine's environment or data gets in."""

import os
import re
import shutil
import tempfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent

for _name in re.findall(r'\benv\.\w+\(\s*"(\w+)"', (_ROOT / "config" / "settings.py").read_text()):
    os.environ.pop(_name, None)
    os.environ.pop(f"{_name}_FILE", None)


def _scratch_folder(parent: Path) -> tempfile.TemporaryDirectory[str]:
    """Make a folder that goes with this process, and remove those of processes that were killed."""
    parent.mkdir(parents=True, exist_ok=True)
    for folder in parent.iterdir():
        try:
            os.kill(int(folder.name.partition("-")[0]), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except PermissionError:
            continue  # somebody else's, and alive
    return tempfile.TemporaryDirectory(prefix=f"{os.getpid()}-", dir=parent)


# Each worker of a parallel run has its own.
_scratch = _scratch_folder(_ROOT / "var" / "tests")
os.environ["DATA_DIR"] = _scratch.name
# Nothing is collected here, so pages name the files in static/ as they are.
_static = Path(_scratch.name) / "static"
_static.mkdir()
os.environ["STATIC_ROOT"] = str(_static)
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "")

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, INSTALLED_APPS, LOGGING  # noqa: E402

INSTALLED_APPS += ["django_migration_linter"]

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # In a file, as on the site: a database in memory has other locks.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(_scratch.name) / "test.sqlite3")}

# Good passwords are slow on purpose; tests have none to protect.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# pytest shows what was logged beside a test that fails, so nothing goes to the terminal.
LOGGING["root"] = {"handlers": [], "level": LOGGING["root"]["level"]}
