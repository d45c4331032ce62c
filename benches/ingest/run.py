"""How much of a node's speed an ingest reaches: anvil asked for the same blocks by a client that throws the answers
away (the ceiling), by `quarry ingest` with and without proof, by cryo and by ethereum-etl, in turns within one run.

    make bench-ingest
    make bench-ingest ARGS='--blocks 400 --per-block 50 --only quarry cryo'
    make bench-ingest ARGS=--from-memory
    make bench-ingest ARGS='--recording chain.jsonl.gz'

anvil is slower than any reader. With --from-memory its chain is recorded first and then served from memory (replay.py),
and what a reader costs is told in seconds of CPU; --recording serves one that was made before. Last comes the time from a
new block to the moment it can be queried.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
from head import lags  # noqa: E402
from product import REPOSITORY  # noqa: E402
from sources import Source, start_node, start_replay  # noqa: E402
from tools import TOOLS  # noqa: E402


def measure(names: list[str], rounds: int, source: Source) -> dict[str, list[dict[str, float]]]:
    """What each tool took in each round; the rounds interleave, so that a busy moment meets all of them."""
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            taken[name].append(TOOLS[name](source))
    return taken


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--blocks", type=int, default=400)
    arguments.add_argument("--per-block", type=int, default=30)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--only", nargs="+", choices=sorted(TOOLS), default=list(TOOLS))
    arguments.add_argument("--from-memory", action="store_true")
    arguments.add_argument("--recording", type=pathlib.Path)
    arguments.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "benches" / "results" / "ingest.json")
    options = arguments.parse_args()

    heads: list[float] = []
    if options.recording:
        source = start_replay(options.recording)
    else:
        source = start_node()
        fill = [shutil.which("node"), str(REPOSITORY / "tests" / "chain" / "fill.mjs"), f"http://{source.address}"]
        subprocess.run([*fill, str(options.blocks), str(options.per_block)], check=True, capture_output=True)
        source.look()
        if options.from_memory:
            recording = pathlib.Path(tempfile.mkdtemp()) / "chain.jsonl.gz"
            source.record(recording)
            source.stop()
            source = start_replay(recording)
        else:
            heads = lags(source)
            source.look()
    try:
        taken = measure(["ceiling", *(name for name in options.only if name != "ceiling")], options.rounds, source)
    finally:
        source.stop()

    def median(name: str, figure: str) -> float:
        return statistics.median(round[figure] for round in taken[name])

    print(f"{source.last + 1} blocks with {source.transactions} transactions, medians of {options.rounds} rounds")
    for name in taken:
        seconds, cpu, memory = median(name, "seconds"), median(name, "cpu"), median(name, "memory")
        blocks, sent = (source.last + 1) / seconds, source.transactions / seconds
        line = f"{name:16} {blocks:8.1f} blocks/s {sent:9.0f} tx/s {median('ceiling', 'seconds') / seconds:7.1%} of the ceiling"
        own = f"{cpu:8.2f} s CPU {source.transactions / cpu:9.0f} tx per CPU s {memory:6.0f} MB" if cpu else ""
        print(f"{line} {own}".rstrip())
    if heads:
        print(f"from a new block to its rows: median {statistics.median(heads):.3f} s, longest {max(heads):.3f} s")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    shape = {"blocks": source.last + 1, "transactions": source.transactions}
    options.out.write_text(json.dumps({**shape, "taken": taken, "heads": heads}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
