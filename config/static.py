"""Static files under names that change with their content."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.staticfiles.finders import AppDirectoriesFinder
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Names files by their content, so that browsers may keep them for ever."""

    # A module is imported by a relative path inside another file: those paths have to be hashed too.
    support_js_module_import_aggregation = True
    # A file's name follows from the names of those it imports, so each pass settles one more step of the longest
    # chain of imports. Django's five are too few; what never settles is a circle.
    max_post_process_passes = 20

    def stored_name(self, name: str) -> str:
        """Return the hashed name, or the plain one where nothing was collected (tests, runserver)."""
        if not self.hashed_files:
            return name
        stored: str = super().stored_name(name)
        return stored


class PasskeyScriptsFinder(AppDirectoriesFinder):
    """Finds allauth's scripts for passkeys among what the apps bring, and nothing else."""

    names = frozenset({"account/js/onload.js", "mfa/js/webauthn-json.js", "mfa/js/webauthn.js"})

    def find(self, path: str, *args: Any, **kwargs: Any) -> Any:
        """Return where a script is, or an empty list."""
        return super().find(path, *args, **kwargs) if path in self.names else []

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[Any]:
        """Yield each script with the storage that holds it."""
        return (found for found in super().list(ignore_patterns) if found[0] in self.names)


class StaffFilesFinder(AppDirectoriesFinder):
    """Finds the files of Django's admin among what the apps bring, and nothing else."""

    prefix = "admin/"

    def find(self, path: str, *args: Any, **kwargs: Any) -> Any:
        """Return where a file is, or an empty list."""
        return super().find(path, *args, **kwargs) if path.startswith(self.prefix) else []

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[Any]:
        """Yield each file with the storage that holds it."""
        return (found for found in super().list(ignore_patterns) if found[0].startswith(self.prefix))
