-- Blocks of the largest proposers; the others together
with largest as (
    select miner from blocks group by 1 order by count(*) desc, 1 limit 6
)
select
    date_trunc({{resolution}}, timestamp) as time,
    case when l.miner is null then 'others' else substr(cast(b.miner as varchar), 1, 10) end as proposer,
    count(*) as blocks
from blocks b
left join largest l on l.miner = b.miner
group by 1, 2
order by 1, 2
