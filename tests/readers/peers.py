"""Runs SQL in DuckDB and PostgreSQL: reads a question per line and prints an answer per line, as JSON, until its input ends.

The answer to {"engine": "duckdb" | "postgres", "statements": [...]} is {"rows": [...]} with the rows of the last statement, or
{"error": "..."}. Cells are null, booleans, doubles, lists, and text for everything else: integers and decimals with all their
digits, bytes as 0x..., dates and times as Quarry shows them. QUARRY_TEST_POSTGRES_URL names the PostgreSQL server.
"""

import datetime
import decimal
import json
import os
import sys

import duckdb
import psycopg


class Duckdb:
    def __init__(self):
        self.connection = duckdb.connect(config={"threads": 1})

    def rows(self, statement):
        return self.connection.execute(statement).fetchall()


# PostgreSQL has these since version 18.
EXTREMES_OF_BYTES = """
create or replace function {schema}.smaller(bytea, bytea) returns bytea language sql immutable strict
  as 'select case when $1 < $2 then $1 else $2 end';
create or replace function {schema}.larger(bytea, bytea) returns bytea language sql immutable strict
  as 'select case when $1 > $2 then $1 else $2 end';
create or replace aggregate {schema}.min(bytea) (sfunc = {schema}.smaller, stype = bytea);
create or replace aggregate {schema}.max(bytea) (sfunc = {schema}.larger, stype = bytea);
"""


class Postgres:
    def __init__(self):
        self.connection = psycopg.connect(os.environ["QUARRY_TEST_POSTGRES_URL"], autocommit=True, prepare_threshold=None)
        self.connection.execute("set statement_timeout = '10s'")
        self.connection.execute("set timezone = 'UTC'")
        self.connection.execute("set jit = off")
        schema = f"peers_{os.getpid()}"
        self.connection.execute(f"create schema if not exists {schema}")
        self.connection.execute(f"set search_path = {schema}, public")
        if self.connection.info.server_version < 180000:
            self.connection.execute(EXTREMES_OF_BYTES.format(schema=schema))

    def rows(self, statement):
        cursor = self.connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def cell(value):
    if value is None or isinstance(value, (bool, float)):
        # JSON has no infinity.
        return value if value is None or value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "0x" + bytes(value).hex()
    if isinstance(value, list):
        return [cell(item) for item in value]
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S") + (f".{value.microsecond:06}" if value.microsecond else "")
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    return str(value)


def main():
    engines = {}
    makers = {"duckdb": Duckdb, "postgres": Postgres}
    for line in sys.stdin:
        question = json.loads(line)
        name = question["engine"]
        try:
            if name not in engines:
                engines[name] = makers[name]()
            engine = engines[name]
            rows = []
            for statement in question["statements"]:
                rows = engine.rows(statement)
            answer = {"rows": [[cell(value) for value in row] for row in rows]}
        except (duckdb.Error, psycopg.Error) as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


main()
