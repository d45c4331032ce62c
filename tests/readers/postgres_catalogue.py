"""Runs the catalog queries of common products with the simple and the extended protocol.

argv: host, port, user, password. stdout: a JSON object with the rows of each query, or its error.
"""

import json
import sys

import psycopg
from catalogue_questions import QUESTIONS

host, port, user, password = sys.argv[1:]
simple, extended = (
    psycopg.connect(host=host, port=port, user=user, password=password, dbname="quarry", autocommit=True) for _ in range(2)
)


def answer(cursor: psycopg.Cursor) -> list | str:
    """The rows of the last statement that returned any, else its command tag."""
    rows: list | str = cursor.statusmessage or ""
    while True:
        if cursor.description is not None:
            rows = [[None if cell is None else str(cell) for cell in row] for row in cursor.fetchall()]
        if not cursor.nextset():
            return rows


found: dict[str, object] = {}
for name, text in QUESTIONS:
    try:
        found[name] = answer(simple.execute(text.encode()))
    except psycopg.Error as error:
        found[name] = f"{error.sqlstate} {error.diag.message_primary}"
    if simple.info.transaction_status != psycopg.pq.TransactionStatus.IDLE and not name.endswith(":begin"):
        simple.rollback()
    # The same with the extended protocol: described before it runs, with binary values.
    if ";" not in text and not isinstance(found[name], str):
        again = extended.execute(text.replace("%", "%%").encode(), (), prepare=True, binary=True).fetchall()
        if len(again) != len(found[name]):
            raise AssertionError(f"{name}: {len(again)} rows, {len(found[name])} by the simple protocol")

json.dump(found, sys.stdout)
