-- What one contract said of one kind, in order.
select block_number, log_index, transaction_hash, topic1, topic2, topic3, data
from logs
where address = {contract} and topic0 = {topic}
order by block_number, log_index
