//! `TABLESAMPLE BERNOULLI (10)`: a share of a table's rows, each taken or left by chance. The planner overlooks it.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, ExactNumberInfo, Expr, Ident, ObjectNamePart, SelectItem, TableAlias, TableFactor,
    TableSample, TableSampleKind, TableSampleUnit, TableWithJoins, WildcardAdditionalOptions,
};

use super::ast::{binary, call, cast, number, query_of};

/// Puts the rows that chance takes in place of a table of which a share is asked; what this can't do is left to
/// [`unknown`].
pub(super) fn rewrite(table: &mut TableFactor) {
    let TableFactor::Table { name, alias, sample, .. } = &mut *table else { return };
    let Some(share) = sample.as_ref().and_then(share) else { return };
    let named = match name.0.last() {
        Some(ObjectNamePart::Identifier(last)) => last.clone(),
        _ => return,
    };
    *sample = None;
    let alias = alias.take().unwrap_or_else(|| aliased(named));
    let rows = TableWithJoins { relation: table.clone(), joins: Vec::new() };
    let by_hundred =
        binary(cast(share, DataType::Double(ExactNumberInfo::None)), BinaryOperator::Divide, number("100"));
    let taken = binary(call("random", Vec::new()), BinaryOperator::Lt, by_hundred);
    let all = SelectItem::Wildcard(WildcardAdditionalOptions::default());
    let subquery = Box::new(query_of(vec![all], vec![rows], Some(taken)));
    *table = TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None };
}

fn aliased(name: Ident) -> TableAlias {
    TableAlias { explicit: true, name, columns: Vec::new(), at: None }
}

/// Percent of the rows; blocks of rows, as `SYSTEM` takes, are no better than rows here.
fn share(kind: &TableSampleKind) -> Option<Expr> {
    let sample = sample(kind);
    let quantity = sample.quantity.as_ref()?;
    let rows = matches!(quantity.unit, Some(TableSampleUnit::Rows));
    let plain = sample.seed.is_none() && sample.bucket.is_none() && sample.offset.is_none() && !rows;
    plain.then(|| quantity.value.clone())
}

fn sample(kind: &TableSampleKind) -> &TableSample {
    match kind {
        TableSampleKind::BeforeTableAlias(sample) | TableSampleKind::AfterTableAlias(sample) => sample,
    }
}

/// Whether a table is asked for a sample of a kind that nothing here takes.
pub(crate) fn unknown(table: &TableFactor) -> bool {
    match table {
        TableFactor::Table { sample: Some(kind), .. } => share(kind).is_none(),
        TableFactor::Derived { sample, .. } => sample.is_some(),
        _ => false,
    }
}
