-- The hundred busiest pairs of sender and receiver.
select from_address, to_address, count(*) as transfers, sum(value) as wei
from transactions
where to_address is not null
group by 1, 2
order by transfers desc, from_address, to_address
limit 100
