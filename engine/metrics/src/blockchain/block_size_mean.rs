//! Block size, mean.

use crate::define::{Both, Category, Form, Kind, Metric};
use crate::number;

pub(super) const BLOCK_SIZE_MEAN: Metric = Metric {
    category: Category::Blockchain,
    name: "block-size-mean",
    aliases: &[],
    title: Both { en: "Block size, mean", zh: "平均区块大小" },
    definition: Both {
        en: "Mean size of the blocks of the period, RLP-encoded.",
        zh: "周期内区块（RLP 编码）的平均大小。",
    },
    formula: "avg(size)",
    unit: "bytes",
    kind: Kind::Mean,
    scale: 6,
    form: Form::Number,
    sources: &["blocks"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', timestamp) as t, avg(size) as v from blocks where size is not null group by 1",
    value: |period, _| number::mean(period.size, period.sized_blocks, 6),
};
