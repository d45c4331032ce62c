"""What many people and programs at once get: a metric asked by many, and 2,000 open websockets with chat.

    make bench-load

`wrk` (a package of most systems) asks for the metric, on this machine, so it shares the processors with the server: the
processor time of the server for one request says what the machine alone would do.
"""

import argparse
import asyncio
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request

import websockets

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
from product import PASSWORD, REPOSITORY, Server, cpu_seconds, sample_home  # noqa: E402

METRIC = "/api/v1/metrics/transactions/transaction-count"
USERS = 40
SOCKETS_OF_A_USER = 50
LETTERS = 20
NEW_ACCOUNT_SECONDS = 1


def resident_mb(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024


def walked(server: Server, key: str) -> None:
    """Waits until the metrics have been counted along the chain, which begins with the server."""
    asked = urllib.request.Request(f"http://{server.address}{METRIC}", headers={"X-Api-Key": key})
    until = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(asked):
                return
        except urllib.error.HTTPError as refused:
            if refused.code != 503 or time.monotonic() > until:
                raise
        time.sleep(0.2)


def metric(server: Server, seconds: int) -> dict[str, float]:
    """Requests a second for a metric whose answer is kept, over 32 connections."""
    key = server.call("POST", "/api/user/api-key/create", {"name": "load"})["key"]
    walked(server, key)
    before = cpu_seconds(server.process.pid)
    words = ["wrk", "-t2", "-c32", f"-d{seconds}s", "--latency", "-H", f"X-Api-Key: {key}"]
    told = subprocess.run([*words, f"http://{server.address}{METRIC}"], check=True, capture_output=True, text=True).stdout
    used = cpu_seconds(server.process.pid) - before
    if "Non-2xx" in told:
        raise RuntimeError(told)
    requests = int(re.search(r"(\d+) requests in", told)[1])
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", told).groups()
    return {
        "requestsPerSecond": float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1]),
        "p99Ms": float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit],
        "serverMicrosecondsPerRequest": used / requests * 1e6,
    }


class Person:
    """An account with its sockets; the first one writes, all of them hear."""

    def __init__(self, server: Server, name: str):
        self.name = name
        account = {"userName": name, "password": PASSWORD}
        server.token = None
        self.token = server.call("POST", "/api/user/register", {**account, "agree": True})["token"]
        self.sockets: list[websockets.ClientConnection] = []
        self.acks: dict[str, float] = {}
        self.heard: list[tuple[str, float]] = []

    async def open(self, server: Server) -> None:
        server.token = self.token
        ticket = server.call("POST", "/api/ws/ticket", {})["ticket"]
        self.sockets.append(await websockets.connect(f"ws://{server.address}/api/ws?ticket={ticket}", ping_interval=None))

    async def listen(self, socket: websockets.ClientConnection) -> None:
        async for text in socket:
            message = json.loads(text)
            now = time.perf_counter()
            if message["type"] == "chat.ack":
                self.acks[message["data"]["time"]] = now
            elif message["type"] == "chat.message":
                self.heard.append((message["data"]["msg"], now))


async def chat(server: Server) -> dict[str, float]:
    """Every person writes to the next one once a second."""
    people = [Person(server, f"load_{place}_{int(time.time()) % 100_000}") for place in range(USERS)]
    # With what hashing the passwords of new accounts took, part of which the server gives back while the sockets come.
    alone = resident_mb(server.process.pid)
    # All new accounts of an address share the limits of one user, for as long as `NEW_ACCOUNT_SECONDS` says.
    await asyncio.sleep(NEW_ACCOUNT_SECONDS)
    for person in people:
        for _ in range(SOCKETS_OF_A_USER):
            await person.open(server)
    await asyncio.sleep(2)
    held = resident_mb(server.process.pid)
    ears = [asyncio.create_task(person.listen(socket)) for person in people for socket in person.sockets]
    sent: dict[str, float] = {}
    before = cpu_seconds(server.process.pid)
    for turn in range(LETTERS):
        for place, person in enumerate(people):
            mark = f"{person.name}-{turn}"
            sent[mark] = time.perf_counter()
            letter = {"msg": f"{people[(place + 1) % USERS].name}@@@{mark}", "time": f"{mark}@@@{turn}"}
            await person.sockets[0].send(json.dumps({"type": "chat.message", "data": letter}))
            await asyncio.sleep(1 / USERS)
    expected = LETTERS * USERS
    for _ in range(300):
        if sum(len(person.heard) for person in people) >= expected * SOCKETS_OF_A_USER:
            break
        await asyncio.sleep(0.1)
    used = cpu_seconds(server.process.pid) - before
    for ear in ears:
        ear.cancel()
    acks = [at - sent[mark.split("@@@")[0]] for person in people for mark, at in person.acks.items()]
    heard = [at - sent[text.split("@@@")[-1]] for person in people for text, at in person.heard]
    if len(acks) < expected or len(heard) < expected * SOCKETS_OF_A_USER:
        raise RuntimeError(f"{len(acks)} of {expected} letters were kept, {len(heard)} heard")
    p99 = lambda times: sorted(times)[int(len(times) * 0.99)] * 1000  # noqa: E731
    return {
        "sockets": USERS * SOCKETS_OF_A_USER,
        "megabytesBefore": alone,
        "megabytesWithSockets": held,
        "ackMedianMs": statistics.median(acks) * 1000,
        "ackP99Ms": p99(acks),
        "heardMedianMs": statistics.median(heard) * 1000,
        "heardP99Ms": p99(heard),
        "serverCpuSeconds": used,
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--transactions", type=int, default=150_000)
    options.add_argument("--seconds", type=int, default=10)
    options.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "data" / "local" / "bench-load.json")
    options = options.parse_args()
    # One key asks for all: the brake on a single key is not what is measured.
    settings = {"QUARRY_API_BURST": "1000000", "QUARRY_NEW_ACCOUNT_TIME": f"{NEW_ACCOUNT_SECONDS}s"}
    server = Server(sample_home(options.transactions), **settings)
    found: dict[str, dict[str, float]] = {}
    server.settle()
    try:
        if shutil.which("wrk"):
            found["metric"] = metric(server, options.seconds)
        else:
            print("wrk is not installed: the metric is left out", file=sys.stderr)
        found["chat"] = asyncio.run(chat(server))
    finally:
        server.stop()
    for part, figures in found.items():
        for name, figure in figures.items():
            print(f"{part:8} {name:30} {figure:12.2f}")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
