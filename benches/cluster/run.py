"""Queries on one process, and shared out over a server and two workers on this machine: CPU seconds of each process.

Processes of one machine share its cores, so wall times say nothing. The critical path of a query is the CPU time of the process that
used the most; on machines of one core each, the query could not be faster.

    make bench-cluster ARGS='--transactions 3000000'
"""

import argparse
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
from product import REPOSITORY, Server, command, cpu_seconds, sample_home  # noqa: E402

WORKERS = 2
QUERIES = {
    "scan, sums": "select sum(value), sum(gas_price * receipt_gas_used), max(nonce), count(*) from transactions where gas_price > 1",
    "function of each row": "select to_hex(sha256(data)) > 'f', count(*) from logs group by 1 order by 1",
    "many groups": "select count(*), max(n), sum(v) from (select to_address, count(*) as n, sum(value) as v from token_transfers group by 1)",
    "small join": "select c.contract_type, count(*) from logs l join (select address, 'x' as contract_type from contracts limit 2000) c"
    " on l.address = c.address group by 1 order by 1",
    "big join": "select count(*), sum(t.value) from transactions t join logs l on t.hash = l.transaction_hash",
    "distinct": "select count(distinct from_address), count(distinct to_address), count(distinct token_address) from token_transfers",
    "rank": "select max(r), count(*) from (select rank() over (partition by from_address order by value desc) as r from transactions)",
}
SMALL = "select count(*), max(number) from blocks"


class Worker:
    """`quarry worker` on a free port."""

    def __init__(self, home: pathlib.Path, coordinator: str):
        words = command(home, "worker", "--listen", "127.0.0.1:0", "--coordinator", coordinator)
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.process.stdout.readline()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def run(server: Server, processes: list[subprocess.Popen], sql: str) -> tuple[list[float], float, list, str]:
    """CPU seconds of each process, wall seconds, the rows and where the query ran."""
    before = [cpu_seconds(process.pid) for process in processes]
    begun = time.perf_counter()
    # Equal queries share one result.
    job, state = server.ask(f"{sql} -- {time.time_ns()}")
    wall = time.perf_counter() - begun
    if state["state"] != "SUCCEEDED":
        raise RuntimeError(f"{sql}: {state}")
    # What a query leaves behind, such as threads that end.
    time.sleep(0.3)
    used = [cpu_seconds(process.pid) - start for process, start in zip(processes, before, strict=True)]
    rows = server.rows(job)
    lines = server.call("GET", f"/api/job/{job}/log")["lines"]
    notes = [line["text"] for line in lines if line["text"].startswith(("Shared out", "The query runs"))]
    return used, wall, sorted(map(str, rows)), notes[0] if notes else ""


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--transactions", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "benches" / "results" / "cluster.json")
    options = arguments.parse_args()

    results: dict[str, dict] = {}
    with contextlib.ExitStack() as stack:
        home = sample_home(options.transactions)
        alone = Server(home, QUARRY_THREADS="2")
        alone.settle()
        local = {}
        for name, sql in {**QUERIES, "small": SMALL}.items():
            rounds = [run(alone, [alone.process], sql) for _ in range(options.rounds)]
            cpu = statistics.median(used[0] for used, *_ in rounds)
            local[name] = cpu, statistics.median(wall for _, wall, *_ in rounds), rounds[0][2]
        alone.stop()

        server = Server(
            home,
            QUARRY_THREADS="2",
            QUARRY_CLUSTER_LISTEN="127.0.0.1:0",
            QUARRY_CLUSTER_MIN_BYTES="0",
        )
        stack.callback(server.stop)
        server.settle()
        workers = [Worker(home, server.cluster) for _ in range(WORKERS)]
        for worker in workers:
            stack.callback(worker.stop)
        while f"over {WORKERS} workers" not in run(server, [], QUERIES["distinct"])[3]:
            pass
        processes = [server.process, *(worker.process for worker in workers)]
        print(f"{'':22} {'alone':>8} {'server':>8} {'worker':>8} {'worker':>8} {'all':>6} {'path':>6}")
        for name, sql in {**QUERIES, "small": SMALL}.items():
            rounds = [run(server, processes, sql) for _ in range(options.rounds)]
            used = [statistics.median(column) for column in zip(*(used for used, *_ in rounds), strict=True)]
            cpu, wall, rows = local[name]
            if rounds[0][2] != rows:
                raise RuntimeError(f"{name}: other rows than alone")
            shared_wall = statistics.median(wall for _, wall, *_ in rounds)
            path, total = cpu / max(max(used), 0.01), sum(used) / max(cpu, 0.01)
            print(f"{name:22} {cpu:8.2f} " + " ".join(f"{seconds:8.2f}" for seconds in used) + f" {total:5.2f}x {path:5.2f}x")
            results[name] = {
                "alone": cpu,
                "processes": used,
                "total": total,
                "path": path,
                "wallAlone": wall,
                "wall": shared_wall,
                "note": rounds[0][3],
            }
        small = results["small"]
        print(f"a small query: {small['wallAlone'] * 1000:.0f} ms alone, {small['wall'] * 1000:.0f} ms shared out")
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
