-- When the chain is busy: transactions by day of the week and hour, UTC
select
    case extract(dow from block_timestamp)
        when 7 then 'Sun' when 1 then 'Mon' when 2 then 'Tue' when 3 then 'Wed'
        when 4 then 'Thu' when 5 then 'Fri' else 'Sat'
    end as weekday,
    extract(hour from block_timestamp) as hour,
    count(*) as transactions
from transactions
group by 1, 2
order by min((extract(dow from block_timestamp) + 6) % 7), 2
