-- How much gas blocks used for how many transactions, at which base fee: every block of the last days, thinned out
select transaction_count as transactions, gas_used, base_fee_per_gas as base_fee, gas_limit
from blocks
where transaction_count > 0
order by hash
limit 600
