-- Token transfers by senders that also received ether in the same block.
select count(*) as transfers, count(distinct token_transfers.from_address) as senders
from token_transfers
join transactions on transactions.block_number = token_transfers.block_number
  and transactions.to_address = token_transfers.from_address
where transactions.value > 0
