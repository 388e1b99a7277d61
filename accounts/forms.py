"""allauth's forms in this site's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account import forms as account
from allauth.account.adapter import get_adapter
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.contrib.auth import get_user_model
from django.core.validators import EmailValidator
from django.db import IntegrityError
from django.utils.translation import gettext_lazy as _

from bakers import limits
from bakers.problems import Throttled

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accounts.models import User

#: Seconds for which a code that was taken isn't taken again; an app's code is good for less.
CODE_SECONDS = 60 * 60

_LABELS = {
    "login": _("E-mail address"),
    "email": _("E-mail address"),
    "password": _("Password"),
    "oldpassword": _("Present password"),
    "password1": _("New password"),
    "code": _("Code"),
    "name": _("Name"),
    "passwordless": _("Sign in with this passkey alone, without a password"),
}
_HELP = {
    "password1": _("8 characters or more; no common password, not only digits, and not like your address."),
    "passwordless": _(
        "The device asks for a finger, a face or a PIN then. Otherwise the passkey is asked for after the password."
    ),
}


class _OurWords:
    """Names fields in this site's words, and asks for a new password once: a mailed code mends what was mistyped."""

    #: The field that takes the keys as its page opens, where the page is there for it alone.
    _focus = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        fields.pop("password2", None)
        for name, field in fields.items():
            field.label = _LABELS.get(name, field.label)
            field.help_text = _HELP.get(name, "")
            # The label says it, and stays while something is typed.
            field.widget.attrs.pop("placeholder", None)
            if isinstance(field, forms.EmailField):
                field.validators = [EmailValidator(message=_("This isn’t an e-mail address."))]
        if self._focus in fields:
            fields[self._focus].widget.attrs["autofocus"] = True
        if "code" in fields:
            # Spaces and dashes are the form's to forgive; a phone shall neither correct nor complete.
            fields["code"].widget.attrs |= {"autocapitalize": "characters", "spellcheck": "false"}


class LoginForm(_OurWords, account.LoginForm):
    """Signs in."""

    _focus = "login"


class SignupForm(_OurWords, account.SignupForm):
    """Signs up, with the same work whether there is an account with the address or not."""

    _focus = "email"

    account_already_exists: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _LABELS["password"]

    def try_save(self, request: HttpRequest) -> tuple[Any, Any]:
        """Make the user, or tell the mailbox that there is one."""
        if not self.account_already_exists:
            try:
                return super().try_save(request)  # type: ignore[no-any-return]
            except IntegrityError:
                # Somebody signed up with this address at the same moment.
                self.account_already_exists = True
        # A new account's password would be hashed, which takes the longest of all.
        get_user_model()().set_password(self.cleaned_data["password1"])
        return super().try_save(request)  # type: ignore[no-any-return]


class AddEmailForm(_OurWords, account.AddEmailForm):
    """Changes the address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("New e-mail address")


class ChangePasswordForm(_OurWords, account.ChangePasswordForm):
    """Changes the password."""


class SetPasswordForm(_OurWords, account.SetPasswordForm):
    """Sets a password where there was none."""


class ResetPasswordForm(_OurWords, account.ResetPasswordForm):
    """Asks for the code that opens the way to a new password."""

    _focus = "email"


class ResetPasswordKeyForm(_OurWords, account.ResetPasswordKeyForm):
    """Sets a new password for somebody who typed that code."""

    _focus = "password1"


class ReauthenticateForm(_OurWords, account.ReauthenticateForm):
    """Asks for the password again."""

    _focus = "password"


class ConfirmEmailForm(_OurWords, account.ConfirmEmailVerificationCodeForm):
    """Takes the code that was mailed to a new address."""

    _focus = "code"


class ConfirmResetForm(_OurWords, account.ConfirmPasswordResetCodeForm):
    """Takes the code that was mailed to reset the password."""

    _focus = "code"


class _OnceOnly:
    """Takes a code of the authenticator app once.

    allauth remembers those that were used in the cache, which each process may have to itself.
    """

    user: User

    def clean_code(self) -> str:
        code: str = super().clean_code()  # type: ignore[misc]
        try:
            typed = normalize_user_code(code)
            limits.take("entrance used code", f"{self.user.pk} {typed}", limit=1, seconds=CODE_SECONDS)
        except Throttled:
            raise get_adapter().validation_error("incorrect_code") from None
        return code


class AuthenticateForm(_OurWords, _OnceOnly, mfa.AuthenticateForm):
    """Takes a code of the authenticator app, or a recovery code."""

    _focus = "code"


class ReauthenticateByCodeForm(_OurWords, _OnceOnly, mfa.ReauthenticateForm):
    """Asks for such a code again."""


class ActivateTOTPForm(_OurWords, totp.ActivateTOTPForm):
    """Takes the first code of an authenticator app."""


class CredentialField(forms.JSONField):
    """A passkey's answer as a browser gives it; what was sent isn't shown again."""

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> Any:
        """Read it, however deep it is nested."""
        try:
            return super().to_python(value)
        except RecursionError:
            raise get_adapter().validation_error("incorrect_code") from None

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return nothing to show."""
        return None

    def prepare_value(self, value: Any) -> str:
        """Return nothing to show."""
        return ""


class _AnyCredential:
    """Refuses what a browser would never send as a passkey's answer, whatever it is."""

    _refused = _("This passkey isn’t known here.")
    _READING = (AttributeError, LookupError, TypeError, ValueError)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"] = CredentialField()  # type: ignore[attr-defined]

    def _clean_fields(self) -> None:
        try:
            super()._clean_fields()  # type: ignore[misc]
        except self._READING:
            self.add_error("credential", self._refusal)

    def _clean_form(self) -> None:
        try:
            super()._clean_form()  # type: ignore[misc]
        except self._READING:
            self.add_error("credential", self._refusal)

    def add_error(self, field: str | None, error: Any) -> None:
        """Speak of a passkey where allauth speaks of a code."""
        if getattr(error, "code", None) == "incorrect_code":
            error = self._refusal
        super().add_error(field, error)  # type: ignore[misc]

    @property
    def _refusal(self) -> forms.ValidationError:
        return forms.ValidationError(self._refused)


class LoginWebAuthnForm(_AnyCredential, webauthn.LoginWebAuthnForm):
    """Signs in by a passkey."""


class AuthenticateWebAuthnForm(_AnyCredential, webauthn.AuthenticateWebAuthnForm):
    """Takes a passkey after the password."""


class ReauthenticateWebAuthnForm(_AnyCredential, webauthn.ReauthenticateWebAuthnForm):
    """Asks for a passkey again."""


class AddWebAuthnForm(_OurWords, _AnyCredential, webauthn.AddWebAuthnForm):
    """Adds a passkey."""

    _refused = _("This passkey couldn’t be added. Please try again.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].max_length = 60
        self.fields["name"].widget.attrs["maxlength"] = "60"
        self.fields["passwordless"].initial = True


class EditWebAuthnForm(_OurWords, webauthn.EditWebAuthnForm):
    """Names a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["maxlength"] = "60"
