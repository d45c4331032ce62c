-- Addresses that hold at least so much ether now
select t.step, count(*) as addresses
from ethereum.balances b
join (values
    (1, 'more than 0', cast(1 as decimal(38, 0))),
    (2, '0.1 ETH', cast('100000000000000000' as decimal(38, 0))),
    (3, '1 ETH', cast('1000000000000000000' as decimal(38, 0))),
    (4, '10 ETH', cast('10000000000000000000' as decimal(38, 0))),
    (5, '100 ETH', cast('100000000000000000000' as decimal(38, 0))),
    (6, '1,000 ETH', cast('1000000000000000000000' as decimal(38, 0))),
    (7, '10,000 ETH', cast('10000000000000000000000' as decimal(38, 0)))
) as t(place, step, least) on b.eth_balance >= t.least
group by t.place, t.step
order by t.place
