-- Contracts whose calls fail most often.
select to_address, count(*) as calls, sum(case when receipt_status = 0 then 1 else 0 end) as failed
from transactions
where to_address is not null
group by to_address
having count(*) >= 50
order by failed desc, to_address
limit 100
