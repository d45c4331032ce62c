"""What blocks are taken from: anvil, or a recording served from memory."""

import json
import pathlib
import re
import subprocess
import sys
import urllib.request

from product import REPOSITORY

REPLAY = str(pathlib.Path(__file__).with_name("replay.py"))


class Source:
    """A running node with its chain."""

    def __init__(self, process: subprocess.Popen, address: str) -> None:
        self.process = process
        self.address = address
        self.last = 0
        self.transactions = 0

    def ask(self, method: str, *params: object) -> object:
        call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(f"http://{self.address}", call, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["result"]

    def look(self) -> None:
        """Learns how long the chain is."""
        self.last = int(self.ask("eth_blockNumber"), 16)
        blocks = (self.ask("eth_getBlockByNumber", hex(number), False) for number in range(self.last + 1))
        self.transactions = sum(len(block["transactions"]) for block in blocks)

    def record(self, file: pathlib.Path) -> None:
        words = [sys.executable, REPLAY, "record", f"http://{self.address}", str(file)]
        subprocess.run(words, check=True, capture_output=True)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def started(words: list[str], pattern: str) -> Source:
    """Runs a server until it says where it listens."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        found = re.match(pattern, line)
        if found:
            # Nobody reads what it prints from here on; without this it would block on a full pipe.
            subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
            return Source(process, found.group(1))
    raise RuntimeError(f"{words[0]} ended without listening")


def start_node() -> Source:
    anvil = next((REPOSITORY / "tests" / "node_modules" / "@foundry-rs").glob("anvil-*/bin/anvil"))
    words = [str(anvil), "--port", "0", "--chain-id", "4242", "--hardfork", "prague", "--order", "fifo", "--no-mining"]
    return started(words, r"Listening on (\S+)")


def start_replay(file: pathlib.Path) -> Source:
    source = started([sys.executable, REPLAY, "serve", str(file)], r"Listening on (\S+)")
    source.look()
    return source
