-- Traders by trades and ether moved
select
    taker as trader,
    count(*) as trades,
    count(distinct token_pair) as pairs,
    cast(sum(case when token_sold_symbol = 'WETH' then token_sold_amount else token_bought_amount end)
        as decimal(38, 6)) as eth
from dex.trades
where token_sold_symbol = 'WETH' or token_bought_symbol = 'WETH'
group by 1
order by trades desc, trader
limit 300
