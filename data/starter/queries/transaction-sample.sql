-- A sample of transactions across their numbers
select
    gas as gas_limit,
    receipt_gas_used as gas_used,
    receipt_effective_gas_price / 1e9 as gas_price_gwei,
    nonce,
    bytearray_length(input) as input_bytes,
    case transaction_type
        when 0 then 'legacy'
        when 1 then 'access list'
        when 2 then 'dynamic fee'
        when 3 then 'blob'
        else 'set code'
    end as type
from transactions
order by hash
limit 600
