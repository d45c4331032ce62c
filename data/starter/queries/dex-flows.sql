-- Which tokens were sold for which: trades that turned one into the other
select token_sold_symbol as sold, token_bought_symbol as bought, count(*) as trades
from dex.trades
where token_sold_symbol is not null and token_bought_symbol is not null
group by 1, 2
order by trades desc, sold, bought
limit 30
