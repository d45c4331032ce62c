//! Built-in functions that take bytes and 256-bit numbers too. Each declares the types that it converts them to; the planner converts
//! the arguments.

use datafusion::logical_expr::type_coercion::functions::fields_with_udf;

use super::wrapper::{Wrapper, wrapped};
use crate::prelude::*;

/// The types to which a function converts bytes and 256-bit numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Coercion {
    /// Numbers as doubles: roots, powers, logarithms, statistics.
    Doubles,
    /// Like `Doubles`, but 256-bit numbers and decimals without a fraction stay.
    WholeOrDoubles,
    /// Like `Doubles`, but 256-bit numbers and decimals stay.
    DecimalsOrDoubles,
    /// Every number as a double.
    Floats,
    /// Numbers as decimals of 76 digits: rounding.
    Decimals,
    /// Bytes as hex, numbers as digits, null as a text.
    Texts,
    /// Bytes and 256-bit numbers as `Binary`.
    Bytes,
    /// Lengths of time as whole numbers.
    Lengths,
    /// Neither bytes nor 256-bit numbers.
    NoBytes,
}

impl Coercion {
    /// The type to which an argument of a type is converted.
    pub fn adapt(self, from: &DataType) -> DataType {
        match self {
            // Estimates and statistics of decimals are doubles anyway.
            Coercion::Doubles if is_number(from) || from.is_decimal() => DataType::Float64,
            Coercion::WholeOrDoubles | Coercion::DecimalsOrDoubles if is_number(from) => from.clone(),
            Coercion::WholeOrDoubles if matches!(from, DataType::Decimal128(_, 0) | DataType::Decimal256(_, 0)) => {
                from.clone()
            }
            Coercion::DecimalsOrDoubles if matches!(from, DataType::Decimal128(..) | DataType::Decimal256(..)) => {
                from.clone()
            }
            Coercion::WholeOrDoubles | Coercion::DecimalsOrDoubles => Coercion::Doubles.adapt(from),
            Coercion::Floats if is_number(from) || from.is_numeric() => DataType::Float64,
            Coercion::Decimals if is_number(from) => DataType::Decimal256(76, 0),
            Coercion::Texts if is_bytes(from) || from.is_null() => DataType::Utf8,
            Coercion::Bytes if is_bytes(from) => DataType::Binary,
            Coercion::Lengths if matches!(from, DataType::Duration(_)) => DataType::Int64,
            _ => from.clone(),
        }
    }

    pub fn adapt_all(self, types: &[DataType]) -> Vec<FieldRef> {
        types.iter().map(|from| Arc::new(Field::new("argument", self.adapt(from), true))).collect()
    }
}

/// Aliases of built-in functions that our functions have as names.
const OWN_NAMES: [&str; 2] = ["date_format", "element_at"];

/// A built-in function with this coercion and with more names.
pub(crate) fn adapted(builtin: &Arc<ScalarUDF>, coercion: Coercion, aliases: &[&str]) -> ScalarUDF {
    let own = builtin.aliases().iter().filter(|alias| !OWN_NAMES.contains(&alias.as_str())).cloned();
    let aliases = own.chain(aliases.iter().map(ToString::to_string)).collect();
    wrapped(builtin.clone(), Adapted { coercion, aliases })
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Adapted {
    coercion: Coercion,
    aliases: Vec<String>,
}

impl Adapted {
    /// The arguments as the built-in function takes them.
    pub fn argument_fields(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<FieldRef>> {
        if self.coercion == Coercion::NoBytes && types.iter().any(is_bytes) {
            let name = builtin.aliases().first().map_or(builtin.name(), String::as_str);
            return Err(invalid(format!("{name} expects a string or bytes, got a 256-bit number.")));
        }
        fields_with_udf(&self.coercion.adapt_all(types), builtin)
    }
}

/// The type to which DataFusion may coerce an argument: bytes and 256-bit numbers stay, since it has no casts from them; a rule of
/// ours converts them.
pub(crate) fn unless_converted(from: &DataType, to: &DataType) -> DataType {
    if is_bytes(from) && !is_bytes(to) { from.clone() } else { to.clone() }
}

/// The types to which a function's own signature coerces its arguments.
pub(crate) fn coerced(function: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
    let fields = fields_with_udf(&Coercion::NoBytes.adapt_all(types), function)?;
    Ok(fields.iter().map(|field| field.data_type().clone()).collect())
}

/// The types of fields.
pub(crate) fn types_of(fields: &[FieldRef]) -> Vec<DataType> {
    fields.iter().map(|field| field.data_type().clone()).collect()
}

/// A field with another type.
pub(crate) fn retyped_to(field: &FieldRef, to: DataType) -> FieldRef {
    Arc::new(field.as_ref().clone().with_data_type(to))
}

/// A field with the type of another.
pub(crate) fn retyped(field: &FieldRef, to: &FieldRef) -> FieldRef {
    match field.data_type() == to.data_type() {
        true => field.clone(),
        false => retyped_to(field, to.data_type().clone()),
    }
}

impl Wrapper for Adapted {
    const OWN_TYPES: bool = true;

    fn aliases<'a>(&'a self, _: &'a ScalarUDF) -> &'a [String] {
        &self.aliases
    }

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        let fields = self.argument_fields(builtin, types)?;
        Ok(types.iter().zip(fields).map(|(from, field)| unless_converted(from, field.data_type())).collect())
    }

    fn return_field(&self, builtin: &ScalarUDF, args: ReturnFieldArgs) -> Result<FieldRef> {
        let fields = self.argument_fields(builtin, &types_of(args.arg_fields))?;
        let fields: Vec<FieldRef> = args.arg_fields.iter().zip(fields).map(|(field, to)| retyped(field, &to)).collect();
        builtin.return_field_from_args(ReturnFieldArgs { arg_fields: &fields, scalar_arguments: args.scalar_arguments })
    }
}

/// The signature of functions that coerce their arguments themselves.
pub(crate) fn any_arguments() -> Signature {
    Signature::user_defined(Volatility::Immutable)
}
