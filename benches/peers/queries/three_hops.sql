-- Addresses that ether of one address reaches in one, two and three transfers.
with edges as (
  select from_address as giver, to_address as taker from transactions where value > 0 and to_address is not null
),
first as (select distinct taker from edges where giver = {address}),
second as (select distinct edges.taker from edges join first on edges.giver = first.taker),
third as (select distinct edges.taker from edges join second on edges.giver = second.taker)
select 1 as hop, count(*) as reached from first
union all
select 2, count(*) from second
union all
select 3, count(*) from third
order by 1
