"""The readers that are compared. Each takes all blocks, transactions, receipts and logs of a source and tells seconds,
seconds of CPU and the most memory (MB) that one of its processes had."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from product import command
from sources import Source

CALLERS = 8

# ethereum-etl lives in an environment of its own (benches/requirements-etl.txt).
ETL_PYTHON = pathlib.Path(__file__).resolve().parents[1] / ".venv-etl" / "bin" / "python"


def spent(folder: str, *commands: list[str]) -> dict[str, float]:
    """Runs the commands one after the other."""
    figures = {"seconds": 0.0, "cpu": 0.0, "memory": 0.0}
    for words in commands:
        began = time.perf_counter()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(words, cwd=folder, stdout=said, stderr=said)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                said.seek(0)
                raise RuntimeError(f"{words}: {said.read().decode()[-2000:]}")
        figures["seconds"] += time.perf_counter() - began
        figures["cpu"] += used.ru_utime + used.ru_stime
        figures["memory"] = max(figures["memory"], used.ru_maxrss / 1024)
    return figures


def ceiling(source: Source) -> dict[str, float]:
    """Every block and its receipts, without looking at them."""

    def fetch(numbers: range) -> None:
        connection = http.client.HTTPConnection(source.address)
        for number in numbers:
            for method, extra in (("eth_getBlockByNumber", [True]), ("eth_getBlockReceipts", [])):
                call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": [hex(number), *extra]}
                connection.request("POST", "/", json.dumps(call), {"Content-Type": "application/json"})
                connection.getresponse().read()

    began = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(CALLERS) as pool:
        list(pool.map(fetch, [range(at, source.last + 1, CALLERS) for at in range(CALLERS)]))
    return {"seconds": time.perf_counter() - began, "cpu": 0.0, "memory": 0.0}


def quarry(source: Source, *more: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        words = ["ingest", "--rpc", f"http://{source.address}", "--from", "0", "--to", str(source.last), *more]
        return spent(folder, command(pathlib.Path(folder), *words))


def quarry_without_proof(source: Source) -> dict[str, float]:
    return quarry(source, "--no-verify")


def cryo(source: Source) -> dict[str, float]:
    # Left at once: its threads may crash while Python ends.
    tool = (
        "import asyncio, cryo, os; asyncio.run(cryo.async_freeze(['blocks', 'transactions', 'logs'], start_block=0, "
        f"end_block={source.last + 1}, rpc='http://{source.address}', output_dir='.')); os._exit(0)"
    )
    with tempfile.TemporaryDirectory() as folder:
        figures = spent(folder, [sys.executable, "-c", tool])
        # It ends well even when chunks failed; then their files are missing.
        for dataset in ("blocks", "transactions", "logs"):
            if not list(pathlib.Path(folder).glob(f"*__{dataset}__*.parquet")):
                raise RuntimeError(f"cryo wrote no {dataset}")
        return figures


def ethereum_etl(source: Source) -> dict[str, float]:
    # It calls a function that newer Pythons call otherwise.
    tool = "import inspect; inspect.getargspec = inspect.getfullargspec; from ethereumetl.cli import cli; cli()"
    node = ["--provider-uri", f"http://{source.address}", "--max-workers", str(CALLERS)]

    def words(*more: str) -> list[str]:
        return [str(ETL_PYTHON), "-c", tool, *more]

    span = ["--start-block", "0", "--end-block", str(source.last)]
    both = ["--blocks-output", "blocks.csv", "--transactions-output", "transactions.csv"]
    columns = ["--input", "transactions.csv", "--column", "hash", "--output", "hashes.txt"]
    outputs = ["--receipts-output", "receipts.csv", "--logs-output", "logs.csv"]
    with tempfile.TemporaryDirectory() as folder:
        return spent(
            folder,
            words("export_blocks_and_transactions", *span, *node, *both),
            words("extract_csv_column", *columns),
            words("export_receipts_and_logs", "--transaction-hashes", "hashes.txt", *node, *outputs),
            words("extract_token_transfers", "--logs", "logs.csv", "--output", "token_transfers.csv"),
        )


TOOLS = {
    "ceiling": ceiling,
    "quarry": quarry,
    "quarry, no proof": quarry_without_proof,
    "cryo": cryo,
    "ethereum-etl": ethereum_etl,
}
