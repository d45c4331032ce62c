-- Orders filled on Seaport
select date_trunc({{resolution}}, block_timestamp) as time, count(*) as sales, count(distinct transaction_hash) as transactions
from logs
where topic0 = event_signature('OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, (uint8, address, uint256, uint256)[] offer, (uint8, address, uint256, uint256, address)[] consideration)')
group by 1
order by 1
