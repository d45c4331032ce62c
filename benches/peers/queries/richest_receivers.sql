-- The hundred addresses that received most ether.
select to_address, count(*) as transfers, sum(value) as wei
from transactions
where receipt_status = 1 and to_address is not null
group by to_address
order by wei desc, to_address
limit 100
