-- How many addresses gained up to 0.1, 1, 10, 100 ether and more.
select case
    when ether < 0.1 then 0
    when ether < 1 then 1
    when ether < 10 then 2
    when ether < 100 then 3
    else 4
  end as class, count(*) as addresses
from (
  select who, sum(wei) as total, cast(sum(wei) as double) / 1e18 as ether
  from (
    select to_address as who, value as wei from transactions where receipt_status = 1 and to_address is not null
    union all
    select from_address, -value from transactions where receipt_status = 1
  ) as movements
  group by who
) as balances
where total > 0
group by 1
order by 1
