"""What an explorer asks again and again, on a big lake: the history of an address, a transaction, the logs of a contract.

Asked for addresses, transactions and contracts of every size, from those with a handful of rows to the busiest of all; each
once per engine in turns, after a round that warms the files. DuckDB reads the same files in this process; Quarry's times are
those of a client over HTTP (see run.py). Medians over what was looked up; ratios count, seconds don't.

    make bench-peers ARGS='--lookups --transactions 10000000'
"""

import statistics

from compare import difference

# Looked up per size.
EACH = 5
# Answers with more rows are compared by how many these are.
COMPARED = 20_000
# Places among all, busiest first, as shares of how many there are.
SIZES = {"busiest": 0.0, "busy": 0.002, "middle": 0.5, "rare": 0.95}

HISTORY = """
select block_number, transaction_index, hash, from_address, to_address, value, receipt_gas_used
from transactions where from_address = {0} or to_address = {0} order by block_number, transaction_index"""
LATEST = """
select block_number, transaction_index, hash, from_address, to_address, value, receipt_gas_used
from transactions where from_address = {0} or to_address = {0} order by block_number desc, transaction_index desc limit 50"""
TOKENS = """
select block_number, log_index, transaction_hash, token_address, from_address, to_address
from token_transfers where from_address = {0} or to_address = {0} order by block_number, log_index"""
LOGS = """
select block_number, log_index, transaction_hash, topic1, topic2, topic3, data
from logs where address = {0} and topic0 = {1} order by block_number, log_index"""
LOGS_OF = """
select block_number, log_index, transaction_hash, topic1, topic2, topic3, data
from logs where address = {0} and topic0 = {1} and topic2 = {2} order by block_number, log_index"""
HASH = """
select block_number, transaction_index, from_address, to_address, value, input, receipt_status
from transactions where hash = {0}"""

# Each question with what it is asked for: a query for the keys, most rows first.
QUESTIONS = {
    "history": (HISTORY, "select from_address from transactions group by 1 order by count(*) desc, 1"),
    "latest 50": (LATEST, "select from_address from transactions group by 1 order by count(*) desc, 1"),
    "token transfers": (TOKENS, "select to_address from token_transfers group by 1 order by count(*) desc, 1"),
    "logs by topic0": (LOGS, "select address, topic0 from logs group by 1, 2 order by count(*) desc, 1, 2"),
    "logs by topics": (
        LOGS_OF,
        "select address, topic0, topic2 from logs where topic2 is not null group by 1, 2, 3 order by count(*) desc, 1, 2, 3",
    ),
    "transaction": (HASH, "select hash from transactions order by hash"),
}


def keys(duck, sql: str) -> dict[str, list[tuple]]:
    """What is looked up, by size: neighbours in the order of `sql`."""
    connection = duck.connection
    connection.execute(f"create or replace temp table keys as select *, row_number() over () as place from ({sql})")
    count = connection.execute("select count(*) from keys").fetchone()[0]
    found = {}
    for size, share in SIZES.items():
        first = min(int(count * share), max(count - EACH, 0)) + 1
        rows = connection.execute("select * from keys where place between ? and ? order by place", [first, first + EACH - 1])
        found[size] = [row[:-1] for row in rows.fetchall()]
    return found


def filled(engine: str, sql: str, key: tuple) -> str:
    """The question with its bytes as each of the two writes them."""
    literal = "from_hex('{}')" if engine == "duckdb" else "'0x{}'"
    return sql.format(*(literal.format(part.hex()) for part in key))


def measure(engines: dict, name: str, size: str, sql: str, asked: list[tuple]) -> dict:
    times: dict[str, list[float]] = {engine: [] for engine in engines}
    rows, differs = [], None
    for round_ in range(2):
        for key in asked:
            for engine, runner in engines.items():
                seconds = runner.run(filled(engine, sql, key))
                if round_ == 1:
                    times[engine].append(seconds)
            if round_ == 0:
                found = {engine: runner.count() for engine, runner in engines.items()}
                rows.append(found["duckdb"])
                if found["duckdb"] != found["quarry"]:
                    differs = f"{found['duckdb']} and {found['quarry']} rows"
                elif found["duckdb"] <= COMPARED:
                    differs = differs or difference(engines["duckdb"].rows(), engines["quarry"].rows(), 0)
    medians = {engine: statistics.median(seconds) for engine, seconds in times.items()}
    return {
        "name": f"{name}, {size}",
        "rows": statistics.median(rows),
        "seconds": medians,
        "runs": times,
        "ratio": medians["quarry"] / medians["duckdb"],
        "differs": differs,
    }


def run(engines: dict):
    """Every question for every size, one result after the other."""
    for name, (sql, of) in QUESTIONS.items():
        by_size = keys(engines["duckdb"], of)
        # Transactions by hash are all of one size.
        for size in ["middle"] if name == "transaction" else by_size:
            yield measure(engines, name, size, sql, by_size[size])
