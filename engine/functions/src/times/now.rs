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

/// The name of a function, its other names and its documentation.
type Named = (&'static str, &'static [&'static str], Doc);

const FUNCTIONS: [Named; 3] = [
    ("now", &["current_timestamp", "localtimestamp"], NOW_DOC),
    ("current_date", &["today"], TODAY_DOC),
    ("current_time", &["localtime"], CLOCK_DOC),
];

/// The functions at a time, in microseconds since 1970.
pub fn at(micros: i64) -> [ScalarUDF; 3] {
    let time = ScalarValue::TimestampMicrosecond(Some(micros), Some("UTC".into()));
    let day = ScalarValue::Date32(i32::try_from(micros.div_euclid(DAY)).ok());
    let clock = ScalarValue::Time64Microsecond(Some(micros.rem_euclid(DAY)));
    let [now, current_date, current_time] = FUNCTIONS;
    [constant(now, time), constant(current_date, day), constant(current_time, clock)]
}

/// The function of a name with a value; `None` for other names.
pub(crate) fn with_value(name: &str, value: ScalarValue) -> Option<ScalarUDF> {
    FUNCTIONS.into_iter().find(|(known, ..)| *known == name).map(|function| constant(function, value))
}

/// The name and the value of one of these functions; `None` for other functions.
pub(crate) fn value_of(function: &ScalarUDF) -> Option<(&'static str, &ScalarValue)> {
    let constant = function.inner().downcast_ref::<Constant>()?;
    Some((constant.name, &constant.value))
}

fn constant((name, aliases, doc): Named, value: ScalarValue) -> ScalarUDF {
    ScalarUDF::new_from_impl(Constant {
        name,
        aliases: aliases.iter().map(ToString::to_string).collect(),
        value,
        // The value is the same everywhere in a query, so the optimizer may fold it.
        signature: Signature::nullary(Volatility::Immutable),
        documentation: doc.documentation(),
    })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Constant {
    name: &'static str,
    aliases: Vec<String>,
    value: ScalarValue,
    signature: Signature,
    documentation: Documentation,
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
