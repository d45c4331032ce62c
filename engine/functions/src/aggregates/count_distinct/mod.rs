//! `count(distinct x)` of many groups in one hash set. The built-in one keeps a set per group, 46 KB each. The optimizer uses
//! it where one level of grouping by `x` would not do.

mod group_sets;
mod hash_values;

use std::sync::LazyLock;

use datafusion::logical_expr::expr::AggregateFunctionParams;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, GroupsAccumulator};

use super::single_group::SingleGroup;
use crate::aggregates::methods::name_and_signature;
use crate::prelude::*;
use group_sets::GroupSets;
use hash_values::{FixedWidth, Rows};

static COUNT: LazyLock<Arc<AggregateUDF>> = LazyLock::new(|| {
    let signature = Signature::any(1, Volatility::Immutable);
    Arc::new(AggregateUDF::new_from_impl(CountDistinct { signature }))
});

/// The shared function.
pub fn count_distinct() -> Arc<AggregateUDF> {
    COUNT.clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct CountDistinct {
    signature: Signature,
}

fn argument(fields: &[FieldRef]) -> Result<&DataType> {
    fields.first().map(|field| field.data_type()).ok_or_else(|| invalid("count(distinct …) takes one argument."))
}

/// Evaluates an expression with the group sets of a column type.
macro_rules! with_group_sets {
    ($data_type:expr, $sets:ident => $made:expr) => {
        match $data_type {
            DataType::FixedSizeBinary(20) => {
                let $sets = GroupSets::new(FixedWidth::<20>);
                $made
            }
            DataType::FixedSizeBinary(32) => {
                let $sets = GroupSets::new(FixedWidth::<32>);
                $made
            }
            DataType::FixedSizeBinary(33) => {
                let $sets = GroupSets::new(FixedWidth::<33>);
                $made
            }
            other => {
                let $sets = GroupSets::new(Rows::new(other)?);
                $made
            }
        }
    };
}

impl AggregateUDFImpl for CountDistinct {
    name_and_signature!("count_distinct");

    /// The name of the built-in call, so that the plan around it stays as it is.
    fn schema_name(&self, params: &AggregateFunctionParams) -> Result<String> {
        let distinct = AggregateFunctionParams { distinct: true, ..params.clone() };
        datafusion::functions_aggregate::count::count_udaf().schema_name(&distinct)
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
        let item = Field::new_list_field(argument(args.input_fields)?.clone(), true);
        Ok(vec![Arc::new(Field::new_list(format_state_name(args.name, "count distinct"), item, true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(with_group_sets!(argument(args.expr_fields)?, sets => Box::new(SingleGroup::new(sets, &args))))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(with_group_sets!(argument(args.expr_fields)?, sets => Box::new(sets)))
    }
}
