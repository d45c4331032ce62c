"""What a person at the screen waits for: the first sign of progress after Run, the end of a killed query, the start.

    make bench-latency
"""

import argparse
import contextlib
import json
import pathlib
import statistics
import sys
import time

import websocket

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
from product import REPOSITORY, Server, cpu_seconds, sample_home  # noqa: E402

# Sorts all logs by what no file is sorted by.
SORT = "select * from logs order by data, topic1, topic2, transaction_hash"


def once(server: Server) -> dict[str, float]:
    """One query that sorts everything: watched, then killed after it has shown progress."""
    ticket = server.call("POST", "/api/ws/ticket", {})["ticket"]
    socket = websocket.create_connection(f"ws://{server.address}/api/ws?ticket={ticket}", timeout=30)
    with contextlib.closing(socket):
        started = time.perf_counter()
        job = server.execute(SORT)
        socket.send(json.dumps({"type": "job.subscribe", "data": {"jobId": job}}))
        first = running = None
        while running is None:
            message = json.loads(socket.recv())
            data = message.get("data", {})
            if data.get("jobId") != job:
                continue
            first = first or time.perf_counter() - started
            if data.get("state") == "RUNNING":
                # Killed in the midst of its work, not before.
                if int((data.get("detail") or {}).get("rowsRead", 0)) > 0:
                    running = time.perf_counter() - started
            elif data.get("state") != "QUEUED":
                raise RuntimeError(f"the query ended before it could be killed: {data}")
        asked = time.perf_counter()
        server.call("POST", f"/api/job/{job}/kill", {})
        state = server.wait(job)
        killed = time.perf_counter() - asked
        if state["state"] != "KILLED":
            raise RuntimeError(f"not killed: {state}")
    # The state is one thing, the processor another: when has it been idle for a tenth of a second?
    while True:
        before = cpu_seconds(server.process.pid)
        since = time.perf_counter()
        time.sleep(0.1)
        if cpu_seconds(server.process.pid) - before <= 0.02:
            return {"firstEvent": first, "running": running, "killed": killed, "idle": since - asked}
        if time.perf_counter() - asked > 30:
            raise RuntimeError("still busy half a minute after the kill")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--transactions", type=int, default=3_000_000)
    arguments.add_argument("--rounds", type=int, default=10)
    arguments.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "benches" / "results" / "latency.json")
    options = arguments.parse_args()

    server = Server(sample_home(options.transactions))
    server.settle()
    try:
        rounds = [once(server) for _ in range(options.rounds)]
    finally:
        server.stop()
    print(f"start with a full home: {server.start_seconds * 1000:.0f} ms")
    names = {
        "firstEvent": "execute to first event",
        "running": "execute to rows being read",
        "killed": "kill to state KILLED",
        "idle": "kill to an idle processor",
    }
    for key, name in names.items():
        times = [one[key] * 1000 for one in rounds]
        print(f"{name:26} median {statistics.median(times):6.0f} ms, worst {max(times):6.0f} ms")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({"startSeconds": server.start_seconds, "rounds": rounds}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
