-- Contracts made, and by how many
select
    date_trunc({{resolution}}, block_timestamp) as time,
    count(*) as contracts,
    count(distinct creator_address) as makers
from contracts
group by 1
order by 1
