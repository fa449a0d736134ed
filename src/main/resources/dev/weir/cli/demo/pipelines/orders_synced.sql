-- One file is one pipeline: it reads sources, transforms with DuckDB SQL, and writes a sink.
INSERT INTO {{ sink('lake', 'orders_synced', strategy: 'merge', keys: ['id']) }}
SELECT id, customer_id, upper(status) AS status, amount, updated_at
FROM {{ source('shop', 'orders') }}
