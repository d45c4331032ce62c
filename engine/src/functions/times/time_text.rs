//! Times and lengths of time as the text that results show.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, StringArray};
use arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::exec::results::{length_text, time_text as shown};
use crate::functions::simple::{Simple, invalid};

static TIME_TEXT: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    Arc::new(Simple::udf(
        "time_text",
        1..=1,
        None,
        |_| Ok(Arc::new(Field::new("time_text", DataType::Utf8, true))),
        |args, _| texts(&args[0]),
    ))
});

/// A time in UTC as `YYYY-MM-DD HH:mm:ss`, with the digits of its second where it has some; a length of time by its parts.
pub(crate) fn time_text() -> Arc<ScalarUDF> {
    TIME_TEXT.clone()
}

fn texts(times: &ArrayRef) -> Result<ArrayRef> {
    let text = |row: usize| match times.data_type() {
        _ if times.is_null(row) => Ok(None),
        DataType::Timestamp(unit, zone) => Ok(shown(times.as_ref(), *unit, zone.is_some(), row)),
        _ => length_text(times.as_ref(), row).map(Some).ok_or_else(|| invalid("A time is needed here.")),
    };
    Ok(Arc::new((0..times.len()).map(text).collect::<Result<StringArray>>()?))
}
