"""Quarry as its users reach it: the release binary, its command line, and its calls over HTTP."""

import http.client
import json
import os
import pathlib
import subprocess
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "bench-s3cret"
ENDED = {"SUCCEEDED", "FAILED", "KILLED"}


def binary() -> str:
    """The release binary: $QUARRY_BINARY, else where `make` builds it."""
    cache = os.environ.get("QUARRY_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "quarry"
    )
    target = os.environ.get("CARGO_TARGET_DIR") or os.path.join(cache, "target")
    return os.environ.get("QUARRY_BINARY") or os.path.join(target, "release", "quarry")


def command(home: pathlib.Path, *words: str) -> list[str]:
    return [binary(), "--home", str(home), *words]


def sample_home(transactions: int, seed: int = 1) -> pathlib.Path:
    """A home with the sample chain, made once and kept for the next run."""
    home = REPOSITORY / "data" / "local" / f"bench-{transactions}-{seed}"
    done = home / "sample-complete"
    if not done.exists():
        words = ["sample", "--transactions", str(transactions), "--seed", str(seed)]
        subprocess.run(command(home, *words), check=True, stdout=subprocess.DEVNULL)
        done.touch()
    return home


def lake_files(home: pathlib.Path, table: str) -> list[str]:
    printed = subprocess.run(
        command(home, "lake", "files", "--table", table), check=True, capture_output=True, text=True
    ).stdout
    return [str(home / line) for line in printed.splitlines()]


def cpu_seconds(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


class Server:
    """`quarry serve` on a free port with an account logged in."""

    def __init__(self, home: pathlib.Path, **settings: str):
        started = time.perf_counter()
        self.process = subprocess.Popen(
            command(home, "serve", "--listen", "127.0.0.1:0"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **settings},
        )
        for line in self.process.stdout:
            if line.startswith("workers register at "):
                self.cluster = line.split(" at ")[1].strip()
            if "listening on http://" in line:
                self.address = line.split("http://")[1].strip()
                break
        else:
            raise RuntimeError("quarry serve ended without listening")
        self.start_seconds = time.perf_counter() - started
        self.connection = http.client.HTTPConnection(self.address, timeout=600)
        account = {"userName": f"bench_{time.time_ns() % 10**9}", "password": PASSWORD}
        self.token = None
        self.token = self.call("POST", "/api/user/register", {**account, "agree": True})["token"]

    def settle(self) -> None:
        """Waits until a start has done what it does once: on a fresh home it draws the official dashboards, for a minute."""
        before = -1.0
        while cpu_seconds(self.process.pid) - before > 0.05:
            before = cpu_seconds(self.process.pid)
            time.sleep(2)

    def call(self, method: str, path: str, body: dict | None = None) -> dict:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        text = json.dumps(body) if body is not None else None
        try:
            self.connection.request(method, path, text, headers)
        except ConnectionError:
            # The server ended a connection on which nothing was said for long; the next request opens another.
            self.connection.close()
            self.connection.request(method, path, text, headers)
        answer = json.load(self.connection.getresponse())
        if answer.get("status") != "success":
            raise RuntimeError(f"{method} {path}: {answer}")
        return answer["data"]

    def execute(self, sql: str) -> str:
        return self.call("POST", "/api/query/execute", {"kind": "SQL", "text": sql})["jobId"]

    def ask(self, sql: str) -> tuple[str, dict]:
        """Runs a query to its end, in one call where it ends soon: its job and its state; the first rows are with the client."""
        answer = self.call("POST", "/api/query/execute", {"kind": "SQL", "text": sql, "wait": 30_000, "limit": 100})
        job, state = answer["jobId"], answer["job"]
        if state["state"] not in ENDED:
            state = self.wait(job)
            if state["state"] == "SUCCEEDED":
                self.call("GET", f"/api/job/{job}/result?offset=0&limit=100")
        return job, state

    def wait(self, job: str) -> dict:
        """The job as it ended: each call waits for that at the server, up to half a minute."""
        while True:
            state = self.call("GET", f"/api/job/{job}?wait=30000")
            if state["state"] in ENDED:
                return state

    def rows(self, job: str, page: int = 1000) -> list[list]:
        """The whole result, page by page."""
        rows: list[list] = []
        while True:
            answer = self.call("GET", f"/api/job/{job}/result?offset={len(rows)}&limit={page}")
            rows.extend(answer["rows"])
            if len(rows) >= int(answer["total"]) or not answer["rows"]:
                return rows

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)
