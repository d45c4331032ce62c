-- Who proposed the blocks: fee recipients by blocks and by gas
select miner, count(*) as blocks, sum(gas_used) as gas_used
from blocks
group by 1
order by blocks desc, miner
limit 100
