"""The launcher behind `./bin/run`: checks the ground, prepares the data folder, keeps it all running on one port."""

import errno
import fcntl
import ipaddress
import json
import os
import resource
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bin.embedded import EngineDownError, Valkey
from bin.supervise import Child, GaveUpError, StopAskedError, Supervisor, logged

ROOT = Path(__file__).resolve().parent.parent
WILDCARDS = {"0.0.0.0", "::"}  # noqa: S104  compared with, not listened on
LOG_BYTES = 5_000_000
FILES = 65_536  # every open page with a stream is a descriptor


class RefusedError(Exception):
    """We cannot start like this; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to run where, read from the environment."""

    data: Path
    host: str
    port: int
    public_url: str
    hosts: tuple[str, ...]
    certificate: tuple[str, str] | None
    redis_url: str | None
    demo: bool

    @property
    def here(self) -> str:
        """The address by which this machine reaches the server."""
        return "127.0.0.1" if self.host in WILDCARDS else self.host


def read_plan(environment: Mapping[str, str]) -> Plan:
    """The plan the environment asks for. RefusedError if it makes no sense."""
    host = environment.get("HOST") or "127.0.0.1"
    port_text = environment.get("PORT") or "8000"
    if not port_text.isdecimal() or not 0 < int(port_text) < 65_536:
        raise RefusedError(f"PORT is {port_text}, and has to be a number from 1 to 65535.")
    certificate = _certificate(environment.get("CERT", ""), environment.get("KEY", ""))
    name = lan_address() if host in WILDCARDS else host
    public_url = environment.get("PUBLIC_URL") or url_of(name=name, port=int(port_text), secure=certificate is not None)
    public = urlsplit(public_url)
    if public.scheme not in ("http", "https") or not public.hostname:
        raise RefusedError(f"PUBLIC_URL is {public_url}, and has to look like http://192.168.1.5:8000")
    hosts = {public.hostname, name, host}
    if host in WILDCARDS:
        hosts |= {socket.gethostname(), f"{socket.gethostname()}.local"}
    return Plan(
        data=Path(environment.get("DATA") or ROOT / "data").resolve(),
        host=host,
        port=int(port_text),
        public_url=public_url.rstrip("/"),
        hosts=tuple(sorted(bracketed(each) for each in hosts - WILDCARDS)),
        certificate=certificate,
        redis_url=environment.get("REDIS_URL") or None,
        demo=(environment.get("DEMO") or "1").lower() not in ("0", "false", "no", "off"),
    )


def _certificate(cert: str, key: str) -> tuple[str, str] | None:
    if not cert and not key:
        return None
    for name, value in (("CERT", cert), ("KEY", key)):
        if not os.access(value, os.R_OK):
            raise RefusedError(f"For TLS, CERT and KEY both name a file that can be read; {name} is '{value}'.")
    return cert, key


def bracketed(host: str) -> str:
    """A host as it stands in a URL: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def url_of(*, name: str, port: int, secure: bool) -> str:
    """The address of the product, without a port where the scheme says it."""
    scheme, usual = ("https", 443) if secure else ("http", 80)
    return f"{scheme}://{bracketed(name)}" + ("" if port == usual else f":{port}")


def lan_address() -> str:
    """This machine's address on its network, as phones in the hall can reach it; the loopback one if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # picks the way out; nothing is sent
        return str(probe.getsockname()[0])
    with suppress(OSError):
        for *_, (address, *_rest) in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            if not ipaddress.ip_address(str(address)).is_loopback:
                return str(address)
    return "127.0.0.1"


# --- the ground


def claim(data: Path) -> int:
    """Make the data folder ours alone; the descriptor of its lock. RefusedError if it is taken or cannot be written."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        (data / "logs").mkdir(exist_ok=True)
    except OSError as error:
        raise RefusedError(
            f"cannot write to {data} ({error.strerror}). Name a folder of your own with DATA=some/folder"
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RefusedError(
            f"another copy works on {data}, or has not quite stopped."
            " For a second one: DATA=some/folder PORT=8001 ./bin/run"
        ) from None
    return lock


def check_port(*, host: str, port: int) -> None:
    """RefusedError unless we may listen there."""
    try:
        family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror:
        raise RefusedError(f"HOST is {host}, which is no address of this machine.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise RefusedError(
                f"port {port} is taken by another program. Choose another: PORT={port + 1} ./bin/run"
            ) from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise RefusedError(f"HOST is {host}, which is no address of this machine.") from None
        raise RefusedError(f"cannot listen on {host}:{port} ({error.strerror}).") from None


def check_broker(url: str) -> None:
    """RefusedError unless the Redis at `url` answers and never throws queued tasks away."""
    import redis  # 40 MB for as long as we run, and most have no Redis of their own

    try:
        with redis.Redis.from_url(url, socket_connect_timeout=5) as client:
            policy = client.info("memory").get("maxmemory_policy", "noeviction")
    except (redis.RedisError, ValueError) as error:
        raise RefusedError(f"the Redis that REDIS_URL names does not answer ({error}).") from None
    if policy != "noeviction":
        raise RefusedError(
            f"the Redis that REDIS_URL names may throw queued tasks away: its maxmemory-policy is {policy}."
            " Set it to noeviction, or leave REDIS_URL out and let Cantina start its own."
        )


# --- the way up


def write_running(plan: Plan, *, redis_url: str) -> None:
    """Tell other programs on this data folder, such as `manage.py`, where everything is; at once or not at all."""
    facts = {
        "host": plan.host,
        "port": plan.port,
        "public_url": plan.public_url,
        "hosts": plan.hosts,
        "redis_url": redis_url,
        "pid": os.getpid(),
    }
    draft = plan.data / "run.json.new"
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(facts, indent=2))
    draft.replace(plan.data / "run.json")


def fresh_log(plan: Plan, name: str) -> Path:
    """The log of one program; a long one is put aside first."""
    log = plan.data / "logs" / f"{name}.log"
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    log.touch()
    return log


def django(*arguments: str) -> list[str]:
    """The command line of one of Django's commands."""
    return [sys.executable, "-m", "django", *arguments]


def prepare(plan: Plan, supervisor: Supervisor) -> str:
    """Bring database, static files and, on the very first start, the demo event.

    Without a demo, or once it was removed: the link for the first organiser, or nothing when there is one.
    """
    log = fresh_log(plan, "prepare")
    supervisor.run(
        django("migrate", "--verbosity=0"),
        django("collectstatic", "--no-input", "--verbosity=0"),
        log=log,
    )
    started = plan.data / "started"  # an organiser may remove the demo, and then it stays removed
    if plan.demo and not started.exists():
        supervisor.run(django("demo"), log=log)
    started.touch()
    if (plan.data / "demo.json").exists() and plan.demo:
        return ""
    words = plan.data / "logs" / "first_organiser.log"
    words.unlink(missing_ok=True)
    words.touch(mode=0o600)  # a link that signs its finder in
    supervisor.run(django("first_organiser"), log=words)
    said = words.read_text()
    words.unlink()
    return next((line for line in said.splitlines() if line.startswith(plan.public_url)), "")


def children(plan: Plan) -> list[Child]:
    """The programs on top of Redis."""
    worker = [sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker", "-P", "threads", "-c", "4"]
    # The clock runs with the worker: one process less, and there is only ever one.
    worker += ["--clock", str(plan.data / "beat"), "--without-mingle", "--without-gossip", "-l", "WARNING"]
    web = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--host", plan.host, "--port", str(plan.port)]
    web += ["--log-level", "warning", "--no-access-log", "--no-server-header", "--ws", "none", "--lifespan", "on"]
    web += ["--timeout-graceful-shutdown", "3"]
    if plan.certificate:
        web += ["--ssl-certfile", plan.certificate[0], "--ssl-keyfile", plan.certificate[1]]
    logs = {name: fresh_log(plan, name) for name in ("worker", "web")}
    return [
        Child(name="worker", start=lambda: logged(worker, log=logs["worker"]), log=logs["worker"]),
        Child(name="web", start=lambda: logged(web, log=logs["web"]), log=logs["web"]),
    ]


def answers(plan: Plan) -> bool:
    """Whether somebody listens on our port."""
    with suppress(OSError), socket.create_connection((plan.here, plan.port), timeout=1):
        return True
    return False


def greeting(plan: Plan, *, first_link: str) -> str:
    """What to know once everything runs."""
    secure = plan.certificate is not None
    lines = [f"Cantina is open:  {plan.public_url}/"]
    if plan.host in WILDCARDS:
        lines += [f"On this machine:  {url_of(name='127.0.0.1', port=plan.port, secure=secure)}/"]
    elif plan.public_url == url_of(name=plan.host, port=plan.port, secure=secure):
        phones = url_of(name=lan_address(), port=plan.port, secure=secure)
        lines += [f"For phones:       HOST=0.0.0.0 ./bin/run  (then {phones}/)"]
    lines += logins(plan)
    lines += [f"First organiser:  {first_link}  (opens once)"] if first_link else []
    lines += [f"Data:             {plan.data}  (logs in {plan.data / 'logs'})", "Stop:             Ctrl-C"]
    return "\n".join(f"  {line}" for line in lines)


def logins(plan: Plan) -> list[str]:
    """The demo's ways in, a line each; none where there is no demo."""
    try:
        demo: dict[str, dict[str, str]] = json.loads((plan.data / "demo.json").read_text())
    except (OSError, ValueError):
        return []
    # The links were made with the address of that day; what stays is their path.
    referee, desk = (plan.public_url + urlsplit(demo[role]["url"]).path for role in ("referee", "desk"))
    return [
        f"Demo organiser:   {demo['organiser']['email']}  {demo['organiser']['password']}",
        f"Demo referee:     {referee}",
        f"Demo entry desk:  {desk}",
    ]


def say(words: str) -> None:
    """One line to the terminal."""
    print(f"cantina: {words}", flush=True)


def run(plan: Plan, *, lock: int) -> None:
    """Start everything and keep it running until somebody asks to stop."""
    supervisor = Supervisor(say=say, keep=[lock])
    try:
        redis_url = plan.redis_url
        if redis_url is None:
            valkey = Valkey(folder=plan.data / "redis", persistent=True)
            redis_url = valkey.url
            engine = Child(name="Redis", start=valkey.start, log=valkey.log)
            supervisor.add(engine)
            if engine.process:
                valkey.wait(engine.process)
        os.environ |= {
            "DATA": str(plan.data),
            "REDIS_URL": redis_url,
            "PUBLIC_URL": plan.public_url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            # Many threads would each keep freed memory to themselves.
            "MALLOC_ARENA_MAX": os.environ.get("MALLOC_ARENA_MAX", "2"),
            # The worker reads no pages: looking through them at its start would keep them all in memory.
            "CELERY_SKIP_CHECKS": "1",
        }
        # A process that has to compile what it reads keeps the memory that took: forty megabytes. Those that prepare
        # come first, so that web and worker find it compiled.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        write_running(plan, redis_url=redis_url)
        first_link = prepare(plan, supervisor)
        for child in children(plan):
            supervisor.add(child)
        while not answers(plan):
            supervisor.look_after()
            supervisor.tick()
        print(f"\n{greeting(plan, first_link=first_link)}\n", flush=True)
        while True:
            supervisor.look_after()
            supervisor.tick()
    except StopAskedError:
        say("stopping ...")
    finally:
        supervisor.stop()
        (plan.data / "run.json").unlink(missing_ok=True)
    say("stopped")


def main() -> int:
    """0 after a stop that was asked for, 1 if something failed on the way, 2 if we could not start at all."""
    os.chdir(ROOT)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES if hard == resource.RLIM_INFINITY else min(hard, FILES), hard))
    try:
        plan = read_plan(os.environ)
        lock = claim(plan.data)
        check_port(host=plan.host, port=plan.port)
        if plan.redis_url:
            check_broker(plan.redis_url)
        run(plan, lock=lock)
    except RefusedError as refusal:
        print(f"cantina: {refusal}", file=sys.stderr)
        return 2
    except (GaveUpError, EngineDownError) as failure:
        print(f"cantina: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
