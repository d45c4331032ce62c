//! `date_trunc` and `date_part` (which is `extract` too) without the time zone UTC: the built-in functions look a zone up for every
//! row, which makes `date_trunc('day', block_timestamp)` five times as slow as the rest of a query by day. Of days, `date_trunc` makes
//! days, as in Trino and BigQuery.

use arrow::array::ArrowPrimitiveType;
use arrow::datatypes::{
    TimeUnit, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use datafusion::functions::datetime;

use super::parts;
use super::unit::begins;
use super::values::is_length;
use crate::prelude::*;
use crate::wrappers::adapt::{coerced, retyped_to};
use crate::wrappers::wrapper::{Wrapper, wrapped};

pub(super) fn udfs() -> [ScalarUDF; 2] {
    let [trunc, part] = [datetime::date_trunc(), datetime::date_part()].map(|builtin| wrapped(builtin, WithoutZone));
    [wrapped(trunc, TruncatedDays), part]
}

/// `date_trunc` of days. DataFusion would make them timestamps with nanoseconds, which end in 2262.
#[derive(Debug, PartialEq, Eq, Hash)]
struct TruncatedDays;

fn is_day(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64)
}

impl Wrapper for TruncatedDays {
    const OWN_TYPES: bool = true;

    fn coerce_types(&self, builtin: &ScalarUDF, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [unit, day] if is_text(unit) && is_day(day) => Ok(vec![unit.clone(), DataType::Date32]),
            types => coerced(builtin, types),
        }
    }

    /// The result has the type of the second argument, whichever it is.
    fn invoke(&self, builtin: &ScalarUDF, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let time = DataType::Timestamp(TimeUnit::Microsecond, None);
        let Some(day) = args.args.get_mut(1).filter(|day| is_day(&day.data_type())) else {
            return builtin.invoke_with_args(args);
        };
        *day = day.cast_to(&time, None)?;
        args.return_field = retyped_to(&args.return_field, time);
        builtin.invoke_with_args(args)?.cast_to(&DataType::Date32, None)
    }
}

/// A built-in function that gets UTC times without their zone, which its result gets back.
#[derive(Debug, PartialEq, Eq, Hash)]
struct WithoutZone;

impl Wrapper for WithoutZone {
    fn invoke(&self, builtin: &ScalarUDF, mut call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let wanted = call.return_field.data_type().clone();
        for (value, field) in call.args.iter_mut().zip(&mut call.arg_fields) {
            if let Some(plain) = without_utc(&value.data_type()) {
                *value = relabeled_value(value, &plain)?;
                *field = retyped_to(field, plain);
            }
        }
        if let Some(plain) = without_utc(&wanted) {
            call.return_field = retyped_to(&call.return_field, plain);
        }
        let result = match (begins_of_units(builtin, &call)?, part_of_length(builtin, &call)?) {
            (Some(result), _) | (_, Some(result)) => result,
            _ => builtin.invoke_with_args(call)?,
        };
        if result.data_type() == wanted { Ok(result) } else { relabeled_value(&result, &wanted) }
    }
}

/// `date_trunc` of microseconds; `None` for another function or other times. The built-in function counts in nanoseconds, which
/// end in 2262, and rounds a constant before 1970 up.
fn begins_of_units(builtin: &ScalarUDF, call: &ScalarFunctionArgs) -> Result<Option<ColumnarValue>> {
    let [ColumnarValue::Scalar(unit), times] = call.args.as_slice() else { return Ok(None) };
    let micros = DataType::Timestamp(TimeUnit::Microsecond, None);
    let Some(unit) = unit.try_as_str().flatten() else { return Ok(None) };
    if builtin.name() != "date_trunc" || times.data_type() != micros {
        return Ok(None);
    }
    let array = times.clone().into_array(1)?;
    columnar(Arc::new(begins(unit, array.as_primitive())?), &call.args).map(Some)
}

/// `date_part` of lengths of time; `None` for another function or other parts. In the difference of two times the built-in
/// function counts all hours, those of its days too.
fn part_of_length(builtin: &ScalarUDF, call: &ScalarFunctionArgs) -> Result<Option<ColumnarValue>> {
    let [ColumnarValue::Scalar(part), lengths] = call.args.as_slice() else { return Ok(None) };
    let part = part.try_as_str().flatten().map(str::to_lowercase).filter(|part| part != "millisecond");
    let Some(part) = part.and_then(|part| parts::part_of_length(&part)) else { return Ok(None) };
    if builtin.name() != "date_part" || !is_length(&lengths.data_type()) {
        return Ok(None);
    }
    let parts = parts::parts_of_lengths(&lengths.clone().into_array(1)?, part)?;
    columnar(cast(&parts, call.return_field.data_type())?, &call.args).map(Some)
}

/// The type without its zone when that is UTC.
fn without_utc(kind: &DataType) -> Option<DataType> {
    match kind {
        DataType::Timestamp(unit, Some(zone)) if ["UTC", "+00:00"].contains(&zone.as_ref()) => {
            Some(DataType::Timestamp(*unit, None))
        }
        _ => None,
    }
}

/// The same moments with or without UTC as their zone. A cast would look the zone up for every row.
fn relabeled_value(value: &ColumnarValue, kind: &DataType) -> Result<ColumnarValue> {
    let (ColumnarValue::Array(array), DataType::Timestamp(to, _)) = (value, kind) else {
        return value.cast_to(kind, None);
    };
    let relabeled: ArrayRef = match (array.data_type(), to) {
        (DataType::Timestamp(TimeUnit::Second, _), TimeUnit::Second) => as_kind::<TimestampSecondType>(array, kind),
        (DataType::Timestamp(TimeUnit::Millisecond, _), TimeUnit::Millisecond) => {
            as_kind::<TimestampMillisecondType>(array, kind)
        }
        (DataType::Timestamp(TimeUnit::Microsecond, _), TimeUnit::Microsecond) => {
            as_kind::<TimestampMicrosecondType>(array, kind)
        }
        (DataType::Timestamp(TimeUnit::Nanosecond, _), TimeUnit::Nanosecond) => {
            as_kind::<TimestampNanosecondType>(array, kind)
        }
        _ => return value.cast_to(kind, None),
    };
    Ok(ColumnarValue::Array(relabeled))
}

fn as_kind<T: ArrowPrimitiveType>(array: &ArrayRef, kind: &DataType) -> ArrayRef {
    Arc::new(array.as_primitive::<T>().clone().with_data_type(kind.clone()))
}

#[cfg(test)]
mod tests {
    use arrow::array::{RecordBatch, TimestampMicrosecondArray};
    use arrow::util::pretty::pretty_format_batches;
    use datafusion::prelude::SessionContext;

    use super::*;

    /// Moments around every kind of boundary, before and after 1970.
    fn moments() -> RecordBatch {
        let seconds = [-86_401, -1, 0, 1, 951_782_399, 951_782_400, 1_709_251_199, 1_735_689_600, 1_763_676_122];
        let times = seconds.iter().flat_map(|second| [Some(second * 1_000_000), Some(second * 1_000_000 + 999_999)]);
        let times = TimestampMicrosecondArray::from_iter(times.chain([None])).with_timezone("UTC");
        RecordBatch::try_from_iter([("t", Arc::new(times) as ArrayRef)]).unwrap()
    }

    async fn results(ours: bool, sql: &str) -> Vec<RecordBatch> {
        let context = SessionContext::new();
        if ours {
            udfs().into_iter().for_each(|function| context.register_udf(function));
        }
        context.register_batch("moments", moments()).unwrap();
        context.sql(sql).await.unwrap().collect().await.unwrap()
    }

    #[tokio::test]
    async fn results_are_those_of_the_built_in_functions() {
        let mut compared = 0;
        for part in ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] {
            for sql in [
                format!("select date_trunc('{part}', t) as a from moments"),
                format!("select datetrunc('{part}', timestamp '2024-02-29 12:34:56') as a"),
                format!("select extract({part} from t) as a from moments"),
                format!("select t from moments where date_trunc('{part}', t) = timestamp '2025-01-01 00:00:00'"),
            ] {
                let (ours, stock) = (results(true, &sql).await, results(false, &sql).await);
                assert_eq!(ours.first().map(RecordBatch::schema), stock.first().map(RecordBatch::schema), "{sql}");
                let shown = |batches: &[RecordBatch]| pretty_format_batches(batches).unwrap().to_string();
                assert_eq!(shown(&ours), shown(&stock), "{sql}");
                compared += 1;
            }
        }
        assert_eq!(compared, 32);
        let years = results(true, "select date_part('year', t) as a from moments").await;
        assert_eq!(years[0].column(0).as_primitive::<arrow::datatypes::Int32Type>().value(17), 2025);
    }
}
