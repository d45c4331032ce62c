//! Blocks.

use crate::metric::{Both, Category, Kind, Metric};
use crate::number;

pub(super) const ALL: [&Metric; 3] = [&BLOCK_INTERVAL_MEAN, &BLOCK_SIZE_MEAN, &BLOCK_SIZE_TOTAL];

const BLOCK_INTERVAL_MEAN: Metric = Metric {
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
    sources: &["blocks"],
    sql: "select t, avg(seconds) as v from (select date_trunc('{unit}', timestamp) as t, cast(to_unixtime(timestamp) \
          as bigint) - cast(lag(to_unixtime(timestamp)) over (order by number) as bigint) as seconds from blocks) as \
          gaps where seconds is not null group by t",
    value: |period, _| number::mean(period.interval_seconds.into(), period.intervals, 6),
    ..Metric::BASE
};

const BLOCK_SIZE_MEAN: Metric = Metric {
    category: Category::Blockchain,
    name: "block-size-mean",
    title: Both { en: "Block size, mean", zh: "平均区块大小" },
    definition: Both {
        en: "Mean size of the blocks of the period, RLP-encoded.",
        zh: "周期内区块（RLP 编码）的平均大小。",
    },
    formula: "avg(size)",
    unit: "bytes",
    kind: Kind::Mean,
    scale: 6,
    sources: &["blocks"],
    sql: "select date_trunc('{unit}', timestamp) as t, avg(size) as v from blocks where size is not null group by 1",
    value: |period, _| number::mean(period.size, period.sized_blocks, 6),
    ..Metric::BASE
};

const BLOCK_SIZE_TOTAL: Metric = Metric {
    category: Category::Blockchain,
    name: "block-size-total",
    title: Both { en: "Block size, total", zh: "区块总大小" },
    definition: Both {
        en: "Size of all blocks of the period together, RLP-encoded.",
        zh: "周期内全部区块（RLP 编码）的大小之和。",
    },
    formula: "sum(size)",
    unit: "bytes",
    kind: Kind::Sum,
    sources: &["blocks"],
    sql: "select date_trunc('{unit}', timestamp) as t, sum(size) as v from blocks group by 1",
    value: |period, _| Some(period.size),
    ..Metric::BASE
};
