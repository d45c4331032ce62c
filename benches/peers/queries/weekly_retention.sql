-- Senders by week of their first transaction, and how many of them came back in each later week.
with weeks as (
  select distinct from_address as who, date_trunc('week', block_timestamp) as week from transactions
),
cohorts as (select who, min(week) as cohort from weeks group by who)
select cohort, week, count(*) as senders
from weeks join cohorts on weeks.who = cohorts.who
group by cohort, week
order by cohort, week
