-- The largest transfers of ether
select block_timestamp, hash, from_address, to_address, value / 1e18 as eth
from transactions
where receipt_status = 1
order by value desc, hash
limit 100
