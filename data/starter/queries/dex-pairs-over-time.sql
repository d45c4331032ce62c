-- Trades of the busiest pairs
with busiest as (
    select token_pair from dex.trades where token_pair is not null group by 1 order by count(*) desc, 1 limit 8
)
select date_trunc({{resolution}}, block_time) as time, token_pair as pair, count(*) as trades
from dex.trades
where token_pair in (select token_pair from busiest)
group by 1, 2
order by 1, 2
