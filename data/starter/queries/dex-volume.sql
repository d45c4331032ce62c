-- Volume traded on exchanges, in ether: what of each trade was WETH
select
    date_trunc({{resolution}}, block_time) as time,
    concat('V', cast(version as varchar)) as version,
    sum(case when token_sold_symbol = 'WETH' then token_sold_amount else token_bought_amount end) as eth
from dex.trades
where token_sold_symbol = 'WETH' or token_bought_symbol = 'WETH'
group by 1, 2
order by 1, 2
