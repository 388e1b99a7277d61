"""The mails that weren't sent: in local mode they are files, and a page shows them."""

from __future__ import annotations

import datetime
import email
import email.message
import email.policy
import email.utils
import ipaddress
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

if TYPE_CHECKING:
    from accounts.models import User

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
        for text in reversed(_messages(path)):
            message = _parsed(text)
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


def forget_mails(user: User) -> None:
    """Delete the mails to a user from the folder, where mails aren't sent but kept.

    Those to an earlier address too: the one that told it of the new address names both.
    """
    if settings.PRODUCTION or not settings.EMAIL_FILE_PATH:
        return
    files = {path: _messages(path) for path in Path(settings.EMAIL_FILE_PATH).glob("*.log")}
    recipients = {text: _recipient(text) for texts in files.values() for text in texts}
    addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
    found = addresses
    while found:
        # Whole ones: joann@example.org isn't ann@example.org.
        named = re.compile(
            rb"(?<![\w.+-])(?:%s)(?![\w.-]*\w)"
            % b"|".join(re.escape(each.encode()) for each in sorted(found))
        )
        found = {to for text, to in recipients.items() if named.search(text.lower())} - addresses
        addresses |= found
    for path, texts in files.items():
        kept = [text for text in texts if recipients[text] not in addresses]
        if not kept:
            path.unlink(missing_ok=True)
        elif len(kept) < len(texts):
            written = path.stat().st_mtime_ns
            path.write_bytes(b"".join(text + _RULE for text in kept))
            # By which the page has them in order.
            os.utime(path, ns=(written, written))


@require_safe
@never_cache
def mailbox(request: HttpRequest) -> HttpResponse:
    """Show the newest mails, to somebody at this machine in local mode."""
    folder = settings.EMAIL_FILE_PATH
    # Empty where a mail server takes them.
    if settings.PRODUCTION or not folder or not _is_at_this_machine(request):
        raise Http404
    return render(request, "accounts/mailbox.html", {"mails": mails(Path(folder))})


def _messages(path: Path) -> list[bytes]:
    return [text for text in path.read_bytes().split(_RULE) if text.strip()]


def _parsed(text: bytes) -> email.message.EmailMessage:
    message: email.message.EmailMessage = email.message_from_bytes(text.lstrip(), policy=email.policy.default)
    return message


def _recipient(text: bytes) -> str:
    return str(_parsed(text)["To"]).lower()


def _is_at_this_machine(request: HttpRequest) -> bool:
    # A proxy would come from this machine too, for whoever is behind it.
    if "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META:
        return False
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    # A socket for both kinds of address writes those of the old kind as of the new, and Python tells them apart.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
