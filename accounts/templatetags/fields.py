"""What the pages of accounts need to know."""

from __future__ import annotations

from django import forms, template
from django.conf import settings

from accounts import browsers

register = template.Library()


@register.filter
def is_check(field: forms.BoundField) -> bool:
    """Whether a field is a box to tick, whose label stands behind it."""
    return isinstance(field.field.widget, forms.CheckboxInput)


@register.filter
def browser(user_agent: str) -> str:
    """Return the name of a browser in words."""
    return browsers.name_of(user_agent)


@register.simple_tag
def mails_stay_here() -> bool:
    """Whether mails are shown on this machine instead of sent."""
    return not settings.PRODUCTION and bool(settings.EMAIL_FILE_PATH)
