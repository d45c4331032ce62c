-- Token transfers by standard
select
    date_trunc({{resolution}}, block_timestamp) as time,
    standard,
    count(*) as transfers
from token_transfers
group by 1, 2
order by 1, 2
