//! `date_diff(unit, from, to)`: whole units that passed; `datediff(unit, from, to)`: borders between units.

use super::unit::Unit;
use super::values::{DAY, is_time, micros};
use crate::prelude::*;

pub(super) fn udfs() -> [ScalarUDF; 2] {
    [
        doc(
            "date_diff(unit, from, to)",
            "The number of whole units between two timestamps, negative if the second is earlier; date_diff(later, earlier, unit) counts unit boundaries.",
            "select date_diff('day', timestamp '2024-02-28 12:00:00', timestamp '2024-03-01 00:00:00')",
        )
        .udf(3..=3, difference_field, |args, _| {
            differences(Unit::parse_all(&args[0])?, &args[1], &args[2], Unit::passed)
        }),
        doc(
            "datediff(unit, from, to)",
            "The number of unit boundaries between two timestamps, such as midnights for days; datediff(to, from) counts days.",
            "select datediff('day', timestamp '2024-02-28 23:59:00', timestamp '2024-03-01 00:00:00')",
        )
        .udf(2..=3, difference_field, |args, _| match args {
            [unit, from, to] => differences(Unit::parse_all(unit)?, from, to, Unit::borders),
            [to, from] => differences(vec![Some(Unit::Micros(DAY)); to.len()], from, to, Unit::borders),
            _ => Err(invalid("datediff expects a unit and two dates or timestamps.")),
        }),
    ]
}

fn difference_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let times = &args.arg_fields[args.arg_fields.len() - 2..];
    let has_unit = args.arg_fields.len() == 2 || is_text(args.arg_fields[0].data_type());
    if !has_unit || !times.iter().all(|field| is_time(field.data_type())) {
        return Err(invalid("Expected a unit and two dates or timestamps, such as date_diff('day', first, last)."));
    }
    returns(DataType::Int64)(args)
}

fn differences(
    units: Vec<Option<Unit>>,
    from: &ArrayRef,
    to: &ArrayRef,
    count: fn(Unit, i64, i64) -> Result<i64>,
) -> Result<ArrayRef> {
    let times = micros(from)?.into_iter().zip(micros(to)?).map(|(from, to)| from.zip(to));
    zip_rows::<Int64Array, _, _, _>(units, times, |unit, (from, to)| count(unit, from, to))
}
