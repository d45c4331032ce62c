-- Airdrops in numbers
with drops as (
    select token_address, from_address, value, count(distinct to_address) as recipients,
        min(block_timestamp) as first, max(block_timestamp) as last
    from token_transfers
    where standard = 'erc20' and from_address <> '0x0000000000000000000000000000000000000000'
    group by 1, 2, 3
    having count(distinct to_address) >= 200
)
select count(*) as airdrops, sum(recipients) as recipients, max(recipients) as largest from drops
