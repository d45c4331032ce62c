-- Swaps on pools shaped like Uniswap V2 and V3
select
    date_trunc({{resolution}}, block_timestamp) as time,
    case topic0
        when 0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822 then 'V2'
        else 'V3'
    end as version,
    count(*) as swaps,
    count(distinct address) as pools
from logs
where topic0 in (
    0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822,
    0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67
)
group by 1, 2
order by 1, 2
