"""From a new block to the moment its rows can be queried, with `quarry ingest --follow` beside the node."""

import pathlib
import sqlite3
import subprocess
import tempfile
import time

from product import command
from sources import Source

ROUNDS = 30
LIMIT = 60.0


def published(catalogue: pathlib.Path) -> int:
    """Number of the newest block that readers see; -1 before the first."""
    try:
        with sqlite3.connect(f"file:{catalogue}?mode=ro", uri=True) as connection:
            return connection.execute("select head_number from snapshots order by id desc limit 1").fetchone()[0]
    except (sqlite3.Error, TypeError):
        return -1


def wait_for(catalogue: pathlib.Path, number: int) -> None:
    deadline = time.perf_counter() + LIMIT
    while published(catalogue) < number:
        if time.perf_counter() > deadline:
            raise RuntimeError(f"block {number} did not come")
        time.sleep(0.002)


def lags(source: Source) -> list[float]:
    """Seconds from the node's answer that it has a block to the block in the lake, several times."""
    with tempfile.TemporaryDirectory() as home:
        catalogue = pathlib.Path(home) / "lake" / "catalogue.sqlite"
        words = ["ingest", "--rpc", f"ws://{source.address}", "--from", str(source.last), "--follow"]
        follower = subprocess.Popen(command(pathlib.Path(home), *words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(catalogue, source.last)
            seconds = []
            for number in range(source.last + 1, source.last + 1 + ROUNDS):
                source.ask("evm_mine")
                announced = time.perf_counter()
                wait_for(catalogue, number)
                seconds.append(time.perf_counter() - announced)
            return seconds
        finally:
            follower.kill()
            follower.wait()
