//! `now()`, `current_date` and `current_time`: the time of the head block, so that the last day of a lake that ended has rows
//! too. A lake without blocks has the clock's.

use arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use crate::Doc;

pub const NOW_DOC: Doc = Doc {
    signature: "now()",
    text: "Time of the head block.",
    example: "select count(*) from transactions where block_timestamp > now() - interval '24' hour",
};
pub const TODAY_DOC: Doc =
    Doc { signature: "current_date()", text: "Day of the head block.", example: "select current_date()" };

pub const CLOCK_DOC: Doc =
    Doc { signature: "current_time()", text: "Time of day of the head block.", example: "select current_time()" };

const DAY: i64 = 86_400_000_000;

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

fn constant(name: &'static str, aliases: &[&str], value: ScalarValue, doc: Doc) -> ScalarUDF {
    let (aliases, documentation) = (aliases.iter().map(ToString::to_string).collect(), doc.documentation());
    // The same value wherever it stands in a query, and so folded before it runs.
    let signature = Signature::nullary(Volatility::Immutable);
    ScalarUDF::new_from_impl(Constant { name, aliases, value, signature, documentation })
}

#[derive(Debug)]
struct Constant {
    name: &'static str,
    aliases: Vec<String>,
    value: ScalarValue,
    signature: Signature,
    documentation: Documentation,
}

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        self.name == other.name && self.value == other.value
    }
}

impl Eq for Constant {}

impl std::hash::Hash for Constant {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.value.hash(state);
    }
}

impl ScalarUDFImpl for Constant {
    fn name(&self) -> &str {
        self.name
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match &self.value {
            ScalarValue::Date32(_) => DataType::Date32,
            ScalarValue::Time64Microsecond(_) => DataType::Time64(TimeUnit::Microsecond),
            _ => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        })
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
