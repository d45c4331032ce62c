-- Price of ether in dollars, from the reserves of Uniswap pools
select
    date_trunc({{resolution}}, p.minute) as time,
    min(price) as lowest,
    avg(price) as mean,
    max(price) as highest
from prices.usd p
where symbol = 'WETH'
group by 1
order by 1
