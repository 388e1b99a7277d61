"""All settings, read from the environment; the README's table says what each variable does.

There are two modes and one switch. The site runs in local mode, for one person on one machine, until SITE_URL
is an https address; then it is in production and refuses whatever would be unsafe there.
"""

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environ.fileaware_mapping import FileAwareMapping

from config.log import logging_config

BASE_DIR = Path(__file__).resolve().parent.parent


class _Variables(FileAwareMapping):
    """The environment, in which each variable may also be given as NAME_FILE: the path of a file with the value."""

    def __getitem__(self, key: str) -> str:
        """Return the value; an empty one counts as not given."""
        try:
            value = str(super().__getitem__(key)).strip()
        except OSError as error:
            raise ImproperlyConfigured(
                f"The file that {key}_FILE names can't be read: {error.strerror}."
            ) from error
        if not value:
            raise KeyError(key)
        return value


class _Env(environ.Env):
    """Reads variables, and names the one that can't be read."""

    ENVIRON = _Variables()

    def get_value(self, var: str, *args: Any, **kwargs: Any) -> Any:
        """Return the value in the type asked for."""
        try:
            return super().get_value(var, *args, **kwargs)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var} can't be read: {error}.") from error


env = _Env()


# Where the site is, and so which mode it is in

SITE_URL = env.str("SITE_URL", default=f"http://localhost:{env.int('PORT', default=8000)}").rstrip("/")
_site = urlsplit(SITE_URL)
PRODUCTION = _site.scheme == "https"
_LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
if not PRODUCTION and not (_site.scheme == "http" and _site.hostname in {"localhost", "127.0.0.1", "::1"}):
    raise ImproperlyConfigured(
        f"SITE_URL is {SITE_URL!r}. It must be an https:// address, which is production, or "
        "http://localhost:PORT, which is local mode."
    )
if not _site.hostname or _site.path or _site.query or _site.fragment or _site.username:
    raise ImproperlyConfigured(
        f"SITE_URL is {SITE_URL!r}. It must be only https://HOST, or https://HOST:PORT."
    )

ALLOWED_HOSTS = (
    [f"[{_site.hostname}]" if ":" in _site.hostname else _site.hostname] if PRODUCTION else _LOCAL_HOSTS
)

# Error pages that show source code and settings; manage.py turns this on for runserver.
DEBUG = env.bool("DEBUG", default=False)
if DEBUG and PRODUCTION:
    raise ImproperlyConfigured("DEBUG can't be on in production, where SITE_URL is an https address.")

# Seconds by which the site's clock is ahead, to try out other days.
CLOCK_OFFSET = env.int("CLOCK_OFFSET", default=0)
if CLOCK_OFFSET and PRODUCTION:
    raise ImproperlyConfigured(
        "CLOCK_OFFSET can't be used in production, where SITE_URL is an https address."
    )


# Secrets, and the folder for what the site writes itself

DATA_DIR = env.path("DATA_DIR", default=str(BASE_DIR / "var"))()


def _local_secret_key() -> str:
    """Return this machine's own key, made on first use and readable by its owner alone."""
    path = Path(DATA_DIR) / "secret-key"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written aside and linked into place: of processes that start together one wins, and none reads half a key.
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


def _checked_secret_key(key: str) -> str:
    """Return the production key, or refuse one that could be guessed."""
    advice = "Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(64))'"
    if not key:
        raise ImproperlyConfigured(f"Production needs SECRET_KEY or SECRET_KEY_FILE. {advice}")
    if len(key) < 50 or len(set(key)) < 16 or key.startswith("django-insecure-"):
        raise ImproperlyConfigured(
            "SECRET_KEY or one of SECRET_KEY_FALLBACKS is too weak: "
            f"it needs 50 characters or more, chosen at random. {advice}"
        )
    return key


_given_key = env.str("SECRET_KEY", default="")
SECRET_KEY = _checked_secret_key(_given_key) if PRODUCTION else _given_key or _local_secret_key()
# Old keys that still open what they signed, while a new one takes over.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
if PRODUCTION:
    SECRET_KEY_FALLBACKS = [_checked_secret_key(key) for key in SECRET_KEY_FALLBACKS]


# Apps

INSTALLED_APPS = [
    "config.apps.StaffPagesConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    # Before accounts, which plugs its kind of game in after those of everybody.
    "bakers",
    # Before allauth: its templates are replaced by ours of the same name.
    "accounts",
    "daily",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "django_tasks",
    "django_tasks_db",
]

MIDDLEWARE = [
    "config.log.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.cookies.PlainCookiesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "bakers.middleware.ThrottledPageMiddleware",
    "accounts.middleware.EntranceMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "bakers.context.variants",
                "accounts.context.account_settings",
            ],
        },
    },
]

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = True


# Database

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


def _database() -> dict[str, Any]:
    """Return the settings of the one database: SQLite in DATA_DIR unless DATABASE_URL names another."""
    database: dict[str, Any] = (
        env.db_url("DATABASE_URL")
        if env.str("DATABASE_URL", default="")
        else {"ENGINE": "django.db.backends.sqlite3", "NAME": str(Path(DATA_DIR) / "db.sqlite3")}
    )
    # So that the address may stand where everybody sees it, and the password in a file.
    if password := env.str("DATABASE_PASSWORD", default=""):
        database["PASSWORD"] = password
    options = database.setdefault("OPTIONS", {})
    if database["ENGINE"] == "django.db.backends.sqlite3":
        options.update(
            # Take the write lock at BEGIN: a transaction that reads first and writes later can't wait for it, and
            # fails at once when another has written in between.
            transaction_mode="IMMEDIATE",
            # Seconds to wait for that lock; longer than any transaction here, shorter than a browser waits.
            timeout=20,
            # WAL lets pages be read while a move is written. FULL keeps every acknowledged move when power fails.
            init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        )
        # Opening the file and setting it up costs more than most queries.
        database["CONN_MAX_AGE"] = 600
    elif database["ENGINE"] == "django.db.backends.postgresql":
        # A folder with a socket is written %2Ffolder in an address.
        database["HOST"] = unquote(database["HOST"])
        # A thread borrows a connection for one request, so a process needs no more than it has threads.
        options["pool"] = {
            "min_size": 1,
            "max_size": env.int("DATABASE_POOL_SIZE", default=10),
            "timeout": 10,
        }
        # As long as SQLite waits for its lock: a request that waited this long is answered as busy, and comes again.
        options["options"] = "-c lock_timeout=20s"
        # The pool keeps the connections; Django must give them back after each request.
        database["CONN_MAX_AGE"] = 0
        # The pool tests a connection before lending it, so that a restarted server costs no player an error.
        database["CONN_HEALTH_CHECKS"] = True
    else:
        raise ImproperlyConfigured("DATABASE_URL must begin with sqlite:/// or postgres://.")
    # A transaction begins where a use case says so, never around a whole request.
    database["ATOMIC_REQUESTS"] = False
    return database


DATABASES = {"default": _database()}

# PostgreSQL's indexes of leaderboards hold what is shown as well. SQLite's don't, and serve all the same.
SILENCED_SYSTEM_CHECKS = ["models.W040"]


# The solver

# numpy starts a thread a processor for linear algebra, which nothing here does. There must be no thread when the web
# server forks, so this is said before anything can have imported it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


# Cache, sessions and background work

_cache_url = env.str("CACHE_URL", default="")
CACHES: dict[str, Any] = {
    "default": (
        {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": _cache_url,
            "KEY_PREFIX": "bakers",
        }
        if _cache_url
        # The default of 300 entries is thrown away by a third as soon as it is full.
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 20_000}}
    )
}

# Only a cache that all processes share may answer for the table.
SESSION_ENGINE = f"django.contrib.sessions.backends.{'cached_db' if _cache_url else 'db'}"
# A guest is known by the session alone. Their open games are kept for 30 days and finished ones for 90 more, and
# each game started renews the session: it must last as long as the last game of it can be seen.
SESSION_COOKIE_AGE = 120 * 24 * 60 * 60
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"

TASKS = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        # now: somebody waits for it; later: nobody does.
        "QUEUES": ["now", "later"],
    }
}


# Users

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Signing in: django-allauth

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
# A message that is told once stands in a cookie until the next page: a visitor without an account needs no session.
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

ACCOUNT_ADAPTER = "accounts.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_CHANGE_EMAIL = True
# Codes are typed into the page that asks for them, so the browser that has played is the one that signs in.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
# As long as the code of a new account, in seconds: some mail takes minutes.
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 15 * 60
# How long a sign-in may stop half-way: longer than a code is good for, since another one may be asked for.
ACCOUNT_LOGIN_TIMEOUT = 60 * 60
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
# Whether there is an account is told to the mailbox alone: each of these sends one mail, whoever asks.
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
ACCOUNT_LOGOUT_REDIRECT_URL = "account_signed_out"
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "confirm_email_verification_code": "accounts.forms.ConfirmEmailForm",
    "confirm_password_reset_code": "accounts.forms.ConfirmResetForm",
}
ACCOUNT_SESSION_REMEMBER = True
# allauth counts in the cache, which each process has to itself; accounts.entrance counts in the database.
ACCOUNT_RATE_LIMITS = False

MFA_ADAPTER = "accounts.adapters.MFAAdapter"
MFA_FORMS = {
    "authenticate": "accounts.forms.AuthenticateForm",
    "reauthenticate": "accounts.forms.ReauthenticateByCodeForm",
    "activate_totp": "accounts.forms.ActivateTOTPForm",
    "add_webauthn": "accounts.forms.AddWebAuthnForm",
    "login_webauthn": "accounts.forms.LoginWebAuthnForm",
    "authenticate_webauthn": "accounts.forms.AuthenticateWebAuthnForm",
    "reauthenticate_webauthn": "accounts.forms.ReauthenticateWebAuthnForm",
    "edit_webauthn": "accounts.forms.EditWebAuthnForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# A code that changes while it is typed is taken for half a minute more, and so is that of a clock that goes ahead.
MFA_TOTP_TOLERANCE = 1
MFA_TOTP_ISSUER = "Baker’s Dozen"
# A browser takes http://localhost for safe, and nothing else that isn't https.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
MFA_RATE_LIMITS = False

USERSESSIONS_TRACK_ACTIVITY = False


# Mail


def _mail_server() -> dict[str, Any]:
    """Return the settings for the mail server that EMAIL_URL names."""
    try:
        return dict(env.email_url("EMAIL_URL"))
    except (ImproperlyConfigured, ValueError):
        # Not with the address: there is a password in it.
        raise ImproperlyConfigured(
            "EMAIL_URL can't be read. It must be like smtp+tls://user:password@host:587."
        ) from None


if env.str("EMAIL_URL", default=""):
    vars().update(_mail_server())
elif PRODUCTION:
    raise ImproperlyConfigured("Production needs EMAIL_URL, for example smtp+tls://user:password@host:587.")
else:
    # Nothing is sent: /dev/mail shows it.
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = str(Path(DATA_DIR) / "mail")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("EMAIL_FROM", default=f"Baker's Dozen <noreply@{_site.hostname}>")
# A mail server that doesn't answer must not hold a request for longer than this, in seconds.
EMAIL_TIMEOUT = 10


# What the browser is told

# A name with this prefix is taken by browsers only over https, for this host alone and the whole site.
_cookie_prefix = "__Host-" if PRODUCTION else ""
SESSION_COOKIE_NAME = f"{_cookie_prefix}sessionid"
CSRF_COOKIE_NAME = f"{_cookie_prefix}csrftoken"
# By which accounts.known knows a browser again.
KNOWN_COOKIE_NAME = f"{_cookie_prefix}known"
SESSION_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_SAMESITE = "Lax"
# Answers unsafe requests to addresses of pages, where the API's own check doesn't come.
CSRF_FAILURE_VIEW = "bakers.views.csrf_failure"
CSRF_TRUSTED_ORIGINS = [SITE_URL] if PRODUCTION else []

# Only for a proxy that sets X-Forwarded-Proto on every request itself: otherwise anyone could claim https.
TRUST_PROXY = env.bool("TRUST_PROXY", default=False)
if TRUST_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Without that header a request over https can't be told from one over http, and would be sent round in circles.
SECURE_SSL_REDIRECT = PRODUCTION and TRUST_PROXY
SECURE_REDIRECT_EXEMPT = [r"^healthz"]
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if PRODUCTION else 0

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# The longest honest request, 200 moves with their envelope or a layout, is a few kilobytes.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024


# Static files

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Our own, and those that passkeys and the pages for staff need: the rest of what the apps of others bring is for pages
# that this site doesn't have.
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "config.static.PasskeyScriptsFinder",
    "config.static.StaffFilesFinder",
]
STATIC_ROOT = env.path("STATIC_ROOT", default=str(BASE_DIR / "staticfiles"))()
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.HashedStaticFilesStorage"},
}
# Fonts and scripts of this site are for its own pages.
WHITENOISE_ALLOW_ALL_ORIGINS = False


# API

REST_FRAMEWORK = {
    "DEFAULT_PARSER_CLASSES": ["bakers.api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["bakers.api.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "bakers.api.errors.exception_handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    # ?format= means nothing: there is one format.
    "URL_FORMAT_OVERRIDE": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Baker's Dozen",
    "DESCRIPTION": "Deals, games and moves of Baker's Dozen and its variants.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SORT_OPERATIONS": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "bakers.api.schema.require_bodies",
    ],
}


# Log

# Every line as JSON in production; local mode is for reading.
LOGGING_CONFIG = "config.log.configure"
LOGGING = logging_config(json=PRODUCTION, level=env.str("LOG_LEVEL", default="INFO").upper())
