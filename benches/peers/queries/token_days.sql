-- The busiest pairs of token and day with their distinct senders.
select token_address, date_trunc('day', block_timestamp) as day, count(*) as transfers,
  count(distinct from_address) as senders
from token_transfers
where standard = 'erc20'
group by 1, 2
order by transfers desc, token_address, day
limit 200
