//! A7: transfers that return to their sender.

use super::prelude::*;

pub(super) const RULE: Rule = Rule {
    id: "A7",
    name: "circular-flow",
    category: Category::Algorithm,
    version: 1,
    title: Both { en: "Circular flow", zh: "循环资金" },
    text: Both {
        en: "ETH that returns over two or three accounts with at least the given share of it left, at least the given number of times, each round within the given days. Exchanges and contracts do not count.",
        zh: "ETH 经两个或三个账户返回，保留不少于给定比例，且达到给定次数，每轮在给定天数内；交易所与合约不计。",
    },
    value: Both { en: "rounds", zh: "轮数" },
    labels: &["circular-flow"],
    inputs: &[START, END],
    parameters: &[
        whole("rounds", 5, 2, 10_000, "Fewest rounds", "最少轮数"),
        fraction("kept_share", "0.8", "0.1", "1", "Share that is left after a round", "一轮后保留的比例"),
        whole("days", 7, 1, 365, "Days of one round", "一轮的天数"),
    ],
    source: "HasciDB, circular flows; the days are ours",
    steps: &[
        step("contracts", "<contracts>"),
        step("exchanges", "<exchanges>"),
        step("often", "with paid as (
select from_address as a, to_address as b, value, block_timestamp as at, block_number * 100000 + transaction_index as place
from (<payments>) p
where block_timestamp >= cast({{from}} as timestamp) and block_timestamp < cast({{to}} as timestamp)
and from_address <> to_address),
ways as (
select a, b from paid where a not in (<contracts>) and b not in (<contracts>)
and a not in (select address from (<exchanges>) x) and b not in (select address from (<exchanges>) x)
group by a, b having count(*) >= {{rounds}})
select p.* from paid p join ways w on w.a = p.a and w.b = p.b"),
    ],
    rows: Rows::Labels(
        "with two as (
    select array_sort(make_array(f.a, f.b)) as ring, f.a as starter, count(distinct f.place) as rounds, sum(f.value) as wei
    from (<often>) f join (<often>) s on s.a = f.b and s.b = f.a and s.place > f.place
      and s.at <= f.at + interval '{{days}}' day and s.value <= f.value and s.value >= f.value * {{kept_share}}
    group by f.a, f.b having count(distinct f.place) >= {{rounds}}),
three as (
    select array_sort(make_array(f.a, f.b, s.b)) as ring, f.a as starter, count(distinct f.place) as rounds,
      sum(f.value) as wei
    from (<often>) f join (<often>) s on s.a = f.b and s.place > f.place join (<often>) l on l.a = s.b and l.b = f.a and l.place > s.place
    where s.b <> f.a and l.at <= f.at + interval '{{days}}' day
      and s.value <= f.value and l.value <= s.value and l.value >= f.value * {{kept_share}}
    group by f.a, f.b, s.b having count(distinct f.place) >= {{rounds}}),
rings as (select ring, max(rounds) as rounds from (select * from two union all select * from three) r group by ring)
select member as address, 'circular-flow' as label, 'EOA' as label_type, rounds as value,
  cast(ring[1] as varchar) as entity, ring
from (select ring, rounds, unnest(ring) as member from rings) m",
    ),
};
