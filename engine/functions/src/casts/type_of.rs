//! `typeof(value)`: the name of a value's type as results tell it.

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use crate::simple::Doc;
use quarry_types::type_names::type_of;

const DOC: Doc = Doc {
    signature: "typeof(value)",
    text: "The name of a value's type, as the head of a result column tells it.",
    example: "select typeof(value), typeof(hash) from transactions limit 1",
};

pub(super) fn udf() -> ScalarUDF {
    let signature = Signature::any(1, Volatility::Immutable);
    ScalarUDF::new_from_impl(TypeOf { signature, documentation: DOC.documentation() })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct TypeOf {
    signature: Signature,
    documentation: Documentation,
}

impl ScalarUDFImpl for TypeOf {
    fn name(&self) -> &str {
        "typeof"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arg_types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let field: &FieldRef = &args.arg_fields[0];
        Ok(ColumnarValue::Scalar(ScalarValue::Utf8(Some(type_of(field)))))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
