//! `min` and `max` that remember what a column means: the largest of uint256 numbers is a uint256, not 32 bytes.

use std::sync::Arc;

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions_aggregate::min_max::{max_udaf, min_udaf};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::AggregateOrderSensitivity;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, SetMonotonicity,
    Signature, StatisticsArgs,
};

use quarry_types::invalid;

/// The two functions.
pub(crate) fn both() -> [Arc<AggregateUDF>; 2] {
    [min_udaf(), max_udaf()].map(|stock| Arc::new(AggregateUDF::new_from_impl(Extreme { stock })))
}

/// What of a type no two values can be put in order by.
pub(super) fn without_order(data_type: &DataType) -> Option<&'static str> {
    match data_type {
        DataType::Map(..) => Some("map"),
        DataType::Union(..) => Some("union"),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            without_order(item.data_type())
        }
        DataType::Struct(fields) => fields.iter().find_map(|field| without_order(field.data_type())),
        _ => None,
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Extreme {
    stock: Arc<AggregateUDF>,
}

impl AggregateUDFImpl for Extreme {
    fn name(&self) -> &str {
        self.stock.name()
    }

    fn signature(&self) -> &Signature {
        self.stock.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.stock.return_type(types)
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let field = self.stock.return_field(fields)?;
        let metadata = fields.first().map(|from| from.metadata().clone()).unwrap_or_default();
        Ok(Arc::new(field.as_ref().clone().with_metadata(metadata)))
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if let Some(found) = types.iter().find_map(without_order) {
            let name = self.name();
            return Err(invalid(format!("{name} takes values that have an order, and a {found} has none.")));
        }
        self.stock.coerce_types(types)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        self.stock.state_fields(args)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.stock.accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.stock.create_sliding_accumulator(args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        self.stock.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.stock.create_groups_accumulator(args)
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        self.stock.order_sensitivity()
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.stock.reverse_udf()
    }

    fn is_descending(&self) -> Option<bool> {
        self.stock.is_descending()
    }

    fn value_from_stats(&self, args: &StatisticsArgs) -> Option<ScalarValue> {
        self.stock.value_from_stats(args)
    }

    fn default_value(&self, data_type: &DataType) -> Result<ScalarValue> {
        self.stock.default_value(data_type)
    }

    /// The stock functions are monotonic, from which DataFusion derives an order with nulls last. But a running `max` is null until
    /// there is a value, so its nulls come first (since <https://github.com/apache/datafusion/pull/14271>).
    fn set_monotonicity(&self, _: &DataType) -> SetMonotonicity {
        SetMonotonicity::NotMonotonic
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.stock.documentation()
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::Array;
    use datafusion::prelude::SessionContext;

    /// When this fails, DataFusion knows where the nulls of a running `max` are, and ours may be monotonic again.
    #[tokio::test]
    async fn the_stock_max_still_takes_rows_with_nulls_first_for_sorted_ones() {
        let query = "select max(4) over (order by x rows between unbounded preceding and 1 preceding) as m \
            from (values (1), (2)) t(x) order by m asc nulls last";
        let rows = SessionContext::new().sql(query).await.unwrap().collect().await.unwrap();
        assert!(rows[0].column(0).is_null(0));
    }
}
