//! The sort for which a scan reads the most promising files and row groups first, so that a dynamic filter, such as that of a top-k,
//! prunes the rest early. DataFusion's protobuf messages leave the sort out, and it has no getter, so it is parsed from the
//! description of the scan (<https://github.com/apache/datafusion/pull/24930> adds it to the messages; 55.2 does not have that).

use std::fmt;
use std::sync::Arc;

use arrow::compute::SortOptions;
use datafusion::common::Result;
use datafusion::datasource::physical_plan::{FileSource, ParquetSource};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalSortExpr};
use datafusion::physical_plan::{DisplayFormatType, SortOrderPushdownResult};
use serde::{Deserialize, Serialize};

/// How DataFusion describes the options of a sort key, at the end of its text.
const OPTIONS: [(&str, SortOptions); 4] = [
    (" DESC NULLS LAST", SortOptions { descending: true, nulls_first: false }),
    (" ASC NULLS LAST", SortOptions { descending: false, nulls_first: false }),
    (" DESC", SortOptions { descending: true, nulls_first: true }),
    (" ASC", SortOptions { descending: false, nulls_first: true }),
];

/// The sort keys: columns of the scan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SortHint(Vec<SortKey>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SortKey {
    column: String,
    index: usize,
    descending: bool,
    nulls_first: bool,
}

/// The description of a source.
struct Described<'a>(&'a dyn FileSource);

impl SortHint {
    /// The hint of a scan, if it has one that [`SortHint::apply`] can repeat.
    pub(super) fn from_source(source: &ParquetSource) -> Option<SortHint> {
        let description = Described(source).to_string();
        // A literal of the predicate may look like the hint.
        let predicate = source.filter().map(|predicate| format!(", predicate={predicate}")).unwrap_or_default();
        let rest = description.strip_prefix(predicate.as_str())?;
        let (order, _) = rest.strip_prefix(", sort_order_for_reorder=[")?.split_once(']')?;
        let hint = SortHint(order.split(", ").map(SortKey::parse).collect::<Option<_>>()?);
        let repeated = hint.apply(source).ok()??;
        (Described(&*repeated).to_string() == description).then_some(hint)
    }

    /// Gives a scan the hint. `None` if it would not take it: it reads the same rows without.
    pub(super) fn apply(&self, source: &ParquetSource) -> Result<Option<Arc<dyn FileSource>>> {
        let table = source.table_schema().table_schema();
        let schema = match source.projection() {
            Some(projection) => Arc::new(projection.project_schema(table)?),
            None => Arc::clone(table),
        };
        let is_there = |key: &SortKey| schema.fields().get(key.index).is_some_and(|field| *field.name() == key.column);
        if !self.0.iter().all(is_there) {
            return Ok(None);
        }
        let order: Vec<PhysicalSortExpr> = self.0.iter().map(SortKey::expr).collect();
        // A source takes a hint for the opposite of its own order, whatever the columns are.
        let mut properties = EquivalenceProperties::new(schema);
        properties.add_ordering(order.iter().map(PhysicalSortExpr::reverse));
        Ok(match source.try_pushdown_sort(&order, &properties)? {
            SortOrderPushdownResult::Inexact { inner } => Some(inner),
            SortOrderPushdownResult::Exact { .. } | SortOrderPushdownResult::Unsupported => None,
        })
    }
}

impl SortKey {
    /// Reads the description of a sort by a column, such as `block_number@0 DESC`.
    fn parse(text: &str) -> Option<SortKey> {
        let find = |(end, options): (&str, SortOptions)| Some((text.strip_suffix(end)?, options));
        let (expr, SortOptions { descending, nulls_first }) = OPTIONS.into_iter().find_map(find)?;
        let (column, index) = expr.rsplit_once('@')?;
        Some(SortKey { column: column.to_string(), index: index.parse().ok()?, descending, nulls_first })
    }

    fn expr(&self) -> PhysicalSortExpr {
        let SortKey { column, index, descending, nulls_first } = self;
        let options = SortOptions { descending: *descending, nulls_first: *nulls_first };
        PhysicalSortExpr::new(Arc::new(Column::new(column, *index)), options)
    }
}

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt_extra(DisplayFormatType::Default, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sort_keys_are_read_as_datafusion_describes_them() {
        for (descending, nulls_first) in [(false, false), (false, true), (true, false), (true, true)] {
            for column in ["block_number", "number of blocks", "a@1 DESC"] {
                let key = SortKey { column: column.to_string(), index: 12, descending, nulls_first };
                assert_eq!(SortKey::parse(&key.expr().to_string()), Some(key));
            }
        }
        for other in ["", "block_number@0", "block_number DESC", "date_trunc(day, time@1) DESC"] {
            assert_eq!(SortKey::parse(other), None, "{other}");
        }
    }
}
