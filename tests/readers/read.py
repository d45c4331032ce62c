"""Reads Parquet files with DuckDB or Polars and prints the values of SQL expressions over all their rows.

stdin: {"reader": "duckdb" | "polars", "files": [path], "expressions": [text]}; stdout: a JSON list of texts.
"""

import json
import sys


def duckdb_row(files: list[str], expressions: list[str]) -> tuple:
    import duckdb

    return duckdb.connect().execute(f"select {', '.join(expressions)} from read_parquet($1)", [files]).fetchone()


def polars_row(files: list[str], expressions: list[str]) -> tuple:
    import polars

    frame = polars.scan_parquet(files)
    return frame.sql(f"select {', '.join(expressions)} from self").collect().row(0)


def text(value: object) -> str:
    return f"0x{value.hex()}" if isinstance(value, bytes) else str(value)


def main() -> None:
    question = json.load(sys.stdin)
    row = {"duckdb": duckdb_row, "polars": polars_row}[question["reader"]](question["files"], question["expressions"])
    json.dump([text(value) for value in row], sys.stdout)


main()
