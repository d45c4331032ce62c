-- Contracts made on each day
select
    cast(date_trunc('day', block_timestamp) as date) as day,
    count(*) as contracts,
    count(distinct creator_address) as makers
from contracts
group by 1
order by 1
