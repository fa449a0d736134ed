"""sling: its command, with bulk transfer as it is by default. It writes DuckDB through DuckDB's own command line."""

import os
import pathlib
import subprocess
import sys

sys.path.pop(0)

import duckdb_cli  # noqa: E402
import sling_linux_amd64  # noqa: E402

MODES = {
    "whole": "full-refresh",
    "merge": "incremental by id, merge on id",
}


def copy(mode, file):
    env = os.environ
    program = next((pathlib.Path(sling_linux_amd64.__path__[0]) / "bin").glob("sling*"))
    program.chmod(0o755)
    source = (
        f"postgresql://{env['PGUSER']}:{env['PGPASSWORD']}@{env['PGHOST']}:{env['PGPORT']}/{env['PGDATABASE']}"
        "?sslmode=disable"
    )
    command = [str(program), "run", "--src-stream", "public.orders", "--tgt-object", "main.orders"]
    if mode == "merge":
        command += ["--mode", "incremental", "--primary-key", "id", "--update-key", "id"]
    else:
        command += ["--mode", "full-refresh"]
    settings = {
        "SLING_SOURCE": source,
        "SLING_TARGET": f"duckdb://{file}",
        # Where DuckDB looks for its extensions, and sling for DuckDB: both download them otherwise.
        "HOME": sys.prefix,
        "DUCKDB_PATH": os.path.join(duckdb_cli.__path__[0], "duckdb"),
        "SLING_DISABLE_TELEMETRY": "true",
    }
    command += ["--src-conn", "SLING_SOURCE", "--tgt-conn", "SLING_TARGET"]
    subprocess.run(command, check=True, stdout=sys.stderr, env={**env, **settings})
    print("main.orders")


if sys.argv[1] == "modes":
    for mode, what in MODES.items():
        print(mode, what)
else:
    copy(sys.argv[1], sys.argv[2])
