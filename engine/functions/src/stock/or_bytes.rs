//! Functions of texts that are functions of bytes too, under one name: what they make of bytes is known to be bytes as soon as
//! they are written, so that others can take it.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

use super::wrapped::{Wrapper, wrapped};
use quarry_types::byte_columns::is_bytes;
use quarry_types::uint256::is_number;

/// One function of two: that of bytes where every argument at these places is bytes, of all places where none is named.
pub(crate) fn or_bytes(text: ScalarUDF, bytes: Arc<ScalarUDF>, places: &'static [usize]) -> ScalarUDF {
    wrapped(OfBytes { text, bytes, places })
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct OfBytes {
    text: ScalarUDF,
    bytes: Arc<ScalarUDF>,
    places: &'static [usize],
}

impl OfBytes {
    fn is_of_bytes(&self, types: &[&DataType]) -> bool {
        let asked = |place: &usize| self.places.is_empty() || self.places.contains(place);
        let mut asked = types.iter().enumerate().filter(|(place, _)| asked(place)).map(|(_, data_type)| data_type);
        let bytes = |data_type: &DataType| is_bytes(data_type) && !is_number(data_type);
        let any = asked.clone().any(|data_type| bytes(data_type));
        any && types.len() > self.places.last().copied().unwrap_or_default()
            && asked.all(|data_type| bytes(data_type) || data_type.is_null())
    }

    /// The function of texts, where these are no bytes for the other one.
    pub fn of_texts(&self, types: &[DataType]) -> Option<&ScalarUDF> {
        (!self.is_of_bytes(&types.iter().collect::<Vec<_>>())).then_some(&self.text)
    }

    fn of(&self, fields: &[FieldRef]) -> &ScalarUDF {
        let types: Vec<&DataType> = fields.iter().map(|field| field.data_type()).collect();
        if self.is_of_bytes(&types) { &self.bytes } else { &self.text }
    }
}

impl Wrapper for OfBytes {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.text
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if self.is_of_bytes(&types.iter().collect::<Vec<_>>()) {
            let taken = |from: &DataType| if from.is_null() { DataType::Binary } else { from.clone() };
            return Ok(types.iter().map(taken).collect());
        }
        let field = |from: &DataType| Arc::new(Field::new("argument", from.clone(), true)) as FieldRef;
        let fields: Vec<FieldRef> = types.iter().map(field).collect();
        let coerced = fields_with_udf(&fields, &self.text)?;
        Ok(coerced.iter().map(|field| field.data_type().clone()).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let function = if self.is_of_bytes(&types.iter().collect::<Vec<_>>()) { &*self.bytes } else { &self.text };
        function.return_type(types)
    }

    fn return_field(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.of(args.arg_fields).return_field_from_args(args)
    }

    fn invoke(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.of(&args.arg_fields).clone().invoke_with_args(args)
    }

    fn simplify(&self, args: Vec<Expr>, context: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let types = args.iter().map(|arg| context.get_data_type(arg)).collect::<Result<Vec<DataType>>>()?;
        match self.is_of_bytes(&types.iter().collect::<Vec<_>>()) {
            true => Ok(ExprSimplifyResult::Original(args)),
            false => self.text.simplify(args, context),
        }
    }
}
