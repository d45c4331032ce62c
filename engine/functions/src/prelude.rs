//! What most functions are written with.

pub(crate) use std::sync::Arc;

pub(crate) use arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BooleanArray, Float64Array, Int64Array, StringArray,
};
pub(crate) use arrow::compute::cast;
pub(crate) use arrow::datatypes::{DataType, Field, FieldRef, Float64Type, Int64Type};
pub(crate) use datafusion::common::{DataFusionError, Result, ScalarValue};
pub(crate) use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
pub(crate) use quarry_types::byte_columns::{bytes_of, fixed, is_bytes, is_text, parse_hex, text_of};
pub(crate) use quarry_types::type_names::type_name;
pub(crate) use quarry_types::uint256::{Number, is_number};
pub(crate) use quarry_types::{ErrorCode, invalid, out_of_range, refuse};

pub(crate) use crate::rows::{columnar, float64s, int64s, map_rows, reuse_last, strict_cast, zip_rows};
pub(crate) use crate::scalar_udf::{
    Definition, Doc, FailsOn, MANY, Returns, doc, passes, returns, returns_first, scalar_udf, shared, takes,
    undocumented,
};
