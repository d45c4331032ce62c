//! `approx_percentile` of whole numbers, decimals without a fraction and 256-bit numbers among them: one of the numbers, as in
//! Trino, not a number between two of them.

mod quantile_sketch;

use arrow::datatypes::i256;
use datafusion::functions_aggregate::approx_percentile_cont::approx_percentile_cont_udaf;
use datafusion::functions_aggregate::approx_percentile_cont_with_weight::approx_percentile_cont_with_weight_udaf;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Documentation};

use super::adapted::adapted;
use super::constant_argument::constant_between;
use super::ordered_number::Number256;
use crate::aggregates::methods::name_and_signature;
use crate::prelude::*;
use crate::wrappers::adapt::{Coercion, any_arguments};
use quantile_sketch::{QuantileSketch, WHOLE, WIDE_WHOLE, kept_type};
use quarry_types::uint256::NUMBER;

/// The aggregate that `approx_quantiles` becomes; people don't write it.
pub const NEAREST_PERCENTILE: &str = "nearest_percentile";

const DOC: Doc = Doc {
    signature: "approx_percentile(number, weight, share)",
    text: "The approximate percentile of a group at a fraction (share): one of the values for integers, possibly between two of them for fractional numbers. The optional weight is the number of times each value counts.",
    example: "select approx_percentile(gas_used, 0.9) from blocks",
};

pub(crate) fn aggregates() -> Vec<Arc<AggregateUDF>> {
    let all = [
        Percentile {
            name: "approx_percentile",
            above: true,
            documentation: Some(DOC.documentation()),
            signature: any_arguments(),
        },
        Percentile { name: NEAREST_PERCENTILE, above: false, documentation: None, signature: any_arguments() },
    ];
    all.map(|function| adapted(&Arc::new(AggregateUDF::new_from_impl(function)), Coercion::WholeOrDoubles, &[])).into()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Percentile {
    name: &'static str,
    /// Whether more than the share must lie up to the answer (Trino), or as much is enough (BigQuery).
    above: bool,
    documentation: Option<Documentation>,
    signature: Signature,
}

/// The built-in function for fractions, with weights or without.
fn builtin(arguments: usize) -> Arc<AggregateUDF> {
    match arguments {
        3 => approx_percentile_cont_with_weight_udaf(),
        _ => approx_percentile_cont_udaf(),
    }
}

fn is_whole(data_type: &DataType) -> bool {
    data_type.is_integer() && *data_type != DataType::UInt64
}

/// The type of the values after coercion, if they and their weights are whole numbers.
fn whole_type(types: &[DataType]) -> Option<DataType> {
    let (value, rest) = types.split_first()?;
    let (_, weights) = rest.split_last()?;
    match value {
        _ if !weights.iter().all(is_whole) => None,
        DataType::Decimal128(_, 0) => Some(WHOLE),
        DataType::Decimal256(_, 0) => Some(WIDE_WHOLE),
        value if is_number(value) => Some(NUMBER),
        value => is_whole(value).then_some(DataType::Int64),
    }
}

fn types_of(fields: &[FieldRef]) -> Vec<DataType> {
    fields.iter().map(|field| field.data_type().clone()).collect()
}

impl AggregateUDFImpl for Percentile {
    name_and_signature!();

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if !(2..=3).contains(&types.len()) {
            return Err(invalid(
                "approx_percentile expects a number, optionally a weight, and a percentile from 0 to 1.",
            ));
        }
        if let Some(value) = whole_type(types)
            && types.last().is_some_and(DataType::is_numeric)
        {
            let mut taken = vec![DataType::Int64; types.len()];
            taken[0] = value;
            taken[types.len() - 1] = DataType::Float64;
            return Ok(taken);
        }
        let builtin_type = |from: &DataType| if from.is_decimal() { DataType::Float64 } else { from.clone() };
        let fields: Vec<FieldRef> =
            types.iter().map(|from| Arc::new(Field::new("argument", builtin_type(from), true))).collect();
        Ok(types_of(&fields_with_udf(&fields, builtin(types.len()).as_ref())?))
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match whole_type(types) {
            Some(value) => Ok(value),
            None => builtin(types.len()).return_type(types),
        }
    }

    /// A 256-bit number keeps its metadata: whether it is signed.
    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        let field = Field::new(self.name, self.return_type(&types_of(fields))?, true);
        Ok(Arc::new(match fields.first().filter(|of| is_number(of.data_type())) {
            Some(of) => field.with_metadata(of.metadata().clone()),
            None => field,
        }))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let Some(value) = whole_type(&types_of(args.input_fields)) else {
            return builtin(args.input_fields.len()).state_fields(args);
        };
        let list = |name: &str, of: DataType| {
            let name = format_state_name(args.name, name);
            Arc::new(Field::new_list(name, Field::new_list_field(of, true), true))
        };
        Ok(vec![list("kept", kept_type(&value)), list("counts", DataType::Int64)])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let Some(value) = whole_type(&types_of(args.expr_fields)) else {
            return builtin(args.exprs.len()).accumulator(args);
        };
        const SHARE: &str = "approx_percentile expects a constant percentile from 0 to 1.";
        let share = args.exprs.last().ok_or_else(|| invalid(SHARE))?;
        let share = constant_between(share, 0.0, 1.0, SHARE)?;
        Ok(match value {
            NUMBER => Box::new(QuantileSketch::<Number256>::new(share, self.above, value)),
            WIDE_WHOLE => Box::new(QuantileSketch::<i256>::new(share, self.above, value)),
            _ => Box::new(QuantileSketch::<i128>::new(share, self.above, value)),
        })
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.documentation.as_ref()
    }
}
