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
from crowd import Crowd  # noqa: E402
from product import PASSWORD, REPOSITORY, Server, command, sample_home  # noqa: E402

AIM_MS = 20
RANGES = ["24h", "7d", "30d", "all"]


def words(text: str) -> str:
    return "search=" + urllib.parse.quote(text)


def discover() -> list[str]:
    searches = {
        "queries": ["transactions", "gas report", '"gas report"', "tag:nft", "tag:nft -whale", "-gas mev", "gas fee tag:mev",
                    "block_number", "费用", "交易费用", "报告", "author:{author}", "99999", "nothinglikethis", "gas 费用",
                    "select count", "a", '"select block_number"', "value gas_price -nonce"],
        "dashboards": ["gas", "gas report", "费用", "tag:nft", "author:{author}"],
        "projects": ["gas", "费用"],
        "creators": ["gas", "g", "{author}"],
        "addresses": ["0x1", "tag:gas", "gas", "{address}"],
    }
    calls = []
    for tab, asked in searches.items():
        for sort in ["favorites", "time"]:
            calls += [f"/api/discover/{tab}?sort={sort}&range={span}" for span in RANGES]
            calls += [f"/api/discover/{tab}?sort={sort}&page={page}&size=50" for page in (2, 20, 200, 1500)]
            calls += [f"/api/discover/{tab}?sort={sort}&{words(text)}" for text in asked]
    for sort in ["favorites", "time"]:
        for span in RANGES[:3]:
            calls += [f"/api/discover/queries?sort={sort}&range={span}&{words(text)}" for text in ("gas", "value", "费用")]
        calls += [f"/api/discover/queries?sort={sort}&page=100&size=50&{words(text)}" for text in ("gas", "value")]
    calls += [f"/api/discover/counts?range={span}" for span in RANGES]
    calls += [f"/api/discover/counts?{words(text)}" for text in ("gas", "gas report", '"gas report"', "value", "费用")]
    calls += [f"/api/discover/counts?range=7d&{words('gas')}"]
    return calls


def community() -> list[str]:
    calls = [f"/api/tag/trending?range={span}" for span in RANGES]
    calls += ["/api/tag/list", "/api/tag/list?page=500&size=50", "/api/tag/list?entity=query", "/api/tag/list?tag=gas"]
    calls += ["/api/tag/list?tag=gas&entity=dashboard", "/api/tag/list?entity=address", "/api/tag/mine"]
    calls += ["/api/tag/mine?entity=query&tag=gas"]
    calls += [f"/api/favorite/list?kind={kind}" for kind in ("query", "dashboard", "project")]
    calls += ["/api/favorite/list?kind=query&page=20&size=50", "/api/favorite/names?kind=address"]
    calls += ["/api/creation/mine", "/api/creation/mine?kind=query", "/api/creation/mine?search=gas", "/api/creation/mine?page=20"]
    calls += ["/api/creation/ofUser?userName={author}", "/api/creation/ofUser?userName={author}&kind=query"]
    calls += ["/api/creation/ofUser?userName=me&search=report", "/api/creator/detail?userName={author}"]
    calls += ["/api/graph/list", "/api/project/list", "/api/visualization/list", "/api/visualization/list?search=chart"]
    calls += ["/api/project/detail?id=project-0", "/api/query/detail?id={query}", "/api/query/lineage?id={query}"]
    calls += ["/api/dashboard/comment/list?id={dashboard}", "/api/dashboard/comment/list?id={dashboard}&page=50"]
    calls += ["/api/query/version/list?id={query}", "/api/dashboard/version/list?id={dashboard}"]
    calls += ["/api/address/detail?address={address}", "/api/official/dashboards", "/api/query/draft/list"]
    calls += ["/api/query/run/list?id={query}", "/api/query/schedule/list", "/api/query/schedule/list?all=true"]
    calls += ["/api/query/schedule/list?all=true&page=30&size=50"]
    calls += ["/api/job/list", "/api/job/list?kind=SQL&state=FAILED", "/api/job/list?state=RUNNING", "/api/job/list?all=true"]
    calls += ["/api/job/list?page=40", "/api/private/letter/user/list", "/api/private/letter/is-exist-not-read-message"]
    calls += ["/api/private/letter/chat/content?commentFrom={contact}", "/api/platform/message/list"]
    calls += ["/api/decoder/signature/list", "/api/decoder/signature/list?search=gas", "/api/label/own/list"]
    calls += ["/api/label/own/list?label=gas", "/api/label/own/list?address=0x1", "/api/user/credit/list"]
    calls += ["/api/white-paper/list", "/api/user/api-key/list", "/api/table/list", "/api/dapp/ranking"]
    calls += [f"/api/dashboard/{part}{what}Record" for part in ("all", "part") for what in ("Create", "Edit", "Delete")]
    calls += ["/api/dashboard/allEditRecord?userName={author}", "/api/dashboard/allEditRecord?page=200&size=50"]
    return calls


def back_office(now: int) -> list[str]:
    day = 86_400_000
    week = f"from={now - 7 * day}&to={now}"
    filters = {
        "/api/system/user/list": ["userName=gas", "email=user12", "phone=13000", "role=admin", "disabled=true", week],
        "/api/system/platform-user/list": ["userName=zzz", "disabled=false"],
        "/api/interceptor/logInAndOutAll": ["userName=gas", "action=login", week, "userName=zzz"],
        "/api/interceptor/onlineUser/list": ["userName=gas"],
        "/api/system/audit/list": ["userName=me", "area=users", week, "userName=zzz"],
        "/api/system/message-record/mail": ["target=user12", "state=sent", week],
        "/api/system/message-record/message": ["target=user12"],
        "/api/system/feedback/list": ["userName=gas", "title=gas", "state=open", week],
        "/api/system/dapp/info/list": ["name=gas", "dappType=games"],
        "/api/system/dapp/reflect/list": ["name=dapp 7", "address=0x1"],
        "/api/system/job/list": ["userName=gas", "kind=SQL", "state=FAILED", "userName=zzz"],
        "/api/system/schedule/list": ["userName=gas", "title=gas", "state=failed", "state=paused", "state=late"],
        "/api/system/score/entry/list": ["userName=gas", "rule=fork", week],
        "/api/system/revenue/list": ["userName=gas"],
        "/api/system/label/list": ["label=gas", "address=0x1"],
        "/api/system/web-access/list": ["url=gas", "userName=me", week],
        "/api/system/web-access/pages": ["url=gas"],
        "/api/system/white-paper/list": [],
    }
    calls = []
    for path, asked in filters.items():
        calls += [path, f"{path}?page=100&size=50"]
        calls += [f"{path}?{'&'.join(part.replace(' ', '%20') for part in [one])}" for one in asked]
    calls += ["/api/system/role/list", "/api/system/permission/list", "/api/system/score/rule/list"]
    calls += ["/api/system/platform-user/summary", "/api/system/platform-user/days", "/api/system/revenue/summary"]
    calls += ["/api/system/revenue/days", "/api/system/schedule/summary", f"/api/system/web-access/summary?{week}",
              "/api/system/web-access/summary"]
    return calls


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
    return {
        "{author}": crowd.names[crowd.author.things[0]],
        "{address}": crowd.addresses[0],
        "{query}": next(one for one in crowd.queries if crowd.public[one]),
        "{dashboard}": next(one for one in crowd.dashboards if crowd.public[one]),
        "{contact}": crowd.names[crowd.users[0]],
    }


def cpu_ms(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 10


def measure(server: Server, calls: list[str], rounds: int) -> list[dict]:
    found = []
    for path in calls:
        times = []
        # The first answer warms up connections and pages, as any use before did.
        server.call("GET", path)
        before = cpu_ms(server.process.pid)
        for _ in range(rounds):
            started = time.perf_counter()
            answer = server.call("GET", path)
            times.append((time.perf_counter() - started) * 1000)
        used = (cpu_ms(server.process.pid) - before) / rounds
        times.sort()
        total = answer.get("total") if isinstance(answer, dict) else None
        p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
        found.append({"path": path, "total": total, "medianMs": statistics.median(times), "p99Ms": p99,
                      "cpuMs": used})
    return found


def wait_for_index(server: Server) -> None:
    """Until every creation can be found: the index of words is made in the background after a restore."""
    searched = ["dashboards", "queries", "projects"]
    while True:
        found = [server.call("GET", "/api/discover/counts" + what) for what in ("", "?search=-nothinglikethis")]
        if all(found[0][tab] == found[1][tab] for tab in searched):
            return
        time.sleep(1)


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
        calls = discover() + community() + back_office(int(time.time() * 1000))
        chosen = [call for call in calls if options.only in call]
        for placeholder, value in json.loads(kept.read_text()).items():
            chosen = [call.replace(placeholder, value).replace(urllib.parse.quote(placeholder), value) for call in chosen]
        found = measure(server, chosen, options.rounds)
    finally:
        server.stop()
    for row in sorted(found, key=lambda row: -row["medianMs"]):
        slow = " <-- slow" if row["medianMs"] > AIM_MS else ""
        path = urllib.parse.unquote(row["path"])
        total = "" if row["total"] is None else row["total"]
        print(f"  {row['medianMs']:8.1f} ms median {row['p99Ms']:8.1f} ms p99 {row['cpuMs']:6.1f} ms CPU {total:>8}  {path}{slow}")
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
