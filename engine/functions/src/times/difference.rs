//! `date_diff(unit, from, to)`: whole units that passed; `datediff(unit, from, to)`: borders between units.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::unit::Unit;
use super::{DAY, is_time, micros};
use crate::simple::{Doc, Simple};
use quarry_types::byte_columns::is_text;
use quarry_types::invalid;

const PASSED_DOC: Doc = Doc {
    signature: "date_diff(unit, from, to)",
    text: "Whole units that passed between two times, negative backwards; date_diff(later, earlier, unit) counts borders.",
    example: "select date_diff('day', timestamp '2024-02-28 12:00:00', timestamp '2024-03-01 00:00:00')",
};
const BORDERS_DOC: Doc = Doc {
    signature: "datediff(unit, from, to)",
    text: "Borders between units that lie between two times: midnights, for days; datediff(to, from) counts days.",
    example: "select datediff('day', timestamp '2024-02-28 23:59:00', timestamp '2024-03-01 00:00:00')",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("date_diff", 3..=3, Some(PASSED_DOC), difference, |args, _| {
            each(Unit::parse_all(&args[0])?, &args[1], &args[2], Unit::passed)
        }),
        Simple::udf("datediff", 2..=3, Some(BORDERS_DOC), difference, |args, _| match args {
            [unit, from, to] => each(Unit::parse_all(unit)?, from, to, Unit::borders),
            [to, from] => each(vec![Some(Unit::Micros(DAY)); to.len()], from, to, Unit::borders),
            _ => Err(invalid("datediff takes a unit and two times.")),
        }),
    ]
}

fn difference(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let times = &args.arg_fields[args.arg_fields.len() - 2..];
    let unit = args.arg_fields.len() == 2 || is_text(args.arg_fields[0].data_type());
    if !unit || !times.iter().all(|field| is_time(field.data_type())) {
        return Err(invalid("A unit and two times are needed, as date_diff('day', first, last)."));
    }
    Ok(Arc::new(Field::new("difference", DataType::Int64, true)))
}

fn each(
    units: Vec<Option<Unit>>,
    from: &ArrayRef,
    to: &ArrayRef,
    count: fn(Unit, i64, i64) -> Result<i64>,
) -> Result<ArrayRef> {
    let rows = units.into_iter().zip(micros(from)?).zip(micros(to)?);
    let counts = rows.map(|row| match row {
        ((Some(unit), Some(from)), Some(to)) => count(unit, from, to).map(Some),
        _ => Ok(None),
    });
    Ok(Arc::new(counts.collect::<Result<Int64Array>>()?))
}
