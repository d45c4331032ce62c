-- Ether that successful transactions moved on each day, exact to the wei.
select date_trunc('day', block_timestamp) as day, count(*) as transfers, sum(value) as wei, max(value) as largest
from transactions
where receipt_status = 1 and value > 0
group by 1
order by 1
