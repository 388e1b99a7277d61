"""What a browser calls itself, in words."""

from __future__ import annotations

# Each claims to be those after it as well, so the first that is found is it.
_BROWSERS = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
]
_SYSTEMS = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
]


def name_of(user_agent: str) -> str:
    """Return a browser's name and system as people know them, such as `Firefox on Linux`."""
    browser = next((name for part, name in _BROWSERS if part in user_agent), "A browser")
    system = next((name for part, name in _SYSTEMS if part in user_agent), None)
    return f"{browser} on {system}" if system else browser
