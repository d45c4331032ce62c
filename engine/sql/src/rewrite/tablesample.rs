//! `TABLESAMPLE BERNOULLI (10)`: each row of a table with a probability in percent. The planner ignores it.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, ExactNumberInfo, Expr, ObjectNamePart, SelectItem, TableFactor, TableSampleKind,
    TableSampleUnit, WildcardAdditionalOptions,
};

use super::ast::{binary, call, cast, derived, from_one, number, query_of, table_alias};

/// Puts a query with a random condition in place of a table with a sample, unless [`is_unsupported`].
pub(super) fn rewrite(table: &mut TableFactor) {
    let TableFactor::Table { name, alias, sample, .. } = &mut *table else { return };
    let Some(percent) = sample.as_ref().and_then(percent) else { return };
    let Some(ObjectNamePart::Identifier(last)) = name.0.last().cloned() else { return };
    *sample = None;
    let alias = alias.take().unwrap_or_else(|| table_alias(last, []));
    let percent = cast(percent, DataType::Double(ExactNumberInfo::None));
    let probability = binary(percent, BinaryOperator::Divide, number(100));
    let condition = binary(call("random", Vec::new()), BinaryOperator::Lt, probability);
    let all = SelectItem::Wildcard(WildcardAdditionalOptions::default());
    *table = derived(query_of(vec![all], from_one(table.clone()), Some(condition)), alias);
}

/// The percentage of a sample without a seed. `SYSTEM`, which takes whole blocks of rows, takes rows here.
fn percent(kind: &TableSampleKind) -> Option<Expr> {
    let (TableSampleKind::BeforeTableAlias(sample) | TableSampleKind::AfterTableAlias(sample)) = kind;
    let quantity = sample.quantity.as_ref()?;
    let in_rows = matches!(quantity.unit, Some(TableSampleUnit::Rows));
    let is_simple = sample.seed.is_none() && sample.bucket.is_none() && sample.offset.is_none() && !in_rows;
    is_simple.then(|| quantity.value.clone())
}

/// Whether a table has a sample that is not supported.
pub(crate) fn is_unsupported(table: &TableFactor) -> bool {
    match table {
        TableFactor::Table { sample: Some(kind), .. } => percent(kind).is_none(),
        TableFactor::Derived { sample, .. } => sample.is_some(),
        _ => false,
    }
}
