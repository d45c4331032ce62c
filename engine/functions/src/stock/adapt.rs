//! Stock functions that may be handed bytes and 256-bit numbers: they say as what they take them, and `exec::exact`
//! converts before the call.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF, Signature, Volatility};

use super::wrapped::{Wrapper, wrapped};
use quarry_types::byte_columns::is_bytes;
use quarry_types::invalid;
use quarry_types::uint256::is_number;

/// As what a function takes bytes and 256-bit numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Takes {
    /// Numbers as doubles: roots, powers, logarithms, statistics.
    Doubles,
    /// The same but for 256-bit numbers and decimals without a fraction, which stay what they are.
    WholeOrDoubles,
    /// The same but for 256-bit numbers and decimals, which stay what they are.
    DecimalsOrDoubles,
    /// Every number as a double.
    Floats,
    /// Numbers as decimals of 76 digits: rounding.
    Decimals,
    /// Bytes as hex, numbers as digits, null as a text.
    Texts,
    /// Both as plain bytes.
    Bytes,
    /// Lengths of time as whole numbers.
    Lengths,
    /// Neither.
    NoBytes,
}

impl Takes {
    /// The type a function takes in the place of one it does not know.
    pub fn adapt(self, from: &DataType) -> DataType {
        match self {
            Takes::Doubles if is_number(from) => DataType::Float64,
            // Estimates and statistics of decimals are doubles anyway.
            Takes::Doubles if from.is_decimal() => DataType::Float64,
            Takes::WholeOrDoubles if is_number(from) => from.clone(),
            Takes::WholeOrDoubles if matches!(from, DataType::Decimal128(_, 0) | DataType::Decimal256(_, 0)) => {
                from.clone()
            }
            Takes::DecimalsOrDoubles if is_number(from) => from.clone(),
            Takes::DecimalsOrDoubles if matches!(from, DataType::Decimal128(..) | DataType::Decimal256(..)) => {
                from.clone()
            }
            Takes::WholeOrDoubles | Takes::DecimalsOrDoubles => Takes::Doubles.adapt(from),
            Takes::Floats if is_number(from) || from.is_numeric() => DataType::Float64,
            Takes::Decimals if is_number(from) => DataType::Decimal256(76, 0),
            Takes::Texts if is_bytes(from) || from.is_null() => DataType::Utf8,
            Takes::Bytes if is_bytes(from) => DataType::Binary,
            Takes::Lengths if matches!(from, DataType::Duration(_)) => DataType::Int64,
            _ => from.clone(),
        }
    }

    pub fn adapt_all(self, types: &[DataType]) -> Vec<FieldRef> {
        types.iter().map(|from| Arc::new(Field::new("argument", self.adapt(from), true))).collect()
    }
}

/// Names by which stock functions go too, and which are functions of our own.
const OURS: [&str; 2] = ["date_format", "element_at"];

/// A stock function under the names of other dialects too.
pub(crate) fn adapted(stock: &Arc<ScalarUDF>, takes: Takes, aliases: &[&str]) -> ScalarUDF {
    let mut all = stock.aliases().to_vec();
    all.retain(|alias| !OURS.contains(&alias.as_str()));
    all.extend(aliases.iter().map(|alias| alias.to_string()));
    wrapped(Adapted { stock: stock.clone(), takes, aliases: all })
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Adapted {
    stock: Arc<ScalarUDF>,
    takes: Takes,
    aliases: Vec<String>,
}

impl Adapted {
    /// The arguments as the stock function takes them.
    pub fn wanted(&self, types: &[DataType]) -> Result<Vec<FieldRef>> {
        if self.takes == Takes::NoBytes && types.iter().any(is_bytes) {
            let name = self.stock.aliases().first().map_or(self.stock.name(), String::as_str);
            return Err(invalid(format!("{name} takes a text or bytes, not a number of 256 bits.")));
        }
        fields_with_udf(&self.takes.adapt_all(types), self.stock.as_ref())
    }
}

/// The type to which the planner may bring an argument: bytes and 256-bit numbers stay, since it knows no way from them;
/// `exec::exact` converts them.
pub(crate) fn unless_converted(from: &DataType, to: &DataType) -> DataType {
    if is_bytes(from) && !is_bytes(to) { from.clone() } else { to.clone() }
}

/// The types to which a function's own signature brings its arguments.
pub(crate) fn coerced(function: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
    let fields = fields_with_udf(&Takes::NoBytes.adapt_all(types), function)?;
    Ok(fields.iter().map(|field| field.data_type().clone()).collect())
}

/// A field with the type of another.
pub(crate) fn retyped(field: &FieldRef, to: &FieldRef) -> FieldRef {
    match field.data_type() == to.data_type() {
        true => field.clone(),
        false => Arc::new(field.as_ref().clone().with_data_type(to.data_type().clone())),
    }
}

impl Wrapper for Adapted {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let wanted = self.wanted(types)?;
        Ok(types.iter().zip(wanted).map(|(from, field)| unless_converted(from, field.data_type())).collect())
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<DataType> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        let wanted = self.wanted(&types)?;
        let fields: Vec<FieldRef> = args.arg_fields.iter().zip(wanted).map(|(field, to)| retyped(field, &to)).collect();
        self.stock
            .return_field_from_args(ReturnFieldArgs { arg_fields: &fields, scalar_arguments: args.scalar_arguments })
    }
}

/// The signature of functions whose arguments are looked at by `coerce_types`.
pub(crate) fn any_arguments() -> Signature {
    Signature::user_defined(Volatility::Immutable)
}
