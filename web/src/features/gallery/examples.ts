/** One query and chart of every type, on tables that every chain has. */
import type { Visualization } from '@/viz/options';

export interface Example {
  /** The chart; columns it does not name are found by themselves. */
  readonly chart: Visualization;
  readonly sql: string;
}

const KIND = `case transaction_type when 0 then 'legacy' when 1 then 'access list' when 2 then 'dynamic fee' when 3 then 'blob' else 'set code' end`;
const TOKEN = `coalesce(c.symbol, substr(cast(t.token_address as varchar), 1, 8))`;
const INPUT_BYTES = 'bytearray_length(input)';

export const examples: readonly Example[] = [
  {
    chart: { type: 'table', options: {} },
    sql: `select number, timestamp, transaction_count, gas_used, base_fee_per_gas, miner
from blocks
order by number desc
limit 200`,
  },
  {
    chart: { type: 'counter', options: { column: 'transactions', row: 2, compareRow: 3, spark: true } },
    sql: `select date_trunc('day', block_timestamp) as day, count(*) as transactions
from transactions
group by 1
order by 1 desc`,
  },
  {
    chart: { type: 'pie', options: {} },
    sql: `select ${KIND} as kind, count(*) as transactions
from transactions
group by 1`,
  },
  {
    chart: { type: 'bar', options: { x: 'token', group: 'standard', stack: 'stack', sort: 'falling', top: 8, horizontal: true } },
    sql: `select ${TOKEN} as token, t.standard, count(*) as transfers
from token_transfers t
left join contracts c on c.address = t.token_address
group by 1, 2`,
  },
  {
    chart: { type: 'line', options: { format: 'gwei', referenceLines: [{ value: '1', label: '1 gwei' }] } },
    sql: `select date_trunc('day', timestamp) as day,
       min(base_fee_per_gas) as lowest,
       cast(avg(base_fee_per_gas) as bigint) as average,
       max(base_fee_per_gas) as highest
from blocks
group by 1
order by 1`,
  },
  {
    chart: { type: 'area', options: {} },
    sql: `select date_trunc('day', block_timestamp) as day, ${KIND} as kind, sum(receipt_gas_used) as gas_used
from transactions
group by 1, 2
order by 1`,
  },
  {
    chart: { type: 'scatter', options: { x: 'transactions', y: 'gas_used', size: 'base_fee', group: '', regression: true } },
    sql: `select transaction_count as transactions, gas_used, base_fee_per_gas as base_fee
from blocks
order by hash
limit 600`,
  },
  {
    chart: { type: 'radar', options: {} },
    sql: `select ${KIND} as kind,
       cast(avg(receipt_gas_used) as bigint) as gas_used,
       cast(avg(gas) as bigint) as gas_limit,
       cast(avg(${INPUT_BYTES}) as bigint) as input_bytes,
       cast(avg(receipt_effective_gas_price) as bigint) as gas_price,
       sum(1 - receipt_status) as failed
from transactions
group by 1`,
  },
  {
    chart: { type: 'funnel', options: {} },
    sql: `select 'sent' as step, count(*) as transactions from transactions
union all select 'succeeded', count(*) from transactions where receipt_status = 1
union all select 'called a contract', count(*) from transactions where receipt_status = 1 and ${INPUT_BYTES} > 0
union all select 'left an event', count(distinct transaction_hash) from logs
union all select 'moved a token', count(distinct transaction_hash) from token_transfers`,
  },
  {
    chart: { type: 'heatmap', options: { x: 'hour', y: 'weekday' } },
    sql: `select cast(date_part('hour', block_timestamp) as int) as hour,
       case cast(date_part('dow', block_timestamp) as int) when 7 then 'Sun' when 1 then 'Mon' when 2 then 'Tue' when 3 then 'Wed' when 4 then 'Thu' when 5 then 'Fri' else 'Sat' end as weekday,
       count(*) as transactions
from transactions
group by 1, 2, date_part('dow', block_timestamp)
order by (date_part('dow', block_timestamp) + 6) % 7`,
  },
  {
    chart: { type: 'bar3d', options: {} },
    sql: `select date_trunc('week', block_timestamp) as week, ${KIND} as kind, count(*) as transactions
from transactions
group by 1, 2
order by 1`,
  },
  {
    chart: { type: 'boxplot', options: { format: 'gwei' } },
    sql: `select ${KIND} as kind, receipt_effective_gas_price as gas_price
from transactions
order by hash
limit 5000`,
  },
  {
    chart: { type: 'parallel', options: { dimensions: ['value', 'gas', 'receipt_gas_used', 'gas_price', 'nonce', 'kind'], logarithmic: ['gas', 'receipt_gas_used'] } },
    sql: `select value, gas, receipt_gas_used, gas_price, nonce, ${KIND} as kind
from transactions
order by hash
limit 800`,
  },
  {
    chart: { type: 'tree', options: { depth: 0 } },
    sql: `with one as (
  select transaction_hash from traces
  where transaction_hash is not null
  group by 1
  having count(*) <= 30
  order by max(cardinality(trace_address)) desc, count(*) desc, 1
  limit 1
)
select 'call.' || array_to_string(trace_address, '.') as id,
       case when cardinality(trace_address) > 0 then 'call.' || array_to_string(array_pop_back(trace_address), '.') end as parent,
       coalesce(call_type, trace_type) || ' ' || substr(cast(to_address as varchar), 1, 8) as name,
       gas_used
from traces
join one using (transaction_hash)`,
  },
  {
    chart: { type: 'sankey', options: {} },
    sql: `select ${KIND} as kind,
       case when to_address is null then 'creation' when ${INPUT_BYTES} = 0 then 'payment' else 'contract call' end as purpose,
       case receipt_status when 1 then 'succeeded' else 'failed' end as outcome,
       count(*) as transactions
from transactions
group by 1, 2, 3`,
  },
  {
    chart: { type: 'sunburst', options: { path: ['standard', 'token', 'movement'] } },
    sql: `select t.standard, ${TOKEN} as token,
       case when t.from_address = 0x0000000000000000000000000000000000000000 then 'mint'
            when t.to_address = 0x0000000000000000000000000000000000000000 then 'burn' else 'transfer' end as movement,
       count(*) as transfers
from token_transfers t
left join contracts c on c.address = t.token_address
group by 1, 2, 3`,
  },
  {
    chart: { type: 'themeRiver', options: { name: 'token', limit: 8 } },
    sql: `select date_trunc('week', t.block_timestamp) as week, ${TOKEN} as token, count(*) as transfers
from token_transfers t
left join contracts c on c.address = t.token_address
group by 1, 2
order by 1`,
  },
  {
    chart: { type: 'graph', options: { format: 'eth' } },
    sql: `select from_address, to_address, sum(value) as value
from transactions
where value > 0 and to_address is not null
group by 1, 2
order by 3 desc
limit 120`,
  },
  {
    chart: { type: 'gauge', options: { format: 'percent', min: '0', max: '100', decimals: 2 } },
    sql: `select cast(sum(receipt_status) as decimal(38, 0)) / cast(count(*) as decimal(38, 18)) as succeeded
from transactions`,
  },
];
