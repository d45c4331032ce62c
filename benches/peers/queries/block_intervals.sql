-- Seconds between blocks and how full they are, by day.
select date_trunc('day', timestamp) as day, count(*) as blocks, avg(cast(seconds - earlier as double)) as mean,
  max(seconds - earlier) as longest, avg(cast(gas_used as double) / gas_limit) as fullness
from (
  select timestamp, gas_used, gas_limit, seconds, lag(seconds) over (order by number) as earlier
  from (
    select number, timestamp, gas_used, gas_limit, cast(date_part('epoch', timestamp) as bigint) as seconds from blocks
  ) as timed
) as pairs
where earlier is not null
group by 1
order by 1
