-- Seconds between blocks: shortest, mean and longest
select time, min(seconds) as shortest, avg(seconds) as mean, max(seconds) as longest
from (
    select
        date_trunc({{resolution}}, timestamp) as time,
        date_diff('second', lag(timestamp) over (order by number), timestamp) as seconds
    from blocks
) as gaps
where seconds is not null
group by 1
order by 1
