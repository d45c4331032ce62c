-- Tokens by standard, the busiest of each by name
select standard, case when place <= 10 then name else 'others' end as token, sum(transfers) as transfers
from (
    select t.standard, coalesce(c.symbol, c.name, substr(cast(t.token_address as varchar), 1, 10)) as name,
        count(*) as transfers,
        row_number() over (partition by t.standard order by count(*) desc, t.token_address) as place
    from token_transfers t
    left join contracts c on c.address = t.token_address
    group by t.standard, t.token_address, 2
) as tokens
group by 1, 2
order by 1, 3 desc, 2
