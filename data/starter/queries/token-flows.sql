-- The largest streams of tokens between contracts and people
select
    case when f.address is null then 'account' else 'contract' end as from_kind,
    t.standard,
    case when r.address is null then 'account' else 'contract' end as to_kind,
    count(*) as transfers
from token_transfers t
left join (select distinct address from contracts) f on f.address = t.from_address
left join (select distinct address from contracts) r on r.address = t.to_address
group by 1, 2, 3
order by 1, 2, 3
