-- How full the blocks of the newest day were, in percent
select 100.0 * sum(gas_used) / sum(gas_limit) as percent_full, count(*) as blocks
from blocks
where timestamp > now() - interval '24' hour
