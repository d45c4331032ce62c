//! `avg` of decimals, exact: the stock one adds up 38-digit decimals in 128 bits and wraps around without a word, so they
//! are widened to 256 bits first, where no number of rows can overflow. uint256 and int256 have a mean of their own.

use std::sync::{Arc, LazyLock};

use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::functions_aggregate::average::avg_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, Signature, Volatility,
};

use super::aggregate::mean::{MEAN, Mean};
use super::aggregate::number::SUM_STATE;
use super::shared_aggregate;
use super::uint256::is_number;

static AVG: LazyLock<Arc<AggregateUDF>> = LazyLock::new(|| {
    let signature = Signature::user_defined(Volatility::Immutable);
    shared_aggregate(AggregateUDF::new_from_impl(Avg {
        stock: avg_udaf(),
        signature,
        aliases: vec!["mean".to_string()],
    }))
});

/// The shared function.
pub(super) fn avg() -> Arc<AggregateUDF> {
    AVG.clone()
}

fn of_numbers(args: &AccumulatorArgs) -> bool {
    args.expr_fields.first().is_some_and(|field| is_number(field.data_type()))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Avg {
    stock: Arc<AggregateUDF>,
    signature: Signature,
    aliases: Vec<String>,
}

impl AggregateUDFImpl for Avg {
    fn name(&self) -> &str {
        "avg"
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [DataType::Decimal128(precision, scale)] => Ok(vec![DataType::Decimal256(*precision, *scale)]),
            [DataType::Decimal256(..)] | [DataType::Duration(_)] => Ok(types.to_vec()),
            [number] if is_number(number) => Ok(types.to_vec()),
            [number] if number.is_numeric() || number.is_null() => Ok(vec![DataType::Float64]),
            _ => Err(super::simple::invalid("avg takes a number; cast to a number first.")),
        }
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        if types.first().is_some_and(is_number) {
            return Ok(MEAN);
        }
        self.stock.return_type(types)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if args.input_fields.first().is_some_and(|field| is_number(field.data_type())) {
            let (sum, count) = (format_state_name(args.name, "sum"), format_state_name(args.name, "count"));
            let fields = [Field::new(sum, SUM_STATE, true), Field::new(count, DataType::Int64, true)];
            return Ok(fields.map(Arc::new).into());
        }
        self.stock.state_fields(args)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if of_numbers(&args) {
            return Ok(Box::new(Mean::default()));
        }
        self.stock.accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if of_numbers(&args) {
            return Ok(Box::new(Mean::default()));
        }
        self.stock.create_sliding_accumulator(args)
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !of_numbers(&args) && self.stock.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.stock.create_groups_accumulator(args)
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        self.stock.reverse_udf()
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.stock.documentation()
    }
}
