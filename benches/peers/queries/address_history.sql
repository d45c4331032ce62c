-- Everything one address sent or received, in order.
select block_number, transaction_index, hash, from_address, to_address, value, receipt_gas_used
from transactions
where from_address = {address} or to_address = {address}
order by block_number, transaction_index
