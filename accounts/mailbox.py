"""The mails that weren't sent: in local mode they are files, and a page shows them."""

from __future__ import annotations

import datetime
import email
import email.policy
import email.utils
import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

#: How many mails are shown.
SHOWN = 30
#: What Django's file backend writes after each message.
_RULE = b"\n" + b"-" * 79 + b"\n"
# A code stands in a line of its own.
_CODE = re.compile(r"^ +([A-Z]{4}-[A-Z]{4})$", re.MULTILINE)


@dataclass(frozen=True)
class Mail:
    """A mail as it would have been sent."""

    recipient: str
    subject: str
    sent: datetime.datetime | None
    text: str

    @property
    def code(self) -> str:
        """The code that it holds, or nothing."""
        found = _CODE.search(self.text)
        return found[1] if found else ""


def mails(folder: Path) -> list[Mail]:
    """Return the mails in a folder's files, the newest first."""
    found: list[Mail] = []
    for path in sorted(folder.glob("*.log"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
        for text in reversed([text for text in path.read_bytes().split(_RULE) if text.strip()]):
            message = email.message_from_bytes(text.lstrip(), policy=email.policy.default)
            body = message.get_body(("plain",))
            found.append(
                Mail(
                    recipient=str(message["To"] or ""),
                    subject=str(message["Subject"] or ""),
                    sent=email.utils.parsedate_to_datetime(message["Date"]) if message["Date"] else None,
                    text="" if body is None else str(body.get_content()).strip(),
                )
            )
            if len(found) == SHOWN:
                return found
    return found


@require_safe
@never_cache
def mailbox(request: HttpRequest) -> HttpResponse:
    """Show the newest mails, to somebody at this machine in local mode."""
    folder = settings.EMAIL_FILE_PATH
    # Empty where a mail server takes them.
    if settings.PRODUCTION or not folder or not _is_at_this_machine(request):
        raise Http404
    return render(request, "accounts/mailbox.html", {"mails": mails(Path(folder))})


def _is_at_this_machine(request: HttpRequest) -> bool:
    # A proxy would come from this machine too, for whoever is behind it.
    if "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META:
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
