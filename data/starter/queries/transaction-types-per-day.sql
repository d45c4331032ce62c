-- Transactions by type
select
    date_trunc({{resolution}}, block_timestamp) as time,
    case transaction_type
        when 0 then 'legacy'
        when 1 then 'access list'
        when 2 then 'dynamic fee'
        when 3 then 'blob'
        else 'set code'
    end as type,
    count(*) as transactions
from transactions
group by 1, 2
order by 1, 2
