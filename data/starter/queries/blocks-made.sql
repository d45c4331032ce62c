-- Blocks made, and by how many proposers
select date_trunc({{resolution}}, timestamp) as time, count(*) as blocks, count(distinct miner) as proposers
from blocks
group by 1
order by 1
