//! `typeof(value)`: the name of a value's type as results show it.

use datafusion::logical_expr::Documentation;
use quarry_types::type_names::type_of;

use crate::prelude::*;

pub(super) fn udf() -> ScalarUDF {
    let doc = Doc {
        signature: "typeof(value)",
        text: "The name of a value's type, as shown in the header of a result column.",
        example: "select typeof(value), typeof(hash) from transactions limit 1",
    };
    let signature = Signature::any(1, Volatility::Immutable);
    ScalarUDF::new_from_impl(TypeOf { signature, documentation: doc.documentation() })
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
        Ok(ColumnarValue::Scalar(ScalarValue::Utf8(Some(type_of(&args.arg_fields[0])))))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
