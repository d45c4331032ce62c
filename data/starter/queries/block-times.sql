-- Seconds between blocks: shortest, mean and longest
select time, min(seconds) as shortest, avg(seconds) as mean, max(seconds) as longest
from (
    select
        date_trunc({{resolution}}, timestamp) as time,
        to_unixtime(timestamp) - lag(to_unixtime(timestamp)) over (order by number) as seconds
    from blocks
) as gaps
where seconds is not null
group by 1
order by 1
