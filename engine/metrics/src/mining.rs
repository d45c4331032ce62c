//! Proof of work.

use crate::metric::{Both, Category, Form, Kind, Metric};
use crate::number;

pub(super) const ALL: [&Metric; 2] = [&DIFFICULTY, &HASH_RATE_MEAN];

const DIFFICULTY: Metric = Metric {
    category: Category::Mining,
    name: "mining-difficulty",
    aliases: &["difficulty"],
    title: Both { en: "Difficulty, mean", zh: "平均难度" },
    definition: Both {
        en: "Mean difficulty of the blocks of the period; 0 since the Merge.",
        zh: "周期内区块的平均难度；合并（The Merge）之后为 0。",
    },
    formula: "avg(difficulty)",
    unit: "difficulty",
    kind: Kind::Mean,
    scale: 6,
    form: Form::Text,
    sources: &["blocks"],
    sql: "select date_trunc('{unit}', timestamp) as t, avg(difficulty) as v from blocks where difficulty is not null \
          group by 1",
    value: |period, _| number::mean(period.difficulty, period.rated_blocks, 6),
    ..Metric::BASE
};

const HASH_RATE_MEAN: Metric = Metric {
    category: Category::Mining,
    name: "hash-rate-mean",
    aliases: &["hash-rate"],
    title: Both { en: "Hash rate, mean", zh: "平均算力" },
    definition: Both {
        en: "Hashes per second that the difficulty of the blocks and the time between them tell; 0 since the Merge.",
        zh: "由区块难度与出块间隔推算的每秒哈希次数；合并之后为 0。",
    },
    formula: "sum(difficulty) / sum(timestamp - timestamp of the parent), over blocks whose parent is in the lake",
    unit: "hashes per second",
    kind: Kind::Mean,
    scale: 6,
    form: Form::Text,
    sources: &["blocks"],
    sql: "select t, sum(difficulty) / sum(seconds) as v from (select date_trunc('{unit}', timestamp) as t, difficulty, \
          cast(to_unixtime(timestamp) as bigint) - cast(lag(to_unixtime(timestamp)) over (order by number) as bigint) \
          as seconds from blocks) as gaps where seconds is not null group by t having sum(seconds) > 0",
    value: |period, _| number::ratio(period.work, period.interval_seconds.into(), 6),
    ..Metric::BASE
};
