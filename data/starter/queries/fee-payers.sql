-- Who paid the most fees
select
    from_address as payer,
    count(*) as transactions,
    sum(receipt_gas_used * receipt_effective_gas_price) / 1e18 as fees_eth,
    sum(receipt_gas_used) as gas_used
from transactions
group by 1
order by fees_eth desc, payer
limit 50
