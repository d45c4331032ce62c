-- One transaction by its hash.
select block_number, transaction_index, from_address, to_address, value, input, receipt_status
from transactions
where hash = {hash}
