-- The source of the kill loop: orders of a shop, ten seconds apart, some of them without a remark.
CREATE TABLE orders (
    id bigint PRIMARY KEY,
    customer bigint NOT NULL,
    state text NOT NULL,
    total numeric(12, 2) NOT NULL,
    weight double precision,
    remark text,
    placed timestamptz NOT NULL,
    changed timestamp NOT NULL,
    paid boolean NOT NULL
);
INSERT INTO orders
SELECT
    n,
    n * 104729 % 250000,
    CASE n % 5 WHEN 0 THEN 'open' WHEN 1 THEN 'packed' WHEN 2 THEN 'sent' WHEN 3 THEN 'returned' ELSE 'closed' END,
    n % 1000003 / 100.0,
    sqrt(n::double precision),
    CASE WHEN n % 7 <> 0 THEN 'order ' || n || ' ' || repeat(chr(97 + (n % 26)::integer), (n % 40)::integer) END,
    timestamptz '2023-01-01 00:00:00+00' + n * interval '10 seconds',
    timestamp '2023-01-01 00:00:00' + n * interval '10 seconds 7 microseconds',
    n % 3 = 0
FROM generate_series(1, :rows::bigint) AS numbers (n);
ANALYZE orders;
