//! `repeat(text, times)` is a text in most products; `repeat(element, times)` of anything else is a list, as in Trino.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use super::wrapped::{Wrapper, wrapped};
use quarry_types::byte_columns::is_text;

/// One function of two, told apart by what is repeated.
pub(super) fn udf(text: ScalarUDF, list: ScalarUDF) -> ScalarUDF {
    wrapped(Repeated { text, list })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Repeated {
    text: ScalarUDF,
    list: ScalarUDF,
}

impl Repeated {
    fn of(&self, first: Option<&DataType>) -> &ScalarUDF {
        if first.is_none_or(|from| is_text(from) || from.is_null()) { &self.text } else { &self.list }
    }
}

impl Wrapper for Repeated {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.text
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let field = |from: &DataType| Arc::new(Field::new("argument", from.clone(), true));
        let fields: Vec<FieldRef> = types.iter().map(field).collect();
        let coerced = fields_with_udf(&fields, self.of(types.first()))?;
        Ok(coerced.iter().map(|field| field.data_type().clone()).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.of(types.first()).return_type(types)
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.of(args.arg_fields.first().map(|field| field.data_type())).return_field_from_args(args)
    }

    fn invoke(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.of(args.arg_fields.first().map(|field| field.data_type())).clone().invoke_with_args(args)
    }

    fn simplify(&self, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let first = args.first().map(|arg| context.get_data_type(arg)).transpose()?;
        match self.of(first.as_ref()) {
            text if *text == self.text => text.simplify(args, context),
            _ => Ok(ExprSimplifyResult::Original(args)),
        }
    }
}
