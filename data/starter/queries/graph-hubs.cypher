// Accounts that sent ether most often, and to how many others
MATCH (a:EOA)-[t:TRANSFERS]->(b)
RETURN a.address AS address, sum(t.count) AS transfers, count(DISTINCT b) AS receivers, a.inDegree AS received
ORDER BY transfers DESC, address LIMIT 50
