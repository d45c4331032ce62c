-- Distinct addresses that sent or received on each day.
select day, count(distinct who) as active
from (
  select date_trunc('day', block_timestamp) as day, from_address as who from transactions
  union all
  select date_trunc('day', block_timestamp), to_address from transactions where to_address is not null
) as sides
group by day
order by day
