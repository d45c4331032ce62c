-- Which events contracts emit most, and how many contracts emit them.
select topic0, count(*) as logs, count(distinct address) as contracts
from logs
where topic0 is not null
group by topic0
order by logs desc, topic0
limit 100
