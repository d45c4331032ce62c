//! `count(distinct x)` of many groups in one hash set. The stock one keeps a set per group, 46 KB each. Not called by name:
//! the optimizer puts it in where one level of grouping by `x` would not do.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, Int64Array};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::expr::AggregateFunctionParams;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};

use super::exact::sets::GroupSets;
use super::exact::values::{Bytes, Rows, Values};
use crate::shared_aggregate;
use quarry_types::invalid;

static COUNT: LazyLock<Arc<AggregateUDF>> = LazyLock::new(|| {
    let signature = Signature::any(1, Volatility::Immutable);
    shared_aggregate(AggregateUDF::new_from_impl(CountDistinct { signature }))
});

/// The shared function.
pub fn count_distinct() -> Arc<AggregateUDF> {
    COUNT.clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct CountDistinct {
    signature: Signature,
}

fn input(args: &AccumulatorArgs) -> Result<DataType> {
    let field = args.expr_fields.first().ok_or_else(|| invalid("count(distinct …) takes one argument."))?;
    Ok(field.data_type().clone())
}

/// Runs an expression with the kind of values that a column holds.
macro_rules! with_values {
    ($data_type:expr, $kind:ident => $work:expr) => {
        match $data_type {
            DataType::FixedSizeBinary(20) => {
                let $kind = Bytes::<20>;
                $work
            }
            DataType::FixedSizeBinary(32) => {
                let $kind = Bytes::<32>;
                $work
            }
            DataType::FixedSizeBinary(33) => {
                let $kind = Bytes::<33>;
                $work
            }
            other => {
                let $kind = Rows::new(&other)?;
                $work
            }
        }
    };
}

impl AggregateUDFImpl for CountDistinct {
    fn name(&self) -> &str {
        "count_distinct"
    }

    /// The name of what it stands for, so that the plan around it stays as it is.
    fn schema_name(&self, params: &AggregateFunctionParams) -> Result<String> {
        let distinct = AggregateFunctionParams { distinct: true, ..params.clone() };
        datafusion::functions_aggregate::count::count_udaf().schema_name(&distinct)
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn is_nullable(&self) -> bool {
        false
    }

    fn default_value(&self, _: &DataType) -> Result<ScalarValue> {
        Ok(ScalarValue::Int64(Some(0)))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let value = args.input_fields.first().ok_or_else(|| invalid("count(distinct …) takes one argument."))?;
        let item = Arc::new(Field::new_list_field(value.data_type().clone(), true));
        Ok(vec![Arc::new(Field::new(format_state_name(args.name, "count distinct"), DataType::List(item), true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(with_values!(input(&args)?, kind => Box::new(OneGroup { groups: GroupSets::new(kind) })))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(with_values!(input(&args)?, kind => Box::new(GroupSets::new(kind))))
    }
}

/// The same without `group by`: everything is one group.
struct OneGroup<V: Values> {
    groups: GroupSets<V>,
}

impl<V: Values> std::fmt::Debug for OneGroup<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OneGroup")
    }
}

impl<V: Values> Accumulator for OneGroup<V> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.groups.update_batch(values, &vec![0; values[0].len()], None, 1)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.groups.merge_batch(states, &vec![0; states[0].len()], 1)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        // Without rows there is no group yet; an empty batch makes it.
        self.start()?;
        let state = self.groups.state(EmitTo::All)?;
        state.iter().map(|array| ScalarValue::try_from_array(array, 0)).collect()
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.start()?;
        ScalarValue::try_from_array(&self.groups.evaluate(EmitTo::All)?, 0)
    }

    fn size(&self) -> usize {
        self.groups.size()
    }
}

impl<V: Values> OneGroup<V> {
    fn start(&mut self) -> Result<()> {
        let nothing: ArrayRef = Arc::new(Int64Array::from(Vec::<i64>::new()));
        self.groups.update_batch(&[nothing], &[], None, 1)
    }
}
