-- All logs of one block.
select log_index, transaction_hash, address, topic0, topic1, topic2, topic3, data
from logs
where block_number = {block}
order by log_index
