//! Difficulty, mean.

use crate::define::{Both, Category, Form, Kind, Metric};
use crate::number;

pub(super) const DIFFICULTY: Metric = Metric {
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
    needs: |_| true,
    sql: "select date_trunc('{unit}', timestamp) as t, avg(difficulty) as v from blocks where difficulty is not null \
          group by 1",
    value: |period, _| number::mean(period.difficulty, period.rated_blocks, 6),
};
