-- Token transfers of each day by standard
select
    cast(date_trunc('day', block_timestamp) as date) as day,
    standard,
    count(*) as transfers
from token_transfers
group by 1, 2
order by 1, 2
