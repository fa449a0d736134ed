"""dlt: its sql_table source, as its page on performance advises for large tables."""

import os
import sys

sys.path.pop(0)

MODES = {
    "whole": "pyarrow backend, replace",
    "connectorx": "connectorx backend, replace",
    "merge": "pyarrow backend, incremental by id, merge on id",
}
ROWS_AT_ONCE = 100_000


def copy(mode, file):
    folder = os.path.dirname(file)
    os.environ.update({
        "RUNTIME__DLTHUB_TELEMETRY": "false",
        "DLT_DATA_DIR": folder,
        "EXTRACT__WORKERS": str(os.cpu_count()),
        "NORMALIZE__WORKERS": str(os.cpu_count()),
        "LOAD__WORKERS": str(os.cpu_count()),
        "NORMALIZE__DATA_WRITER__DISABLE_COMPRESSION": "true",
        "DATA_WRITER__BUFFER_MAX_ITEMS": str(ROWS_AT_ONCE),
        "DATA_WRITER__FILE_MAX_ITEMS": str(10 * ROWS_AT_ONCE),
    })

    import dlt
    from dlt.sources.sql_database import sql_table

    env = os.environ
    source = (
        f"postgresql+psycopg2://{env['PGUSER']}:{env['PGPASSWORD']}@{env['PGHOST']}:{env['PGPORT']}/{env['PGDATABASE']}"
    )
    table = sql_table(
        credentials=source,
        table="orders",
        schema="public",
        backend="connectorx" if mode == "connectorx" else "pyarrow",
        chunk_size=ROWS_AT_ONCE,
        reflection_level="full_with_precision",
        incremental=dlt.sources.incremental("id", row_order="asc") if mode == "merge" else None,
        primary_key="id",
        write_disposition={"disposition": "merge", "strategy": "upsert"} if mode == "merge" else "replace",
    )
    pipeline = dlt.pipeline(
        "orders", pipelines_dir=folder, destination=dlt.destinations.duckdb(file), dataset_name="loaded"
    )
    pipeline.run(table).raise_on_failed_jobs()
    print("loaded.orders")


if sys.argv[1] == "modes":
    for mode, what in MODES.items():
        print(mode, what)
else:
    copy(sys.argv[1], sys.argv[2])
