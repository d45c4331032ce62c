-- What a unit of gas cost, by type of transaction: five numbers of each
select
    case transaction_type
        when 0 then 'legacy'
        when 1 then 'access list'
        when 2 then 'dynamic fee'
        when 3 then 'blob'
        else 'set code'
    end as type,
    min(receipt_effective_gas_price) / 1e9 as lowest,
    approx_percentile_cont(cast(receipt_effective_gas_price as double), 0.25) / 1e9 as lower_quartile,
    approx_percentile_cont(cast(receipt_effective_gas_price as double), 0.5) / 1e9 as median,
    approx_percentile_cont(cast(receipt_effective_gas_price as double), 0.75) / 1e9 as upper_quartile,
    max(receipt_effective_gas_price) / 1e9 as highest
from transactions
group by 1
order by 1
