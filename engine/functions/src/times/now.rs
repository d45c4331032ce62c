//! `now()`, `current_date` and `current_time`: the time of the head block, so that the last day of a lake that ended has rows
//! too. A lake without blocks has the clock's.

use datafusion::logical_expr::Documentation;

use super::values::DAY;
use crate::prelude::*;

pub const NOW_DOC: Doc = Doc {
    signature: "now()",
    text: "Time of the head block.",
    example: "select count(*) from transactions where block_timestamp > now() - interval '24' hour",
};
pub const TODAY_DOC: Doc =
    Doc { signature: "current_date()", text: "Date of the head block.", example: "select current_date()" };

pub const CLOCK_DOC: Doc =
    Doc { signature: "current_time()", text: "Time of day of the head block.", example: "select current_time()" };

/// The functions at a time, in microseconds since 1970.
pub fn at(micros: i64) -> [ScalarUDF; 3] {
    let time = ScalarValue::TimestampMicrosecond(Some(micros), Some("UTC".into()));
    let day = ScalarValue::Date32(i32::try_from(micros.div_euclid(DAY)).ok());
    let clock = ScalarValue::Time64Microsecond(Some(micros.rem_euclid(DAY)));
    [
        constant("now", &["current_timestamp", "localtimestamp"], time, NOW_DOC),
        constant("current_date", &["today"], day, TODAY_DOC),
        constant("current_time", &["localtime"], clock, CLOCK_DOC),
    ]
}

fn constant(name: &'static str, aliases: &'static [&'static str], value: ScalarValue, doc: Doc) -> ScalarUDF {
    // The value is the same everywhere in a query, so the optimizer may fold it.
    let signature = Signature::nullary(Volatility::Immutable);
    let constant = Constant { name, value, signature, documentation: doc.documentation() };
    ScalarUDF::new_from_impl(constant).with_aliases(aliases.iter().copied())
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Constant {
    name: &'static str,
    value: ScalarValue,
    signature: Signature,
    documentation: Documentation,
}

impl ScalarUDFImpl for Constant {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.value.data_type())
    }

    fn return_field_from_args(&self, _: ReturnFieldArgs) -> Result<FieldRef> {
        Ok(Field::new(self.name, self.return_type(&[])?, true).into())
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        Ok(ColumnarValue::Scalar(self.value.clone()))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
