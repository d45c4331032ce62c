-- Who gave NFTs to whom more than once
select from_address as giver, to_address as receiver, count(*) as nfts
from token_transfers
where standard <> 'erc20'
  and from_address <> '0x0000000000000000000000000000000000000000'
  and to_address <> '0x0000000000000000000000000000000000000000'
group by 1, 2
order by nfts desc, giver, receiver
limit 150
