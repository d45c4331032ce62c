//! `min` and `max` that keep the metadata of a column: the largest of uint256 numbers is a uint256, not 32 bytes.

use std::cmp::Ordering;

use datafusion::functions_aggregate::min_max::{max_udaf, min_udaf};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, SetMonotonicity,
    StatisticsArgs,
};

use super::methods::as_builtin;
use super::nested_min_max::NestedMinMax;
use crate::prelude::*;

pub(super) fn aggregates() -> [Arc<AggregateUDF>; 2] {
    [min_udaf(), max_udaf()].map(|builtin| Arc::new(AggregateUDF::new_from_impl(MinMax { builtin })))
}

/// The kind of values in a type that have no order.
fn kind_without_order(data_type: &DataType) -> Option<&'static str> {
    match data_type {
        DataType::Map(..) => Some("map"),
        DataType::Union(..) => Some("union"),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            kind_without_order(item.data_type())
        }
        DataType::Struct(fields) => fields.iter().find_map(|field| kind_without_order(field.data_type())),
        _ => None,
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct MinMax {
    builtin: Arc<AggregateUDF>,
}

impl MinMax {
    /// The accumulator of lists, rows and intervals, which are compared as `<` compares them.
    fn nested(&self, args: &AccumulatorArgs, is_sliding: bool) -> Option<NestedMinMax> {
        let data_type = args.return_field.data_type();
        let order = if self.name() == "min" { Ordering::Less } else { Ordering::Greater };
        let is_ours = data_type.is_nested() || matches!(data_type, DataType::Interval(_));
        is_ours.then(|| NestedMinMax::new(data_type, order, is_sliding))
    }
}

impl AggregateUDFImpl for MinMax {
    as_builtin! {
        name() -> &str;
        signature() -> &Signature;
        return_type(types: &[DataType]) -> Result<DataType>;
        state_fields(args: StateFieldsArgs) -> Result<Vec<FieldRef>>;
        create_groups_accumulator(args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>>;
        order_sensitivity() -> AggregateOrderSensitivity;
        reverse_expr() -> ReversedUDAF;
        is_descending() -> Option<bool>;
        value_from_stats(args: &StatisticsArgs) -> Option<ScalarValue>;
        default_value(data_type: &DataType) -> Result<ScalarValue>;
        documentation() -> Option<&Documentation>;
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let field = self.builtin.return_field(fields)?;
        let metadata = fields.first().map(|from| from.metadata().clone()).unwrap_or_default();
        Ok(Arc::new(field.as_ref().clone().with_metadata(metadata)))
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if let Some(kind) = types.iter().find_map(kind_without_order) {
            let name = self.name();
            return Err(invalid(format!("{name} expects values that can be ordered, and a {kind} can't be.")));
        }
        self.builtin.coerce_types(types)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        match self.nested(&args, false) {
            Some(nested) => Ok(Box::new(nested)),
            None => self.builtin.inner().accumulator(args),
        }
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        match self.nested(&args, true) {
            Some(nested) => Ok(Box::new(nested)),
            None => self.builtin.inner().create_sliding_accumulator(args),
        }
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        self.nested(&args, false).is_none() && self.builtin.inner().groups_accumulator_supported(args)
    }

    /// The built-in functions are monotonic, from which DataFusion derives an order with nulls last. But a running `max` is null until
    /// there is a value, so its nulls come first (since <https://github.com/apache/datafusion/pull/14271>).
    fn set_monotonicity(&self, _: &DataType) -> SetMonotonicity {
        SetMonotonicity::NotMonotonic
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::Array;
    use datafusion::prelude::SessionContext;

    /// When this fails, DataFusion knows where the nulls of a running `max` are, and ours may be monotonic again.
    #[tokio::test]
    async fn the_builtin_max_still_claims_an_order_that_its_nulls_break() {
        let query = "select max(4) over (order by x rows between unbounded preceding and 1 preceding) as m from \
                     (values (1), (2)) t(x) order by m asc nulls last";
        let rows = SessionContext::new().sql(query).await.unwrap().collect().await.unwrap();
        assert!(rows[0].column(0).is_null(0));
    }
}
