"""DuckDB's own postgres extension: one INSERT ... SELECT, which reads ranges of pages with several connections."""

import os
import pathlib
import shutil
import sys

# The module would else be this file.
sys.path.pop(0)

import duckdb  # noqa: E402
import duckdb_extension_postgres  # noqa: E402

MODES = {
    "whole": "CREATE TABLE AS SELECT",
    "merge": "INSERT OR REPLACE into a keyed table",
}
COLUMNS = """id BIGINT PRIMARY KEY, customer_id BIGINT, status VARCHAR, amount DOUBLE, price DECIMAL(12, 2), note VARCHAR,
created_at TIMESTAMPTZ, updated_at TIMESTAMP, paid BOOLEAN"""


def copy(mode, file):
    # DuckDB looks for an entry point that is named after the file, and it was built under this name.
    extension = os.path.join(os.path.dirname(file), "postgres_scanner.duckdb_extension")
    shutil.copy(next(pathlib.Path(duckdb_extension_postgres.__path__[0]).rglob("*.duckdb_extension")), extension)
    connection = duckdb.connect(file)
    connection.execute(f"LOAD '{extension}'")
    connection.execute("ATTACH '' AS pg (TYPE postgres, READ_ONLY)")
    if mode == "whole":
        connection.execute("CREATE TABLE orders AS SELECT * FROM pg.public.orders")
    else:
        connection.execute(f"CREATE TABLE orders ({COLUMNS})")
        connection.execute("INSERT OR REPLACE INTO orders SELECT * FROM pg.public.orders")
    connection.close()
    print("orders")


if sys.argv[1] == "modes":
    for mode, what in MODES.items():
        print(mode, what)
else:
    copy(sys.argv[1], sys.argv[2])
