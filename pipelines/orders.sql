-- Reads the entity orders of the connection pg, a slice a pass, and writes the table orders of lake.
INSERT INTO {{ sink('lake', 'orders') }}
SELECT * FROM {{ source('pg', 'orders') }}
