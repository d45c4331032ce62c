// Who paid whom the most ether, all payments between two accounts together
MATCH (a:EOA)-[t:TRANSFERS]->(b:EOA)
RETURN a.address AS payer, b.address AS payee, t.value / 1000000000000000000 AS eth, t.count AS payments
ORDER BY t.value DESC, payer, payee LIMIT 120
