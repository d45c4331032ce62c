-- What kinds of transactions look like: means of each type
select
    case transaction_type
        when 0 then 'legacy'
        when 1 then 'access list'
        when 2 then 'dynamic fee'
        when 3 then 'blob'
        else 'set code'
    end as type,
    cast(avg(receipt_gas_used) as bigint) as gas_used,
    cast(avg(gas) as bigint) as gas_limit,
    cast(avg(bytearray_length(input)) as bigint) as input_bytes,
    cast(avg(receipt_effective_gas_price) as bigint) as gas_price,
    cast(100.0 * sum(1 - receipt_status) / count(*) as bigint) as failed_percent
from transactions
group by 1
order by 1
