CREATE TABLE orders AS
SELECT id,
       (id * 7919) % 5000 AS customer_id,
       ['new', 'paid', 'shipped', 'cancelled'][1 + id % 4] AS status,
       CAST((id % 10000) / 100 AS DECIMAL(12, 2)) AS amount,
       TIMESTAMP '2026-01-01 00:00:00' + to_minutes(id) AS updated_at
FROM range(1, 50001) AS numbers (id);
