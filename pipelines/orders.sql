-- Reads the entity orders of the connection pg, a slice a pass, and writes the table orders of lake.
-- The SELECT is DuckDB SQL: name columns, cast, filter. docs/graphs.md shows several sinks, and steps between them.
INSERT INTO {{ sink('lake', 'orders') }}
SELECT * FROM {{ source('pg', 'orders') }}
