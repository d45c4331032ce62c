"""A node that answers from memory: it serves a recording of a chain, so that what is measured is the reader and not the
node. The answers are encoded beforehand; a request costs their copying.

    python3 replay.py record http://127.0.0.1:8545 chain.jsonl.gz
    python3 replay.py serve chain.jsonl.gz [PORT]
"""

import asyncio
import gzip
import json
import pathlib
import sys
import urllib.request


def ask(url: str, method: str, params: list) -> object:
    call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(url, call, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer).get("result")


def record(url: str, file: pathlib.Path) -> int:
    """Writes every block with receipts and traces as one line of JSON; returns the last block's number."""
    head = int(ask(url, "eth_blockNumber", []), 16)
    with gzip.open(file, "wt", compresslevel=3) as out:
        for number in range(head + 1):
            at = hex(number)
            block = ask(url, "eth_getBlockByNumber", [at, True])
            receipts, traces = ask(url, "eth_getBlockReceipts", [at]), ask(url, "trace_block", [at])
            json.dump({"n": number, "block": block, "receipts": receipts, "traces": traces}, out)
            out.write("\n")
    return head


def encoded(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


class Recording:
    """The results of calls, by method and first parameter."""

    def __init__(self, file: pathlib.Path) -> None:
        self.results: dict[tuple[str, str], bytes] = {}
        self.logs: list[bytes] = []
        last, chain = 0, None
        with gzip.open(file, "rt") as lines:
            for line in lines:
                row = json.loads(line)
                number, block, receipts = row["n"], row["block"], row["receipts"] or []
                last = max(last, number)
                at = hex(number)
                self.results["eth_getBlockByNumber", at] = encoded(block)
                hashes = [transaction["hash"] for transaction in block["transactions"]]
                self.results["short", at] = encoded({**block, "transactions": hashes})
                self.results["eth_getBlockReceipts", at] = encoded(receipts)
                self.results["trace_block", at] = encoded(row["traces"] or [])
                for receipt in receipts:
                    self.results["eth_getTransactionReceipt", receipt["transactionHash"]] = encoded(receipt)
                self.logs.append(encoded([log for receipt in receipts for log in receipt["logs"]])[1:-1])
                chain = chain or next((sent["chainId"] for sent in block["transactions"] if sent.get("chainId")), None)
        self.results["eth_chainId", ""] = encoded(chain or "0x1")
        self.results["eth_blockNumber", ""] = encoded(hex(last))
        self.results["net_version", ""] = encoded(str(int(json.loads(self.results["eth_chainId", ""]), 16)))
        self.results["web3_clientVersion", ""] = encoded("replay")

    def answer(self, call: dict) -> bytes:
        head = b'{"jsonrpc":"2.0","id":' + encoded(call["id"]) + b","
        return head + self.result(call["method"], call.get("params", [])) + b"}"

    def result(self, method: str, params: list) -> bytes:
        if method == "eth_getLogs":
            first, last = int(params[0]["fromBlock"], 16), int(params[0]["toBlock"], 16)
            return b'"result":[' + b",".join(filter(None, self.logs[first : last + 1])) + b"]"
        key = params[0] if params and isinstance(params[0], str) else ""
        key = json.loads(self.results["eth_blockNumber", ""]) if key in ("latest", "finalized", "safe") else key
        if method == "eth_getBlockByNumber":
            method = method if params[1] else "short"
        found = self.results.get((method, key))
        return b'"result":' + found if found else b'"error":{"code":-32601,"message":"method not found"}'


class Connection(asyncio.Protocol):
    """HTTP as far as JSON-RPC needs it: posts with a length, one after the other."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data
        while (end := self.received.find(b"\r\n\r\n")) >= 0:
            lines = self.received[:end].lower().split(b"\r\n")
            length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
            if len(self.received) < end + 4 + length:
                return
            asked = json.loads(self.received[end + 4 : end + 4 + length])
            self.received = self.received[end + 4 + length :]
            many = isinstance(asked, list)
            answers = [self.recording.answer(call) for call in (asked if many else [asked])]
            body = b"[" + b",".join(answers) + b"]" if many else answers[0]
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
            self.transport.write(head + body)


async def serve(file: pathlib.Path, port: int) -> None:
    recording = Recording(file)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(recording), "127.0.0.1", port)
    print(f"Listening on {server.sockets[0].getsockname()[0]}:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


def main() -> int:
    match sys.argv[1:]:
        case ["record", url, file]:
            print(f"{record(url, pathlib.Path(file)) + 1} blocks recorded")
        case ["serve", file, *port]:
            asyncio.run(serve(pathlib.Path(file), int(port[0]) if port else 0))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
