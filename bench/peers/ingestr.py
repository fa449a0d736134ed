"""ingestr: its command, with the settings its documentation names for large tables."""

import os
import subprocess
import sys

MODES = {
    "whole": "replace",
    "merge": "incremental by id, merge on id",
}


def copy(mode, file):
    env = os.environ
    source = (
        f"postgresql://{env['PGUSER']}:{env['PGPASSWORD']}@{env['PGHOST']}:{env['PGPORT']}/{env['PGDATABASE']}"
        "?sslmode=disable"
    )
    command = [
        os.path.join(os.path.dirname(sys.executable), "ingestr"), "ingest", "--yes", "--progress", "log",
        "--source-uri", source, "--source-table", "public.orders",
        "--dest-uri", f"duckdb:///{file}", "--dest-table", "main.orders",
        "--primary-key", "id", "--sql-backend", "pyarrow", "--page-size", "100000", "--pipelines-dir", os.path.dirname(file),
    ]
    if mode == "merge":
        command += ["--incremental-strategy", "merge", "--incremental-key", "id"]
    else:
        command += ["--incremental-strategy", "replace"]
    # Without these it waits a minute for an answer where there is no internet.
    quiet = {"DISABLE_TELEMETRY": "1", "RUNTIME__DLTHUB_TELEMETRY": "false"}
    subprocess.run(command, check=True, stdout=sys.stderr, env={**env, **quiet})
    print("main.orders")


if sys.argv[1] == "modes":
    for mode, what in MODES.items():
        print(mode, what)
else:
    copy(sys.argv[1], sys.argv[2])
