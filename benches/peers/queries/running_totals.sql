-- Transfers of each token by day with a running total and a mean over seven rows.
with days as (
  select token_address, date_trunc('day', block_timestamp) as day, count(*) as transfers
  from token_transfers
  group by 1, 2
)
select token_address, day, transfers,
  sum(transfers) over (partition by token_address order by day) as running,
  avg(cast(transfers as double)) over (partition by token_address order by day rows between 6 preceding and current row) as mean
from days
order by running desc, token_address, day
limit 500
