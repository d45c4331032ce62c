"""Streams results of Quarry over the PostgreSQL protocol with common clients: COPY, cursors, and bound arrays.

argv: host, port, user, password. Fails at the first wrong result; stdout: a JSON text if there is none.
"""

import asyncio
import csv
import datetime
import decimal
import io
import json
import sys
from decimal import Decimal

import adbc_driver_postgresql.dbapi
import asyncpg
import polars
import psycopg
import psycopg.copy
import sqlalchemy

host, port, user, password = sys.argv[1:]
decimal.getcontext().prec = 100
MOST, LEAST = 2**256 - 1, -(2**255)
URI = f"postgresql://{user}:{password}@{host}:{port}/quarry"

# A value of each type, and one that every format of COPY has to escape.
VALUES = f"""select true as yes, cast(-7 as smallint) as small, cast(7 as int) as int, cast(-9223372036854775807 as bigint) as big,
    cast(0.5 as real) as real, cast(1e100 as double) as double, cast('NaN' as double) as nan, date '1999-12-31' as day,
    cast('01:02:03.5' as time) as clock, timestamp '1969-12-31 23:59:59.25' as moment, cast(-1.50 as decimal(20, 2)) as decimal,
    uint256('{MOST}') as most, int256('{LEAST}') as least, 'a,b;"c"' || chr(9) || chr(10) || chr(92) || 'é' as text, '' as empty,
    '\\N' as letters, 0x{"ab" * 20} as address, [1, null] as list, null as nothing"""
TYPES = ["bool", "int2", "int4", "int8", "float4", "float8", "float8", "date", "time", "timestamp", "numeric", "numeric",
         "numeric", "text", "text", "text", "text", "json", "text"]
MANY = "select hash, block_number, value, block_timestamp from transactions order by hash limit 5000"


def connect(**options: object) -> psycopg.Connection:
    return psycopg.connect(host=host, port=port, user=user, password=password, dbname="quarry", **options)


def state(connection: psycopg.Connection, text: str) -> str:
    """The SQLSTATE and message of a statement that must fail."""
    try:
        connection.execute(text)
    except psycopg.Error as error:
        if connection.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
            connection.rollback()
        return f"{error.sqlstate} {error.diag.message_primary}"
    raise AssertionError(f"{text} was not refused")


def copied() -> None:
    with connect(autocommit=True) as connection:
        expected = connection.execute(VALUES).fetchone()
        assert expected[11:13] == (MOST, LEAST), expected
        by_column = connection.execute(VALUES, binary=True).fetchone()
        assert repr(by_column) == repr(expected), (by_column, expected)
        for form in ("text", "binary"):
            with connection.cursor().copy(f"copy ({VALUES}) to stdout (format {form})") as copy:
                copy.set_types(TYPES)
                rows = list(copy.rows())
            assert repr(rows) == repr([expected]), (form, rows, expected)
        plain = connection.cursor(row_factory=psycopg.rows.tuple_row)
        shown = [None if cell is None else str(cell) for cell in plain.execute(VALUES).fetchone()]
        with connection.cursor().copy(f"copy ({VALUES}) to stdout with (format csv, header)") as copy:
            text = b"".join(copy).decode()
        names, row = list(csv.reader(io.StringIO(text)))
        assert names == [column.name for column in plain.description], names
        assert (row[13:16], row[18], row[11]) == ([*shown[13:16]], "", str(MOST)), row
        # An empty text is quoted, a null is not.
        assert text.endswith(',"[""1"",null]",\n') and ',"",' in text, text
        # Tables, some of their columns, the catalog, and no rows at all.
        for source, count in (
            ("blocks", 'select count(*) from blocks'),
            ("ethereum.blocks (number, hash)", "select count(*) from blocks"),
            ("pg_catalog.pg_type", "select count(*) from pg_catalog.pg_type"),
            ("(select 1 from blocks where number < 0)", "select 0"),
        ):
            for form in ("text", "binary", "csv"):
                with connection.cursor().copy(f"copy {source} to stdout (format {form})") as copy:
                    data = b"".join(copy)
                if form == "text":
                    assert data.count(b"\n") == int(connection.execute(count).fetchone()[0]), source
        cursor = connection.cursor()
        with cursor.copy(f"copy ({MANY}) to stdout (format binary)") as copy:
            copy.set_types(["text", "int8", "numeric", "timestamp"])
            rows = list(copy.rows())
        assert rows == connection.execute(MANY).fetchall()
        assert cursor.rowcount == 5000, cursor.rowcount
        for text, expected in (
            ("copy blocks from stdin", "25006 COPY … FROM is not allowed: queries are read-only."),
            ("copy blocks to '/tmp/x'", "42501 COPY to a file or program"),
            ("copy blocks to program 'cat'", "42501 COPY to a file or program"),
            ("copy nothing to stdout", "42P01 "),
            ("copy (select nothing from blocks) to stdout", "42703 "),
            ("copy (delete from blocks) to stdout", "42601 "),
            ("copy blocks to stdout (format xml)", "22023 "),
        ):
            assert state(connection, text).startswith(expected), (text, state(connection, text))
        # The connection still works after each error.
        assert connection.execute("select 7").fetchone() == (7,)


def fetched() -> None:
    with connect() as connection:
        expected = connection.execute(MANY).fetchall()
        for binary in (False, True):
            with connection.cursor(name="many", binary=binary) as cursor:
                cursor.itersize = 700
                cursor.execute(MANY)
                assert cursor.description[1].name == "block_number"
                assert list(cursor) == expected
        # Several cursors at once, with bound values and independent positions.
        with connection.cursor(name="A b") as one, connection.cursor(name="c", scrollable=True) as other:
            one.execute("select number from blocks where number >= %s order by number", (10,))
            other.execute("select number from blocks where number = any(%s) order by 1", ([1, 2, 3, 4],))
            assert (one.fetchone(), other.fetchmany(2), one.fetchone()) == ((10,), [(1,), (2,)], (11,))
            other.scroll(-1)
            assert other.fetchall() == [(2,), (3,), (4,)]
            other.scroll(1, mode="absolute")
            assert (other.fetchone(), other.fetchone()) == ((2,), (3,))
        ask = connection.execute
        ask("declare c no scroll cursor for select number from blocks order by number limit 3")
        assert ask("fetch forward 2 from c").fetchall() == [(0,), (1,)]
        assert ask("move all in c").statusmessage == "MOVE 1"
        assert ask("fetch c").fetchall() == []
        assert state(connection, "fetch prior from c").startswith("55000 ")
        # The failed transaction closed its cursors.
        assert state(connection, "fetch c").startswith("34000 ")
        ask("declare c scroll cursor for select number from blocks order by number limit 3")
        assert state(connection, "declare c cursor for select 1").startswith("42P03 ")
        ask("declare d binary cursor for select cast(258 as int)")
        assert ask("fetch all from d").fetchall() == [(258,)]
        ask("declare c scroll cursor for select number from blocks order by number limit 3")
        assert ask("fetch last in c").fetchall() == [(2,)]
        assert ask("fetch backward all in c").fetchall() == [(1,), (0,)]
        assert ask("fetch absolute 2 c").fetchall() == [(1,)]
        ask("close c")
        assert state(connection, "close c").startswith("34000 ")
        ask("declare c cursor for select 1")
        ask("close all")
        assert state(connection, "fetch c").startswith("34000 ")
        # A cursor WITH HOLD outlives its transaction only if that commits.
        ask("declare kept cursor with hold for select number from blocks order by number limit 3")
        ask("declare gone cursor for select 1")
        connection.commit()
        assert ask("fetch 2 from kept").fetchall() == [(0,), (1,)]
        assert state(connection, "fetch gone").startswith("34000 ")
        assert ask("fetch all from kept").fetchall() == [(2,)]
        ask("declare undone cursor with hold for select 1")
        connection.rollback()
        assert state(connection, "fetch undone").startswith("34000 ")
        # Rolling back to a savepoint recovers from an error.
        ask("savepoint s")
        try:
            ask("select nothing")
        except psycopg.Error:
            ask("rollback to savepoint s")
        assert ask("select 1").fetchone() == (1,)
    with connect(autocommit=True) as connection:
        assert state(connection, "declare c cursor for select 1").startswith("25P01 ")
        # Several statements of one simple query form an implicit transaction.
        several = connection.execute("declare c cursor for select 5; fetch all from c")
        assert several.nextset() and several.fetchall() == [(5,)]
        assert state(connection, "fetch c").startswith("34000 ")
        tableau = connection.execute('begin; declare "SQL_CUR0x1" cursor with hold for select 1 as "COL"; fetch 2048 in "SQL_CUR0x1"')
        assert tableau.nextset() and tableau.nextset() and tableau.fetchall() == [(1,)]
        connection.execute('close "SQL_CUR0x1"; commit')


def streamed() -> None:
    engine = sqlalchemy.create_engine(sqlalchemy.URL.create("postgresql+psycopg", user, password, host, int(port), "quarry"))
    with engine.connect() as connection:
        expected = connection.execute(sqlalchemy.text(MANY)).fetchall()
        streamed = connection.execution_options(stream_results=True, max_row_buffer=300).execute(sqlalchemy.text(MANY))
        assert streamed.fetchall() == expected
        parts = connection.execution_options(yield_per=1200).execute(sqlalchemy.text(MANY)).partitions(1200)
        sizes = [len(part) for part in parts]
        assert sizes == [1200, 1200, 1200, 1200, 200], sizes


def frames() -> None:
    query = "select number, hash, gas_used, timestamp from ethereum.blocks order by number limit 300"
    with connect() as connection:
        expected = connection.execute(query).fetchall()
    for engine in ("connectorx", "adbc"):
        frame = polars.read_database_uri(query, URI, engine=engine)
        assert frame.rows() == expected, (engine, frame.rows()[:2], expected[:2])
    with adbc_driver_postgresql.dbapi.connect(URI) as connection:
        with connection.cursor() as cursor:
            cursor.execute(query)
            assert cursor.fetch_arrow_table().to_pylist()[0]["hash"] == expected[0][1]
            cursor.execute("select number from blocks where number = any($1) order by 1", parameters=[[1, 2, 2]])
            assert cursor.fetchall() == [(1,), (2,)]
            cursor.execute(f"select uint256('{MOST}') as most, cast(1.5 as double) as half")
            assert cursor.fetchall() == [(str(MOST), 1.5)]
        schema = connection.adbc_get_table_schema("blocks", db_schema_filter="ethereum")
        assert {"number", "hash"} <= set(schema.names), schema
        found = connection.adbc_get_objects(depth="tables").read_all().to_pylist()
        schemas = {schema["db_schema_name"]: schema["db_schema_tables"] for schema in found[0]["catalog_db_schemas"]}
        assert "blocks" in {table["table_name"] for table in schemas["ethereum"]}, found


async def lists() -> None:
    connection = await asyncpg.connect(host=host, port=int(port), user=user, password=password, database="quarry")
    number, digest, moment = await connection.fetchrow("select number, hash, timestamp from blocks where number = 3")
    day, span = datetime.date(2024, 1, 31), datetime.timedelta(days=1, seconds=5)
    for text, values, expected in (
        ("select number from blocks where number = any($1) order by 1", ([1, 2, None],), [1, 2]),
        ("select number from blocks where number = any($1::bigint[]) order by 1", ([1, 2, None],), [1, 2]),
        ("select number from blocks where number = any($1::int[])", ([1],), [1]),
        ("select number from blocks where number <> all($1) order by 1 limit 2", ([0, 1],), [2, 3]),
        ("select number from blocks where number = any($1)", ([],), []),
        ("select number from blocks where number = any($1)", (None,), []),
        ("select number from blocks where number = any($1::bigint[])", (None,), []),
        ("select count(*) from blocks where number <> all($1) and number < 9", ([],), [9]),
        ("select number from blocks where hash = any($1)", ([digest],), [number]),
        ("select number from blocks where hash = any($1::text[])", ([digest.upper().replace("X", "x")],), [number]),
        ("select number from blocks where hash in (select unnest($1::text[]))", ([digest],), [number]),
        ("select number from blocks where hash = any($1::bytea[])", ([bytes.fromhex(digest[2:])],), [number]),
        ("select number from blocks where timestamp = any($1)", ([moment],), [number]),
        ("select number from blocks where timestamp = any($1::timestamp[])", ([moment],), [number]),
        ("select number from blocks join unnest($1::bigint[]) as t(x) on x = number order by 1", ([5, 3],), [3, 5]),
        ("select x from unnest($1::bigint[]) as t(x)", ([3, None, 5],), [3, None, 5]),
        ("select unnest($1::text[]) as x", (["a", "b,c", '"q"\\', "", None],), ["a", "b,c", '"q"\\', "", None]),
        ("select cardinality($1::bigint[])", ([3, 5],), [2]),
        ("select $1::numeric = any($2::numeric[])", (Decimal(MOST), [Decimal(1), Decimal(MOST)]), [True]),
        ("select $1::numeric", (Decimal(MOST),), [Decimal(MOST)]),
        ("select true = any($1::bool[])", ([None, True],), [True]),
        ("select date '2024-01-31' = any($1::date[])", ([day],), [True]),
        ("select cast(1.5 as double) = any($1::float8[])", ([1.5, float("nan")],), [True]),
        ("select interval '1 day 5 seconds' = any($1::interval[])", ([span],), [True]),
        ("select 'b' = any($1)", (["a", "b"],), [True]),
        ("select array_position($1::text[], 'b')", (["a", "b"],), [2]),
        ("select count(*) from pg_catalog.pg_class where relkind = any($1::text[])", (["r"],), None),
    ):
        try:
            found = [row[0] for row in await connection.fetch(text, *values)]
        except Exception as error:
            raise AssertionError(f"{text} with {values}: {error!r}") from error
        assert expected is None or found == expected, (text, values, found)
    two = await connection.fetch("select * from unnest($1::bigint[], $2::text[]) as t(a, b)", [1, 2], ["x", "y"])
    assert [tuple(row) for row in two] == [(1, "x"), (2, "y")], two
    prepared = await connection.prepare("select 1 from blocks where number = any($1) and hash = any($2) and timestamp < $3")
    assert [parameter.name for parameter in prepared.get_parameters()] == ["int8[]", "text[]", "timestamp"]
    for nested in ([[1], [2]],):
        try:
            await connection.fetch("select 1 from blocks where number = any($1)", nested)
            raise AssertionError("a list of lists was taken")
        except asyncpg.FeatureNotSupportedError as error:
            assert "list of lists" in str(error), error
    # Several portals with a row limit, one of them moved by SQL before its first row.
    async with connection.transaction():
        numbers = [row["number"] async for row in connection.cursor("select number from blocks order by 1 limit 120", prefetch=50)]
        assert numbers == list(range(120)), numbers
        one = await connection.cursor("select number from blocks where number >= $1 order by 1", 10)
        other = await connection.cursor("select number from blocks order by 1 limit 3")
        await one.forward(2)
        assert [row[0] for row in await one.fetch(2)] == [12, 13]
        assert [row[0] for row in await other.fetch(5)] == [0, 1, 2]
        assert await other.fetchrow() is None
    out = io.BytesIO()
    tag = await connection.copy_from_query("select number, hash from blocks where number = $1", 3, output=out, format="csv")
    assert (tag, out.getvalue().decode()) == ("COPY 1", f"3,{digest}\n"), out.getvalue()
    out = io.BytesIO()
    assert await connection.copy_from_table("blocks", schema_name="ethereum", columns=["number"], output=out) != "COPY 0"
    await connection.close()


copied()
fetched()
streamed()
frames()
asyncio.run(lists())
json.dump("ok", sys.stdout)
