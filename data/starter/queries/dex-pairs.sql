-- Pairs by trades
select
    token_pair as pair,
    count(*) as trades,
    count(distinct taker) as traders,
    sum(case when token_sold_symbol = 'WETH' then token_sold_amount else token_bought_amount end) as eth,
    max(block_time) as last_trade
from dex.trades
where token_pair is not null
group by 1
order by trades desc, pair
limit 50
