"""Runs the queries of data/README.md that name a CSV file, and compares each with that file.

python3 tests/external/duckdb_queries.py README GAMES FOLDER

GAMES is the pattern of files that takes the place of the README's, FOLDER holds the CSV files. Only columns that the query gives are compared.
"""

import csv
import math
import re
import sys

import duckdb

PATTERN = "data/shatara-demo/gen-*/*.parquet"


def read(path, names, kinds):
    """The named columns of a CSV file, by the kinds of Python values that the query gives."""
    convert = {name: float if kind is float else int if kind is int else str for name, kind in zip(names, kinds)}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield tuple(convert[name](row[name]) if row[name] else None for name in names)


def same(one, two):
    if isinstance(one, float) and isinstance(two, float):
        # Stored in 32 bits; sums differ in their order.
        return math.isclose(one, two, rel_tol=1e-6, abs_tol=1e-7)
    return one == two


def key(row):
    return [str(value) for value in row if not isinstance(value, float) and value is not None]


def compare(query, path):
    result = duckdb.sql(query)
    names, rows = result.columns, [tuple(map(plain, row)) for row in result.fetchall()]
    kinds = [next((type(v) for v in column if v is not None), str) for column in zip(*rows)]
    found = list(read(path, names, kinds))
    if not rows or len(rows) != len(found):
        sys.exit(f"{path}: {len(found)} rows, the query gives {len(rows)}")
    for expected, row in zip(sorted(rows, key=key), sorted(found, key=key)):
        if not all(map(same, expected, row)):
            sys.exit(f"{path}: {dict(zip(names, row))}, the query gives {expected}")
    print(f"{path}: {len(rows)} rows agree in {', '.join(names)}")


def plain(value):
    """Sums of whole numbers and exact decimals as Python's own numbers."""
    return value if isinstance(value, (str, int, float, type(None))) else float(value)


def main(readme, games, folder):
    with open(readme, encoding="utf-8") as file:
        queries = re.findall(r"```sql\n-- (\w+\.csv)\n(.*?)```", file.read(), re.DOTALL)
    for name, query in queries:
        compare(query.replace(PATTERN, games), f"{folder}/{name}")
    if not queries:
        sys.exit(f"{readme}: no query names a CSV file")


main(*sys.argv[1:])
