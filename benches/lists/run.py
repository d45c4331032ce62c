"""How long every list and every search takes with 100,000 queries and 50,000 users, on SQLite and PostgreSQL.

    make bench-lists

Beside the wall time stands the processor time of the server for one call: what a machine that does nothing else would need
with SQLite; PostgreSQL's own processes are not in it. The database is filled as any other: a backup is written (see
`crowd.py`) and restored. PostgreSQL is measured where QUARRY_TEST_POSTGRES_URL names one, as `make bench-lists` does.
Every call is asked over one connection, one after another, so a figure is the time that one person waits.
"""

import argparse
import gzip
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
from calls import every, uncovered  # noqa: E402
from crowd import Crowd  # noqa: E402
from product import PASSWORD, REPOSITORY, Server, command, sample_home  # noqa: E402

AIM_MS = 20


def fill(home: pathlib.Path, environment: dict[str, str], sample: pathlib.Path) -> Crowd:
    """A home on the sample chain whose platform is full of people."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(sample, home, ignore=shutil.ignore_patterns("platform.db*", "*.lock"))
    run = lambda *parts, **more: subprocess.run(  # noqa: E731
        command(home, *parts), check=True, stdout=subprocess.DEVNULL, env=environment, **more
    )
    run("user", "add", "me", "--role", "admin", "--password-stdin", input=PASSWORD, text=True)
    first, full = home / "first.gz", home / "full.gz"
    run("backup", str(first))
    head, me = None, 0
    with gzip.open(first, "rt") as read, gzip.open(full, "wt", compresslevel=1) as out:
        for line in read:
            row = json.loads(line)
            head = row.get("table", head) if isinstance(row, dict) else head
            if head == "users" and isinstance(row, list) and row[1] == "me":
                me = row[0]
            if head != "counters":
                out.write(line)
        crowd = Crowd(me)
        write = lambda row: out.write(json.dumps(row, ensure_ascii=False) + "\n")  # noqa: E731
        write({"table": "counters", "columns": ["name", "value"]})
        for counter in crowd.counters().items():
            write(counter)
        for table, columns, rows in crowd.tables():
            write({"table": table, "columns": columns.split()})
            for row in rows:
                write(row)
    started = time.perf_counter()
    run("restore", str(full))
    print(f"  restored in {time.perf_counter() - started:.0f} s", flush=True)
    return crowd


def names(crowd: Crowd) -> dict[str, str]:
    """What the calls ask for by name: people and things that have much."""
    author = crowd.author.things[0]
    return {
        "{author}": crowd.names[author],
        "{person}": str(author),
        "{address}": crowd.addresses[0],
        "{query}": next(one for one in crowd.queries if crowd.public[one]),
        "{mine}": next(one for one in crowd.queries if crowd.owners[one] == crowd.me),
        "{graph}": "graph-0",
        "{dashboard}": next(one for one in crowd.dashboards if crowd.public[one]),
        "{contact}": crowd.names[crowd.users[0]],
    }


def named(text: str, kept: dict[str, str]) -> str:
    for placeholder, value in kept.items():
        text = text.replace(placeholder, value)
    return text


def cpu_ms(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 10


def measure(server: Server, calls: list[tuple[str, dict | None]], rounds: int) -> list[dict]:
    found = []
    for path, body in calls:
        method, address = ("GET" if body is None else "POST"), urllib.parse.quote(path, safe="/?&=:")
        times = []
        # The first answer warms up connections and pages, as any use before did.
        server.call(method, address, body)
        before = cpu_ms(server.process.pid)
        for _ in range(rounds):
            started = time.perf_counter()
            answer = server.call(method, address, body)
            times.append((time.perf_counter() - started) * 1000)
        used = (cpu_ms(server.process.pid) - before) / rounds
        times.sort()
        total = answer.get("total") if isinstance(answer, dict) else None
        p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
        shown = path if body is None else f"{path} {json.dumps(body, ensure_ascii=False)}"
        found.append({"path": shown, "total": total, "leastMs": times[0], "medianMs": statistics.median(times), "p99Ms": p99,
                      "cpuMs": used})
    return found


def wait_for_index(server: Server) -> None:
    """Until every creation can be found and nothing works in the background: the index of words is made there after a
    restore, of what everybody finds first, and as long as it is written to no count is kept."""
    searched = ["dashboards", "queries", "projects"]
    while True:
        found = [server.call("GET", "/api/discover/counts" + what) for what in ("", "?search=-nothinglikethis")]
        before = cpu_ms(server.process.pid)
        time.sleep(2)
        if all(found[0][tab] == found[1][tab] for tab in searched) and cpu_ms(server.process.pid) - before < 100:
            return


def one_database(name: str, environment: dict[str, str], options: argparse.Namespace) -> list[dict]:
    home = REPOSITORY / "data" / "local" / f"bench-lists-{name}"
    kept = home / "names.json"
    print(name, flush=True)
    if not (options.again and kept.exists()):
        crowd = fill(home, environment, sample_home(options.transactions))
        kept.write_text(json.dumps(names(crowd)))
    server = Server(home, **environment)
    print(f"  started in {server.start_seconds:.2f} s", flush=True)
    try:
        wait_for_index(server)
        account = {"userName": "me", "password": PASSWORD}
        server.token = server.call("POST", "/api/user/login", account)["token"]
        kept_names = json.loads(kept.read_text())
        chosen = [call if isinstance(call, tuple) else (call, None) for call in every(int(time.time() * 1000))]
        chosen = [(named(path, kept_names), body and json.loads(named(json.dumps(body), kept_names)))
                  for path, body in chosen if options.only in path]
        found = measure(server, chosen, options.rounds)
    finally:
        server.stop()
    for row in sorted(found, key=lambda row: -row["medianMs"]):
        slow = " <-- slow" if row["medianMs"] > AIM_MS else ""
        total = "" if row["total"] is None else row["total"]
        print(f"  {row['leastMs']:8.1f} ms least {row['medianMs']:8.1f} ms median {row['p99Ms']:8.1f} ms p99 {row['cpuMs']:6.1f} ms CPU {total:>8}  {row['path']}{slow}")
    return found


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--transactions", type=int, default=150_000)
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--only", default="", help="only calls whose address contains this")
    options.add_argument("--again", action="store_true", help="measure the database of the last run")
    options.add_argument("--databases", default="sqlite,postgres")
    options.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "data" / "local" / "bench-lists.json")
    options = options.parse_args()
    missing = uncovered(every(0), REPOSITORY / "api" / "openapi.json")
    if missing:
        print("not measured, so add them to calls.py:", *missing, sep="\n  ", file=sys.stderr)
        return 1
    # SQLite is measured in the home itself.
    os.environ.pop("QUARRY_DATABASE_URL", None)
    environment = {**os.environ, "QUARRY_LOG": "error"}
    postgres = os.environ.get("QUARRY_TEST_POSTGRES_URL")
    figures = {}
    if "sqlite" in options.databases:
        figures["sqlite"] = one_database("sqlite", environment, options)
    if "postgres" in options.databases and postgres:
        figures["postgres"] = one_database("postgres", {**environment, "QUARRY_DATABASE_URL": postgres}, options)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(figures, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
