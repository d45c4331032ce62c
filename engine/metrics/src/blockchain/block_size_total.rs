//! Block size, total.

use crate::define::{Both, Category, Form, Kind, Metric};

pub(super) const BLOCK_SIZE_TOTAL: Metric = Metric {
    category: Category::Blockchain,
    name: "block-size-total",
    aliases: &[],
    title: Both { en: "Block size, total", zh: "区块总大小" },
    definition: Both {
        en: "Size of all blocks of the period together, RLP-encoded.",
        zh: "周期内全部区块（RLP 编码）的大小之和。",
    },
    formula: "sum(size)",
    unit: "bytes",
    kind: Kind::Sum,
    scale: 0,
    form: Form::Number,
    sources: &["blocks"],
    needs: |_| true,
    sql: "select date_trunc('{unit}', timestamp) as t, sum(size) as v from blocks group by 1",
    value: |period, _| Some(period.size),
};
