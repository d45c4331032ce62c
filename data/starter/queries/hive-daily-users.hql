-- Senders of each day, and what they paid in ether
SELECT to_date(block_timestamp) AS day,
       count(DISTINCT from_address) AS users,
       round(sum(receipt_gas_used * receipt_effective_gas_price) / 1e18, 6) AS fees_eth
FROM transactions
WHERE receipt_status = 1
GROUP BY to_date(block_timestamp)
ORDER BY day
