-- The thousand largest transfers of ether with many columns.
select value, hash, block_number, block_timestamp, from_address, to_address, gas_price, receipt_gas_used, nonce
from transactions
order by value desc, hash
limit 1000
