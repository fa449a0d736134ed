-- The table of the benchmark: orders ten seconds apart, every value a function of the number of the order.
CREATE TABLE orders (
    id bigint PRIMARY KEY,
    customer_id bigint NOT NULL,
    status text,
    amount double precision,
    price numeric(12, 2),
    note text,
    created_at timestamptz NOT NULL,
    updated_at timestamp NOT NULL,
    paid boolean
);
INSERT INTO orders
SELECT
    n,
    n * 7919 % 100000,
    CASE n % 4 WHEN 0 THEN 'new' WHEN 1 THEN 'paid' WHEN 2 THEN 'shipped' ELSE 'cancelled' END,
    n % 10000 / 7.0,
    n % 100000 / 100.0,
    md5(n::text),
    timestamptz '2024-01-01 00:00:00+00' + n * interval '10 seconds',
    timestamp '2024-01-01 00:00:00' + n * interval '10 seconds',
    n % 2 = 0
FROM generate_series(1::bigint, :rows) AS numbers (n);
CREATE INDEX ON orders (updated_at);
VACUUM ANALYZE orders;
