"""Reads whole Parquet files with one reader and prints facts about each column that do not depend on the reader's types.

stdin: {"reader": one of READERS, "tables": {table: [path]}}; stdout: {table: {column: facts}}. The facts do not depend on the order
of rows. Fields of structs are named `column.field`, items of lists `column[]`.
"""

import json
import sys
from decimal import Decimal

import numpy
import pyarrow
import pyarrow.compute as compute

EXACT = pyarrow.decimal128(38, 0)


def arrow(files: list[str]) -> pyarrow.Table:
    """The reference: Arrow files that Quarry exported."""
    return pyarrow.concat_tables(pyarrow.ipc.open_file(file).read_all() for file in files)


def from_pyarrow(files: list[str]) -> pyarrow.Table:
    import pyarrow.parquet

    return pyarrow.concat_tables(pyarrow.parquet.read_table(file) for file in files)


def from_pandas(files: list[str]) -> pyarrow.Table:
    import pandas

    # Concatenated as data frames, integers with nulls would become floats.
    return pyarrow.concat_tables(
        pyarrow.Table.from_pandas(pandas.read_parquet(file), preserve_index=False) for file in files
    )


def from_polars(files: list[str]) -> pyarrow.Table:
    import polars

    return polars.read_parquet(files).to_arrow()


def from_duckdb(files: list[str]) -> pyarrow.Table:
    import duckdb

    found = duckdb.connect().execute("set timezone = 'UTC'; select * from read_parquet($1)", [files])
    return found.to_arrow_table()


def from_chdb(files: list[str]) -> pyarrow.Table:
    import chdb

    parts = [chdb.query(f"select * from file('{file}', Parquet)", "ArrowTable") for file in files]
    return pyarrow.concat_tables(parts)


READERS = {
    "quarry": arrow,
    "pyarrow": from_pyarrow,
    "pandas": from_pandas,
    "polars": from_polars,
    "duckdb": from_duckdb,
    "clickhouse": from_chdb,
}


def add_facts(facts: dict[str, list[str]], name: str, column: pyarrow.Array) -> None:
    """Adds the count of a column's values, and checksums of them."""
    of = column.type
    if pyarrow.types.is_dictionary(of):
        add_facts(facts, name, column.dictionary_decode())
    elif column.null_count == len(column) and not pyarrow.types.is_nested(of):
        # pandas loses the type of a column without values.
        facts[name] = ["no values"]
    elif is_bytes(of):
        column = column.cast(pyarrow.large_binary()).drop_null()
        facts[name] = ["bytes", str(len(column)), *sums_of_bytes(column)]
    elif pyarrow.types.is_list(of) or pyarrow.types.is_large_list(of):
        # ClickHouse reads null lists as empty lists.
        lengths = compute.list_value_length(column)
        facts[name] = ["lists", str(compute.sum(compute.greater(lengths, 0)).as_py() or 0)]
        add_facts(facts, f"{name}[]", column.flatten())
    elif pyarrow.types.is_struct(of):
        facts[name] = ["rows", str(len(column) - column.null_count)]
        for field, values in zip(of, column.flatten()):
            add_facts(facts, f"{name}.{field.name}", values)
    else:
        column = column.drop_null()
        facts[name] = ["numbers", str(len(column)), sum_of_numbers(column)]


def is_bytes(of: pyarrow.DataType) -> bool:
    kinds = pyarrow.types
    binary = kinds.is_binary(of) or kinds.is_large_binary(of) or kinds.is_binary_view(of) or kinds.is_fixed_size_binary(of)
    return binary or kinds.is_string(of) or kinds.is_large_string(of) or kinds.is_string_view(of)


def sums_of_bytes(column: pyarrow.LargeBinaryArray) -> list[str]:
    """The sum of the lengths, and the sum of the bytes, each weighted by its position in its value."""
    offsets = numpy.frombuffer(column.buffers()[1], dtype=numpy.int64)[column.offset : column.offset + len(column) + 1]
    content = numpy.frombuffer(column.buffers()[2] or b"", dtype=numpy.uint8)[offsets[0] : offsets[-1]]
    lengths = numpy.diff(offsets)
    places = numpy.arange(len(content)) - numpy.repeat(offsets[:-1] - offsets[0], lengths)
    return [str(lengths.sum()), str(numpy.dot(content.astype(numpy.int64), places + 1))]


def sum_of_numbers(column: pyarrow.Array) -> str:
    if pyarrow.types.is_timestamp(column.type):
        column = column.cast(pyarrow.timestamp("us", column.type.tz)).cast(pyarrow.int64())
    elif pyarrow.types.is_date(column.type):
        column = column.cast(pyarrow.int32())
    elif pyarrow.types.is_boolean(column.type):
        column = column.cast(pyarrow.int8())
    total = compute.sum(column.cast(EXACT)).as_py()
    return str(total or Decimal(0))


def main() -> None:
    question = json.load(sys.stdin)
    read = READERS[question["reader"]]
    found: dict[str, dict[str, list[str]]] = {}
    for name, files in question["tables"].items():
        found[name] = {}
        table = read(files)
        for field, column in zip(table.schema, table.columns):
            add_facts(found[name], field.name, column.combine_chunks())
    json.dump(found, sys.stdout)


main()
