//! Block interval, mean.

use crate::define::{Both, Category, Form, Kind, Metric};
use crate::number;

pub(super) const BLOCK_INTERVAL_MEAN: Metric = Metric {
    category: Category::Blockchain,
    name: "block-interval-mean",
    aliases: &["block-interval"],
    title: Both { en: "Block interval, mean", zh: "平均出块间隔" },
    definition: Both {
        en: "Mean time between a block and its parent, over the blocks of the period whose parent is in the lake.",
        zh: "周期内各区块与其父区块之间的平均时间（父区块须在数据湖中）。",
    },
    formula: "sum(timestamp - timestamp of the parent) / count(blocks)",
    unit: "seconds",
    kind: Kind::Mean,
    scale: 6,
    form: Form::Number,
    sources: &["blocks"],
    needs: |_| true,
    sql: "select t, avg(seconds) as v from (select date_trunc('{unit}', timestamp) as t, cast(to_unixtime(timestamp) \
          as bigint) - cast(lag(to_unixtime(timestamp)) over (order by number) as bigint) as seconds from blocks) as \
          gaps where seconds is not null group by t",
    value: |period, _| number::mean(period.interval_seconds.into(), period.intervals, 6),
};
