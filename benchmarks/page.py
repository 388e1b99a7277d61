"""What a first visit costs: bytes over the network, and time to the first playable table.

The site runs as it does for people, and headless Chromium visits it with an empty cache, time after time. Bytes are
what the network carried, compressed. Times are the browser's own, from the start of the navigation until the table
says that it can be played; the time to the server's first byte stands beside it, since it is part of it. `script/bench
page` runs it.
"""

from __future__ import annotations

import statistics
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.site import CHROMIUM_FLAGS, chromium, running_site

VISITS = 15
SIZES = {"phone": (360, 640), "laptop": (1280, 800)}

_MEASURE = """() => ({
    first: performance.getEntriesByType("navigation")[0].responseStart,
    files: performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
        .map(entry => [entry.name, entry.encodedBodySize, entry.decodedBodySize]),
})"""
_STAMP = """new MutationObserver((_, observer) => {
    if (document.documentElement?.dataset.ready !== "true") return;
    window.playableAt = performance.now();
    observer.disconnect();
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });"""


def main() -> None:
    """Visit the front page and print bytes and times."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder)) as site,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        for name, (width, height) in SIZES.items():
            visits = [_visit(browser, site, width, height) for _ in range(VISITS)]
            if name == "phone":
                _print_bytes(visits[0]["files"])
            playable = [visit["playable"] for visit in visits]
            first = statistics.median(visit["first"] for visit in visits)
            print(
                f"{name}: playable after {statistics.median(playable):.0f} ms, median of {VISITS} first visits"
                f" ({min(playable):.0f}–{max(playable):.0f}); first byte after {first:.0f} ms"
            )
        browser.close()


def _visit(browser: Browser, site: str, width: int, height: int) -> dict[str, Any]:
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.add_init_script(_STAMP)
    page.goto(f"{site}/")
    page.wait_for_function("window.playableAt !== undefined")
    measured: dict[str, Any] = page.evaluate(_MEASURE)
    measured["playable"] = page.evaluate("window.playableAt")
    context.close()
    return measured


def _print_bytes(files: list[tuple[str, int, int]]) -> None:
    sent: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    count: Counter[str] = Counter()
    for address, encoded, decoded in files:
        suffix = Path(address.partition("?")[0]).suffix.removeprefix(".") or "html"
        sent[suffix] += encoded
        plain[suffix] += decoded
        count[suffix] += 1
    for suffix in sorted(sent, key=lambda each: -sent[each]):
        print(
            f"{suffix:5} {sent[suffix] / 1000:6.1f} kB compressed, {plain[suffix] / 1000:6.1f} kB plain,"
            f" {count[suffix]} files"
        )
    print(f"all   {sum(sent.values()) / 1000:6.1f} kB compressed")


if __name__ == "__main__":
    main()
