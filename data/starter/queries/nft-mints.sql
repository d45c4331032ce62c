-- NFTs made, moved on and destroyed
select
    date_trunc({{resolution}}, block_timestamp) as time,
    case
        when from_address = '0x0000000000000000000000000000000000000000' then 'minted'
        when to_address = '0x0000000000000000000000000000000000000000' then 'burned'
        else 'moved'
    end as what,
    count(*) as nfts
from token_transfers
where standard <> 'erc20'
group by 1, 2
order by 1, 2
