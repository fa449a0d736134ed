"""Spark: its JDBC source, read in ranges of the id, written to Parquet: it has no writer for DuckDB, and none that merges."""

import os
import sys

MODES = {"whole": "JDBC in ranges of id, to Parquet (it cannot write DuckDB, nor merge)"}
FETCHED_AT_ONCE = 10_000


def copy(file):
    from pyspark.sql import SparkSession

    env = os.environ
    target = os.path.join(os.path.dirname(file), "orders.parquet")
    spark = (
        SparkSession.builder.master("local[*]")
        .config("spark.jars", os.path.join(sys.prefix, "postgresql.jar"))
        .config("spark.driver.memory", "2g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    (
        spark.read.format("jdbc")
        .option("url", f"jdbc:postgresql://{env['PGHOST']}:{env['PGPORT']}/{env['PGDATABASE']}")
        .option("driver", "org.postgresql.Driver")
        .option("user", env["PGUSER"])
        .option("password", env["PGPASSWORD"])
        .option("dbtable", "orders")
        .option("fetchsize", FETCHED_AT_ONCE)
        .option("partitionColumn", "id")
        .option("lowerBound", 1)
        .option("upperBound", env["BENCH_ROWS"])
        .option("numPartitions", os.cpu_count())
        .load()
        .write.parquet(target)
    )
    spark.stop()
    print(f"read_parquet('{target}/*.parquet')")


if sys.argv[1] == "modes":
    for mode, what in MODES.items():
        print(mode, what)
else:
    copy(sys.argv[2])
