-- One file is one pipeline. It reads a slice of the source, transforms it with DuckDB SQL, and writes the sink.
-- merge replaces whole rows by their keys, so that a row read again is never doubled. Other strategies: append,
-- replace, window.
INSERT INTO {{ sink('warehouse', 'public.orders', strategy: 'merge', keys: ['id']) }}
SELECT *
FROM {{ source('shop', 'public.orders') }}
