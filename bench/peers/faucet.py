"""faucet: a pipeline from its Postgres source to its DuckDB sink, which only appends and has no incremental mode."""

import json
import os
import subprocess
import sys

MODES = {"whole": "append (it cannot merge)"}
ROWS_AT_ONCE = 10_000


def copy(file):
    env = os.environ
    source = f"postgres://{env['PGUSER']}:{env['PGPASSWORD']}@{env['PGHOST']}:{env['PGPORT']}/{env['PGDATABASE']}"
    pipeline = {
        "source": {
            "type": "postgres",
            "config": {"connection_url": source, "query": "SELECT * FROM orders", "batch_size": ROWS_AT_ONCE},
        },
        "sink": {
            "type": "duckdb",
            "config": {
                "database": file, "table_name": "orders", "column_mapping": "auto_map", "batch_size": ROWS_AT_ONCE,
            },
        },
    }
    # JSON is YAML.
    config = os.path.join(os.path.dirname(file), "pipeline.yaml")
    with open(config, "w") as out:
        json.dump({"version": 1, "name": "orders", "pipeline": pipeline}, out)
    program = os.path.join(os.path.dirname(sys.executable), "faucet")
    subprocess.run([program, "run", config], check=True, stdout=sys.stderr)
    print("orders")


if sys.argv[1] == "modes":
    for mode, what in MODES.items():
        print(mode, what)
else:
    copy(sys.argv[2])
