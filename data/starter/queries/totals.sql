-- The chain in numbers
select
    count(*) as blocks,
    sum(transaction_count) as transactions,
    max(number) as head,
    max(timestamp) as head_time
from blocks
