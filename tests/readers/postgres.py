"""Asks Quarry over the PostgreSQL protocol with psycopg, the way a program does: prepared, with bound values, in binary.

argv: host, port, user, password. stdout: a JSON object of what was found.
"""

import asyncio
import datetime
import json
import sys
from decimal import Decimal

import asyncpg
import psycopg
import sqlalchemy

host, port, user, password = sys.argv[1:]
found: dict[str, object] = {}


def connect(**options: object) -> psycopg.Connection:
    return psycopg.connect(host=host, port=port, user=user, password=password, dbname="quarry", **options)


with connect() as connection:
    numbers = "select number, timestamp, miner, 2::int as two, true as yes from blocks where number < %s order by number limit %s"
    for binary in (False, True):
        cursor = connection.cursor(binary=binary)
        rows = cursor.execute(numbers, (10, 3)).fetchall()
        found[f"rows_{str(binary).lower()}"] = [[str(cell) for cell in row] for row in rows]
        most = cursor.execute("select uint256(%s) as n, cast(1.50 as decimal(20, 2)) as d, null as x", (str(2**256 - 1),)).fetchone()
        assert most == (Decimal(2**256 - 1), Decimal("1.50"), None), most
        miner = rows[0][2]
        count = cursor.execute("select count(*) from blocks where miner = %s", (miner,)).fetchone()
        found[f"mined_{str(binary).lower()}"] = count[0]
        # Values keep the types they are bound with: fractions divide, times are no texts.
        def one(text: str, *values: object) -> object:
            return cursor.execute(text, values).fetchone()[0]

        assert one("select %s / 4", 1.0) == 0.25
        assert one("select %s / 4", Decimal(1)) == Decimal("0.25")
        assert one("select %s", 1e100) == 1e100
        day, noon = datetime.date(2024, 1, 31), datetime.datetime(2024, 1, 31, 12)
        assert one("select %s < %s", day, noon) is True
        offset = datetime.timezone(datetime.timedelta(hours=2))
        assert one("select %s", noon.replace(tzinfo=offset)) == noon - datetime.timedelta(hours=2)
        assert one("select count(*) from blocks where cast(0.5 as double) = any(%s)", [0.5, float("nan")]) > 0
        assert one("select %s + interval '1' day", noon) == noon + datetime.timedelta(days=1)
        assert one("select %s + %s", noon, datetime.timedelta(days=1, seconds=5)) == noon + datetime.timedelta(days=1, seconds=5)
        assert one("select count(*) from blocks where number = any(%s)", [1, 2, 2]) == 2
        assert int(one("select count(*) from pg_catalog.pg_class where relkind = any(%s)", ["r", "p"])) > 0
        # A text stands for a number where only one can stand.
        assert one("select number from blocks order by number limit %s offset %s", "1", "2") == 2
        assert one("select substr('abc', %s)", "2") == "bc"
        assert one("select %s", "2") == "2"
    # JDBC leaves the types of dates and times open and writes a zone behind them, which only types with a zone look at.
    last = connection.execute("select max(timestamp) from blocks").fetchone()[0]
    time, day, hour = f"{last}+08", f"{last.date()} +05:30", datetime.timedelta(hours=1)
    same_day = connection.execute("select count(*) from blocks where timestamp::date = %s", (last.date(),)).fetchone()[0]
    for text, value, expected in (
        ("select count(*) from blocks where timestamp = %s", time, 1),
        ("select count(*) from blocks where timestamp >= %s", day, same_day),
        ("select count(*) from blocks where date_trunc('second', timestamp) = %s", time, 1),
        ("select count(*) from blocks where timestamp::date = %s", day, same_day),
        ("select count(*) from blocks where timestamp::date = %s", time, same_day),
        ("select %s::timestamp", time, last),
        ("select %s::timestamptz", time, last - 8 * hour),
        ("select %s::date", day, last.date()),
        ("select %s - interval '1' hour", time, last - hour),
        ("select %s", time, time),
    ):
        found_there = connection.execute(text, (value,)).fetchone()[0]
        assert found_there == expected, (text, value, found_there, expected)
    # A cursor's rows come a page at a time.
    cursor = connection.execute("select hash from transactions order by hash limit 2500")
    found["all"] = len(cursor.fetchall())
    try:
        connection.execute("select number,\n  nothing from blocks")
    except psycopg.errors.UndefinedColumn as error:
        found["position"] = int(error.diag.statement_position)
    # The failed transaction has to be ended first.
    try:
        connection.execute("select 1")
    except psycopg.errors.InFailedSqlTransaction:
        connection.rollback()
    try:
        connection.execute("delete from blocks")
    except psycopg.errors.ReadOnlySqlTransaction:
        connection.rollback()
        found["reads_only"] = True
    # So is what only the engine sees to write, and what PostgreSQL has and Quarry has not.
    for write in ("with d as (delete from blocks returning 1) select * from d", "select number into x from blocks",
                  "create temp table x (n int)", "refresh materialized view x", "select 1 from blocks for update"):
        try:
            connection.execute(write)
        except psycopg.errors.ReadOnlySqlTransaction as error:
            assert "Tables of your own are made on the web" in str(error), error
            connection.rollback()
        else:
            raise AssertionError(f"{write} was not refused")
    connection.execute("set statement_timeout = '50ms'")
    endless = "select count(*) from transactions a, transactions b, transactions c where a.value + b.value > c.value"
    try:
        connection.execute(endless)
    except psycopg.errors.QueryCanceled:
        connection.rollback()
        found["canceled"] = connection.execute("show statement_timeout").fetchone()[0]
    connection.execute("reset statement_timeout")
    now, local, clock, here = connection.execute("select now(), localtimestamp, current_time, localtime").fetchone()
    assert now == local and clock == here == now.time(), (now, local, clock, here)
    found["columns"] = [row[0] for row in connection.execute(
        "select column_name from information_schema.columns where table_schema = %s and table_name = %s order by ordinal_position limit 3",
        ("ethereum", "blocks"),
    )]

# What Superset and other programs in Python learn of a table.
url = sqlalchemy.URL.create("postgresql+psycopg", user, password, host, int(port), "quarry")
engine = sqlalchemy.create_engine(url)
inspector = sqlalchemy.inspect(engine)
assert {"blocks", "logs"} <= set(inspector.get_table_names(schema="ethereum"))
assert inspector.has_table("blocks", schema="ethereum") and not inspector.has_table("blocs", schema="ethereum")
columns = inspector.get_columns("blocks", schema="ethereum")
found["described"] = [[column["name"], str(column["type"]), column["nullable"]] for column in columns]
assert inspector.get_table_comment("blocks", schema="ethereum")["text"]
assert inspector.get_pk_constraint("blocks", schema="ethereum")["constrained_columns"] == []
for nothing in (inspector.get_foreign_keys, inspector.get_indexes, inspector.get_unique_constraints, inspector.get_check_constraints):
    assert nothing("blocks", schema="ethereum") == [], nothing
blocks = sqlalchemy.Table("blocks", sqlalchemy.MetaData(), schema="ethereum", autoload_with=engine)
with engine.connect() as connection:
    few = sqlalchemy.select(blocks.c.number).where(blocks.c.number < 5).order_by(blocks.c.number.desc()).limit(2)
    found["selected"] = connection.execute(few).scalars().all()

async def typed_by_columns() -> list:
    """This client asks for the types of its values before it binds them."""
    connection = await asyncpg.connect(host=host, port=int(port), user=user, password=password, database="quarry")
    text = "select number from blocks where number between $1 and $2 and timestamp < $3 and hash <> $4 order by 1"
    rows = await connection.fetch(text, 3, 5, datetime.datetime(2100, 1, 1), "0x" + "00" * 32)
    await connection.close()
    return [row["number"] for row in rows]


found["typed"] = asyncio.run(typed_by_columns())

json.dump(found, sys.stdout)
