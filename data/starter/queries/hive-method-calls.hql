-- Functions that transactions called, by their selector
SELECT lower(substr(hex(input), 1, 8)) AS selector,
       count(*) AS calls,
       count(DISTINCT to_address) AS contracts
FROM transactions
WHERE to_address IS NOT NULL AND length(input) >= 4
GROUP BY lower(substr(hex(input), 1, 8))
ORDER BY calls DESC, selector
LIMIT 30
