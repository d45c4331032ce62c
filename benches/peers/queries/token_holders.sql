-- The fifty largest holders of one token.
select who, sum(amount) as balance
from (
  select to_address as who, value_decimal as amount from token_transfers where token_address = {token}
  union all
  select from_address, -value_decimal from token_transfers where token_address = {token}
) as movements
group by who
order by balance desc, who
limit 50
