"""Quarry beside DuckDB: the same queries over the same Parquet files, in turns, the answers compared.

DuckDB reads the files that `quarry lake files` lists, in this process. Quarry answers over HTTP, as a program asks it: one call
that runs a query and brings its first rows. A time ends when the rows are with the client (DuckDB: as an Arrow table; Quarry: the job has ended and its
first page is here; the rest of the result lies in the result store). Medians of hot runs; ratios count, seconds don't.

    make bench-peers                    # 3,000,000 sample transactions, made once under data/local
    make bench-peers ARGS='--transactions 150000 --hot 3 --only token_days'
    make bench-peers ARGS='--lookups --transactions 10000000'
"""

import argparse
import json
import math
import pathlib
import platform
import re
import statistics
import sys
import time

import duckdb

import lookups
from compare import difference
from product import REPOSITORY, Server, lake_files, sample_home

HERE = pathlib.Path(__file__).parent
TABLES = ["blocks", "transactions", "logs", "token_transfers"]
# How far apart answers may be: sketches estimate, and DataFusion interpolates a percentile in millionths.
APPROXIMATE = {"approximate_distinct": 0.05, "gas_price_by_hour": 1e-6}
# What the two call differently: `{name:argument}` in a query.
FUNCTIONS = {
    "duckdb": {"percentile95": "quantile_cont({}, 0.95)", "approx_distinct": "approx_count_distinct({})"},
    "quarry": {"percentile95": "percentile_cont({}, 0.95)", "approx_distinct": "approx_distinct({})"},
}


class DuckDb:
    def __init__(self, home: pathlib.Path, threads: int):
        self.connection = duckdb.connect(config={"threads": threads})
        # The lake's times are UTC, and so are its days.
        self.connection.execute("set timezone = 'UTC'")
        for table in TABLES:
            files = ", ".join(f"'{file}'" for file in lake_files(home, table))
            self.connection.execute(f"create view {table} as select * from read_parquet([{files}])")

    def run(self, sql: str) -> float:
        started = time.perf_counter()
        self.table = self.connection.sql(sql).to_arrow_table()
        return time.perf_counter() - started

    def count(self) -> int:
        return self.table.num_rows

    def rows(self) -> list:
        return [list(row.values()) for row in self.table.to_pylist()]


class Quarry:
    def __init__(self, server: Server):
        self.server = server
        self.runs = 0

    def run(self, sql: str) -> float:
        self.runs += 1
        started = time.perf_counter()
        # Quarry takes the stored result of an equal text; a number in a comment makes it run again.
        self.job, state = self.server.ask(f"{sql}\n-- run {self.runs}")
        if state["state"] != "SUCCEEDED":
            raise RuntimeError(f"{state['state']}: {state['message']}")
        return time.perf_counter() - started

    def count(self) -> int:
        return int(self.server.call("GET", f"/api/job/{self.job}/result?offset=0&limit=1")["total"])

    def rows(self) -> list:
        return self.server.rows(self.job)


def literals(duck: DuckDb) -> dict[str, str]:
    """Values for the look-ups, chosen from the data so that each finds something: hex digits, or a number."""

    def one(sql: str) -> object:
        return duck.connection.execute(sql).fetchall()[0][0]

    contract = "select address from logs group by 1 order by count(*) desc, 1 limit 1 offset 60"
    busy = "select {0} from {1} where {0} is not null group by 1 order by count(*) desc, 1 limit 1 offset {2}"
    return {
        "address": one(busy.format("from_address", "transactions", 200)).hex(),
        "token": one(busy.format("token_address", "token_transfers", 3)).hex(),
        "contract": one(contract).hex(),
        "topic": one(f"select topic0 from logs where address = ({contract}) group by 1 order by count(*) desc, 1 limit 1").hex(),
        "hash": one("select hash from transactions order by block_number, transaction_index limit 1 offset 70000").hex(),
        "block": str(one("select block_number from logs group by 1 order by count(*) desc, 1 limit 1")),
    }


def text_for(engine: str, sql: str, values: dict[str, str]) -> str:
    def fill(match: re.Match) -> str:
        name, argument = match.group(1), match.group(2)
        if argument is not None:
            return FUNCTIONS[engine][name].format(argument)
        value = values[name]
        if name == "block":
            return value
        return f"from_hex('{value}')" if engine == "duckdb" else f"'0x{value}'"

    return re.sub(r"\{(\w+)(?::([^}]*))?\}", fill, sql)


def measure(name: str, sql: str, engines: dict, values: dict[str, str], hot: int) -> dict:
    """Warms both up, then times them in turns."""
    texts = {engine: text_for(engine, sql, values) for engine in engines}
    answers = {}
    for engine, runner in engines.items():
        runner.run(texts[engine])
        answers[engine] = runner.rows()
    differs = difference(answers["duckdb"], answers["quarry"], APPROXIMATE.get(name, 0))
    times: dict[str, list[float]] = {engine: [] for engine in engines}
    for _ in range(hot):
        for engine, runner in engines.items():
            times[engine].append(runner.run(texts[engine]))
    medians = {engine: statistics.median(seconds) for engine, seconds in times.items()}
    return {
        "name": name,
        "rows": len(answers["duckdb"]),
        "seconds": medians,
        "runs": times,
        "ratio": medians["quarry"] / medians["duckdb"],
        "differs": differs,
    }


def queries(engines: dict, options: argparse.Namespace):
    """Every query of the folder, one result after the other."""
    values = literals(engines["duckdb"])
    for file in sorted((HERE / "queries").glob("*.sql")):
        if options.only and options.only not in file.stem:
            continue
        try:
            yield measure(file.stem, file.read_text(), engines, values, options.hot)
        except (RuntimeError, duckdb.Error) as error:
            yield {"name": file.stem, "failed": str(error)}


def report(result: dict) -> None:
    """One line of the table."""
    if "failed" in result:
        print(f"{result['name']:32} FAILED: {result['failed']}", flush=True)
        return
    seconds = result["seconds"]
    differs = f"  DIFFERS: {result['differs']}" if result["differs"] else ""
    print(
        f"{result['name']:32} {result['rows']:7} {seconds['duckdb']:9.4f} {seconds['quarry']:9.4f} {result['ratio']:6.2f}{differs}",
        flush=True,
    )


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--transactions", type=int, default=3_000_000)
    arguments.add_argument("--home", type=pathlib.Path, help="a home that exists, instead of the sample chain")
    arguments.add_argument("--hot", type=int, default=5)
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--lookups", action="store_true", help="instead: look-ups of keys of every size (lookups.py)")
    arguments.add_argument("--only", help="only the queries whose name contains this")
    arguments.add_argument("--out", type=pathlib.Path, default=REPOSITORY / "benches" / "results" / "peers.json")
    options = arguments.parse_args()

    home = options.home or sample_home(options.transactions)
    duck = DuckDb(home, options.threads)
    server = Server(home, QUARRY_THREADS=str(options.threads))
    server.settle()
    results = []
    try:
        engines = {"duckdb": duck, "quarry": Quarry(server)}
        print(f"{'query':32} {'rows':>7} {'DuckDB s':>9} {'Quarry s':>9} {'ratio':>6}")
        for result in lookups.run(engines) if options.lookups else queries(engines, options):
            report(result)
            results.append(result)
    finally:
        server.stop()

    good = [result["ratio"] for result in results if "ratio" in result and not result["differs"]]
    mean = math.exp(statistics.fmean(map(math.log, good))) if good else math.nan
    bad = len(results) - len(good)
    print(f"\ngeometric mean of Quarry / DuckDB over {len(good)} queries: {mean:.2f}; failed or different: {bad}")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(
        json.dumps(
            {
                "engines": {"duckdb": duckdb.__version__},
                "machine": {"cores": options.threads, "platform": platform.platform()},
                "home": home.name,
                "geometricMean": mean,
                "queries": results,
            },
            indent=1,
        )
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
