-- Gas over a moving window of 100 blocks: its largest value of each day.
select date_trunc('day', timestamp) as day, max(gas) as largest
from (
  select timestamp, sum(gas_used) over (order by number rows between 99 preceding and current row) as gas from blocks
) as moving
group by 1
order by 1
