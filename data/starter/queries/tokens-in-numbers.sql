-- Tokens in numbers
select
    count(*) as transfers,
    count(distinct token_address) as tokens,
    count(distinct to_address) as holders_ever
from token_transfers
