-- Share of blocks that the three largest proposers made, in percent
select 100.0 * sum(case when place <= 3 then blocks else 0 end) / sum(blocks) as percent
from (
    select count(*) as blocks, row_number() over (order by count(*) desc, miner) as place
    from blocks
    group by miner
) as proposers
