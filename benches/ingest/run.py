"""How much of a node's speed an ingest reaches: anvil asked for the same blocks by a client that throws the answers
away (the ceiling), by `quarry ingest`, and by ethereum-etl, in turns within one run.

    make bench-ingest
    make bench-ingest ARGS='--blocks 400 --per-block 50 --without-etl'
    make bench-ingest ARGS=--from-memory

anvil is slower than any reader. With --from-memory its chain is recorded first and then served from memory (replay.py),
and what a reader costs is told in seconds of CPU.
"""

import argparse
import concurrent.futures
import http.client
import json
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
from product import REPOSITORY, command  # noqa: E402

CALLERS = 8


def start_replay(address: str) -> tuple[subprocess.Popen, str]:
    """Records the chain of a node and serves it from memory."""
    file = pathlib.Path(tempfile.mkdtemp()) / "chain.jsonl.gz"
    program = str(pathlib.Path(__file__).with_name("replay.py"))
    subprocess.run([sys.executable, program, "record", f"http://{address}", str(file)], check=True, capture_output=True)
    node = subprocess.Popen([sys.executable, program, "serve", str(file)], stdout=subprocess.PIPE, text=True)
    return node, node.stdout.readline().split()[-1]


def start_node() -> tuple[subprocess.Popen, str]:
    anvil = next((REPOSITORY / "tests" / "node_modules" / "@foundry-rs").glob("anvil-*/bin/anvil"))
    words = [str(anvil), "--port", "0", "--chain-id", "4242", "--hardfork", "prague", "--order", "fifo", "--no-mining"]
    node = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    for line in node.stdout:
        found = re.match(r"Listening on (\S+)", line)
        if found:
            # Nobody reads what it prints from here on; without this it would block on a full pipe.
            subprocess.Popen(["cat"], stdin=node.stdout, stdout=subprocess.DEVNULL)
            return node, found.group(1)
    raise RuntimeError("anvil ended without listening")


def ceiling(address: str, last: int) -> float:
    """Seconds to fetch every block and its receipts, without looking at them."""

    def fetch(numbers: range) -> None:
        connection = http.client.HTTPConnection(address)
        for number in numbers:
            for method, extra in (("eth_getBlockByNumber", [True]), ("eth_getBlockReceipts", [])):
                call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": [hex(number), *extra]}
                connection.request("POST", "/", json.dumps(call), {"Content-Type": "application/json"})
                connection.getresponse().read()

    started = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(CALLERS) as pool:
        list(pool.map(fetch, [range(at, last + 1, CALLERS) for at in range(CALLERS)]))
    return time.perf_counter() - started


def quarry_unverified(address: str, last: int) -> float:
    return quarry(address, last, "--no-verify")


def quarry(address: str, last: int, *more: str) -> float:
    with tempfile.TemporaryDirectory() as home:
        started = time.perf_counter()
        words = ["ingest", "--rpc", f"http://{address}", "--from", "0", "--to", str(last), *more]
        subprocess.run(command(pathlib.Path(home), *words), check=True, capture_output=True)
        return time.perf_counter() - started


def ethereum_etl(address: str, last: int) -> float:
    # It calls a function that newer Pythons call otherwise.
    tool = "import inspect; inspect.getargspec = inspect.getfullargspec; from ethereumetl.cli import cli; cli()"
    node = ["--provider-uri", f"http://{address}", "--max-workers", str(CALLERS)]

    def run(folder: str, *words: str) -> None:
        subprocess.run([sys.executable, "-c", tool, *words], check=True, capture_output=True, cwd=folder)

    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        span = ["--start-block", "0", "--end-block", str(last)]
        outputs = ["--blocks-output", "blocks.csv", "--transactions-output", "transactions.csv"]
        run(folder, "export_blocks_and_transactions", *span, *node, *outputs)
        columns = ["--input", "transactions.csv", "--column", "hash", "--output", "hashes.txt"]
        run(folder, "extract_csv_column", *columns)
        outputs = ["--receipts-output", "receipts.csv", "--logs-output", "logs.csv"]
        run(folder, "export_receipts_and_logs", "--transaction-hashes", "hashes.txt", *node, *outputs)
        run(folder, "extract_token_transfers", "--logs", "logs.csv", "--output", "token_transfers.csv")
        return time.perf_counter() - started


def children_cpu() -> float:
    """Seconds of CPU of all programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--blocks", type=int, default=400)
    arguments.add_argument("--per-block", type=int, default=30)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--without-etl", action="store_true")
    arguments.add_argument("--from-memory", action="store_true")
    arguments.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "benches" / "results" / "ingest.json")
    options = arguments.parse_args()

    node, address = start_node()
    try:
        fill = [shutil.which("node"), str(REPOSITORY / "tests" / "chain" / "fill.mjs"), f"http://{address}"]
        made = subprocess.run([*fill, str(options.blocks), str(options.per_block)], check=True, capture_output=True)
        last = int(made.stdout)
        tools = {"ceiling": ceiling, "quarry": quarry, "quarry, no proof": quarry_unverified}
        if options.from_memory:
            anvil = node
            node, address = start_replay(address)
            anvil.kill()
        if not options.without_etl:
            tools["ethereum-etl"] = ethereum_etl
        seconds: dict[str, list[float]] = {name: [] for name in tools}
        cpu: dict[str, list[float]] = {name: [] for name in tools}
        for _ in range(options.rounds):
            for name, tool in tools.items():
                before = children_cpu()
                seconds[name].append(tool(address, last))
                cpu[name].append(children_cpu() - before)
    finally:
        node.kill()

    medians = {name: statistics.median(times) for name, times in seconds.items()}
    for name, median in medians.items():
        share = medians["ceiling"] / median
        work = statistics.median(cpu[name])
        print(f"{name:16} {(last + 1) / median:8.1f} blocks/s  {share:6.1%} of the node's ceiling  {work:6.2f} s of CPU")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    shape = {"blocks": last + 1, "transactionsPerBlock": options.per_block}
    options.out.write_text(json.dumps({**shape, "seconds": seconds, "cpu": cpu, "medians": medians}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
