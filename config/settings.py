"""All settings, read from the environment and from the data folder; the defaults are the embedded ones."""

import json
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# --- The data folder: everything that is written stands below it.
DATA = Path(env.str("DATA", default=str(BASE_DIR / "data"))).resolve()


def _running() -> dict[str, Any]:
    """What the launcher wrote about the services it started; empty when nothing runs."""
    try:
        found: dict[str, Any] = json.loads((DATA / "run.json").read_text())
    except (OSError, ValueError):
        return {}
    return found


def _secret_key() -> str:
    """The server key: from the environment, else made once per data folder and kept there for its owner alone."""
    if given := os.environ.get("SECRET_KEY"):
        return given
    path = DATA / "secret.key"
    try:
        return path.read_text()
    except FileNotFoundError:
        pass
    DATA.mkdir(parents=True, exist_ok=True)
    made = secrets.token_urlsafe(48)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:  # another process was first
        return path.read_text()
    with os.fdopen(descriptor, "w") as file:
        file.write(made)
    return made


RUNNING = _running()
SECRET_KEY = _secret_key()
DEBUG = env.bool("DEBUG", default=False)

# --- Where people reach us. Every link and QR code is built from PUBLIC_URL.
PUBLIC_URL = env.str("PUBLIC_URL", default=RUNNING.get("public_url", "http://127.0.0.1:8000")).rstrip("/")
_public = urlsplit(PUBLIC_URL)
ALLOWED_HOSTS = sorted(
    {
        _public.hostname or "localhost",
        "localhost",
        "127.0.0.1",
        "[::1]",
        *RUNNING.get("hosts", []),
        *env.list("ALLOWED_HOSTS", default=[]),
    }
)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
SECURE_TLS = _public.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_TLS
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"  # private links must not travel in a Referer
X_FRAME_OPTIONS = "DENY"
# Redirects to TLS and its promise to browsers (HSTS) are the proxy's: the same machine may serve plain http in a hall.
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008"]
CSRF_FAILURE_VIEW = "players.views.csrf_failure"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_filters",
    "axes",
    "players",
    "matches",
    "tournaments",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.content_security_policy",
    "config.middleware.server_now",
    "config.middleware.database_away",
    "config.middleware.read_or_sent",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # tokens of forms are masked, so packing them tells nobody anything
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.unreadable.only_utf8",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "config.middleware.numbers_in_range",
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
            ],
            "builtins": ["config.template_tags"],
        },
    }
]

# --- Database. SQLite in WAL mode with IMMEDIATE transactions never answers "locked" here, and FULL loses nothing in a
# power cut. Measured in docs/adr/0001-stack.md.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;PRAGMA temp_store=MEMORY;"
        "PRAGMA journal_size_limit=27103364;PRAGMA cache_size=-8000;"
    ),
}
DATABASES: dict[str, dict[str, Any]] = {
    # Not as a URL by default: a folder's name may hold what a URL may not.
    "default": env.db_url("DATABASE_URL")
    if os.environ.get("DATABASE_URL")
    else {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA / "cantina.sqlite3"},
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
    # Each thread keeps its connection, and the file is not mapped into memory: with `mmap_size` and connections that
    # come and go, answered results were lost (docs/adr/0001-stack.md).
    DATABASES["default"]["CONN_MAX_AGE"] = None
    # In tests too a file: the shared memory SQLite would use there locks whole tables.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA / "test.sqlite3")}
else:
    # A pool, never CONN_MAX_AGE: under many threads persistent connections run out.
    DATABASES["default"]["OPTIONS"] = {
        "pool": {"min_size": 1, "max_size": env.int("DATABASE_POOL", default=10), "timeout": 4}
    }
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # after a restart of the server the pool holds dead ones
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Redis: broker in database 0, cache in database 1 (clearing the cache never touches queued tasks), live bus on 0.
REDIS_URL = env.str("REDIS_URL", default=RUNNING.get("redis_url", "redis://127.0.0.1:6379/0"))
CACHE_URL = env.str("CACHE_URL", default=urlsplit(REDIS_URL)._replace(path="/1").geturl())
CACHES = {
    "default": {
        "BACKEND": "django_redis.cache.RedisCache",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "cantina",
        "OPTIONS": {"IGNORE_EXCEPTIONS": True, "SOCKET_CONNECT_TIMEOUT": 0.5, "SOCKET_TIMEOUT": 1},
    },
    # Each process's own, for seconds: answers whose key names everything they depend on.
    "here": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "here",
        "OPTIONS": {"MAX_ENTRIES": 100},
    },
}
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# A page never waits for a broker that is away: it tries once, and the sweep picks the work up.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 0.5, "socket_timeout": 5, "max_retries": 0}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# A mail written out is for whoever runs the house, with its link: no line of the log, which keeps links to itself.
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "tournaments.tasks.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "send_mails": {"task": "tournaments.tasks.send_mails", "schedule": 15.0, "options": {"expires": 15}},
    "forget_answers": {"task": "tournaments.tasks.forget_answers", "schedule": 3600.0, "options": {"expires": 3600}},
    "keep_clocks": {"task": "matches.tasks.keep_clocks", "schedule": 2.0, "options": {"expires": 2}},
    "drop_practice": {"task": "matches.tasks.drop_practice", "schedule": 3600.0, "options": {"expires": 3600}},
    "mail_links": {"task": "players.tasks.mail_waiting_links", "schedule": 30.0, "options": {"expires": 30}},
}

# --- Mail. Without a server of its own the house writes its mail into the worker's log.
_mail = env.email_url("EMAIL_URL", default="consolemail://")
EMAIL_BACKEND: str = _mail["EMAIL_BACKEND"]
EMAIL_HOST: str = _mail.get("EMAIL_HOST") or ""
EMAIL_HOST_USER: str = _mail.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD: str = _mail.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS: bool = _mail.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL: bool = _mail.get("EMAIL_USE_SSL", False)
EMAIL_PORT: int = _mail.get("EMAIL_PORT") or (465 if EMAIL_USE_SSL else 587 if EMAIL_USE_TLS else 25)
EMAIL_TIMEOUT = 10  # seconds; a worker's, no page sends mail
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=f"cantina@{_public.hostname or 'localhost'}")

# --- People.
AUTH_USER_MODEL = "players.Account"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "desk"
LOGOUT_REDIRECT_URL = "home"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_FORM_FIELD = "username"  # the name of the field in the form; axes would look for "email"
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_CALLABLE = "players.views.locked_out"
AXES_CLIENT_IP_CALLABLE = "config.middleware.client_address"
AXES_VERBOSE = False

# --- Words and times. Events carry their own zone; instants are stored in UTC.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ru", _("Russian"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = USE_TZ = True
TIME_ZONE = "UTC"

# --- Files.
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(DATA / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["png", "webp", "woff2", "zip", "gz", "map"]
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000

# --- API.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournaments.api.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "tournaments.api.problem",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Cantina",
    "DESCRIPTION": (
        "Whatever the pages of the tournament desk do, a program does here. Say who you are in `Authorization`: a token"
        " (`Bearer …`), a helper's link (`Link …`) or a player's own (`Own …`); what is published needs none of them."
        " Whatever is refused is a problem with a stable `code`."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "RulesetEnum": "tournaments.api.bodies.RULESET_WORDS",
        "RulesetKeyEnum": "tournaments.api.bodies.RULESET_KEYS",
        "SeatEnum": "tournaments.api.bodies.SEATS",
        "SideEnum": "tournaments.api.bodies.SIDES",
        "OpenerEnum": "tournaments.api.bodies.OPENERS",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "config.logs.LineFormatter", "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
