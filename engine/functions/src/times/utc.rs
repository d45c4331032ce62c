//! The stock time functions, told that UTC needs no time zone: over a zone they look it up for every row, which makes
//! `date_trunc('day', block_timestamp)` five times as slow as the rest of a query by day.

use std::sync::Arc;

use arrow::array::{ArrayRef, ArrowPrimitiveType, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{
    DataType, Field, FieldRef, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use datafusion::common::{Result, ScalarValue};
use datafusion::functions::datetime;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use super::unit::begins;
use super::{parts, trunc};
use crate::stock::wrapped::{Wrapper, wrapped};

/// `date_trunc` and `date_part` (which is `extract` too).
pub(super) fn udfs() -> [ScalarUDF; 2] {
    let [begin, part] = [datetime::date_trunc(), datetime::date_part()].map(|stock| wrapped(WithoutZone { stock }));
    [trunc::of_days(begin), part]
}

/// A stock function of times that gets UTC times as plain ones and gives its answer the zone back.
#[derive(Debug, PartialEq, Eq, Hash)]
struct WithoutZone {
    stock: Arc<ScalarUDF>,
}

impl Wrapper for WithoutZone {
    fn stock(&self) -> &ScalarUDF {
        &self.stock
    }

    fn invoke(&self, mut call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let wanted = call.return_field.data_type().clone();
        for (value, field) in call.args.iter_mut().zip(&mut call.arg_fields) {
            if let Some(plain) = without_utc(&value.data_type()) {
                *value = relabelled_value(value, &plain)?;
                *field = relabelled(field, plain);
            }
        }
        if let Some(plain) = without_utc(&wanted) {
            call.return_field = relabelled(&call.return_field, plain);
        }
        let answer = match (self.begins(&call)?, self.part_of_length(&call)?) {
            (Some(answer), _) | (_, Some(answer)) => answer,
            _ => self.stock.invoke_with_args(call)?,
        };
        if answer.data_type() == wanted { Ok(answer) } else { relabelled_value(&answer, &wanted) }
    }
}

impl WithoutZone {
    /// What `date_trunc` answers for microseconds; `None` for another function or other times. The stock function counts in
    /// nanoseconds, which end in 2262, and rounds a time before 1970 that is written out up.
    fn begins(&self, call: &ScalarFunctionArgs) -> Result<Option<ColumnarValue>> {
        let [ColumnarValue::Scalar(unit), times] = call.args.as_slice() else { return Ok(None) };
        let micros = DataType::Timestamp(TimeUnit::Microsecond, None);
        let Some(unit) = unit.try_as_str().flatten() else { return Ok(None) };
        if self.stock.name() != "date_trunc" || times.data_type() != micros {
            return Ok(None);
        }
        let rows = if matches!(times, ColumnarValue::Scalar(_)) { 1 } else { call.number_rows };
        let array = times.clone().into_array(rows)?;
        let begins = begins(unit, array.as_primitive())?;
        Ok(Some(match times {
            ColumnarValue::Scalar(_) => ColumnarValue::Scalar(ScalarValue::try_from_array(&begins, 0)?),
            ColumnarValue::Array(_) => ColumnarValue::Array(Arc::new(begins)),
        }))
    }

    /// What `date_part` answers for lengths of time; `None` for another function or other parts. Of the time between two moments
    /// the stock function counts all hours, those of its days too.
    fn part_of_length(&self, call: &ScalarFunctionArgs) -> Result<Option<ColumnarValue>> {
        let [ColumnarValue::Scalar(part), lengths] = call.args.as_slice() else { return Ok(None) };
        let part = part.try_as_str().flatten().map(str::to_lowercase).filter(|part| part != "millisecond");
        let Some(part) = part.and_then(|part| parts::of_length(&part)) else { return Ok(None) };
        if self.stock.name() != "date_part" || !parts::is_length(&lengths.data_type()) {
            return Ok(None);
        }
        let rows = if matches!(lengths, ColumnarValue::Scalar(_)) { 1 } else { call.number_rows };
        let found = parts::of_lengths(&lengths.clone().into_array(rows)?, part)?;
        let found = cast(&found, call.return_field.data_type())?;
        Ok(Some(match lengths {
            ColumnarValue::Scalar(_) => ColumnarValue::Scalar(ScalarValue::try_from_array(&found, 0)?),
            ColumnarValue::Array(_) => ColumnarValue::Array(found),
        }))
    }
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
fn relabelled_value(value: &ColumnarValue, kind: &DataType) -> Result<ColumnarValue> {
    let (ColumnarValue::Array(array), DataType::Timestamp(to, _)) = (value, kind) else {
        return value.cast_to(kind, None);
    };
    let relabelled: ArrayRef = match (array.data_type(), to) {
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
    Ok(ColumnarValue::Array(relabelled))
}

fn as_kind<T: ArrowPrimitiveType>(array: &ArrayRef, kind: &DataType) -> ArrayRef {
    Arc::new(array.as_primitive::<T>().clone().with_data_type(kind.clone()))
}

fn relabelled(field: &FieldRef, kind: DataType) -> FieldRef {
    Arc::new(Field::clone(field).with_data_type(kind))
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

    async fn answers(ours: bool, sql: &str) -> Vec<RecordBatch> {
        let context = SessionContext::new();
        if ours {
            udfs().into_iter().for_each(|function| context.register_udf(function));
        }
        context.register_batch("moments", moments()).unwrap();
        context.sql(sql).await.unwrap().collect().await.unwrap()
    }

    #[tokio::test]
    async fn answers_are_those_of_the_stock_functions() {
        let mut compared = 0;
        for part in ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] {
            for sql in [
                format!("select date_trunc('{part}', t) as a from moments"),
                format!("select datetrunc('{part}', timestamp '2024-02-29 12:34:56') as a"),
                format!("select extract({part} from t) as a from moments"),
                format!("select t from moments where date_trunc('{part}', t) = timestamp '2025-01-01 00:00:00'"),
            ] {
                let (ours, stock) = (answers(true, &sql).await, answers(false, &sql).await);
                assert_eq!(ours.first().map(RecordBatch::schema), stock.first().map(RecordBatch::schema), "{sql}");
                let shown = |batches: &[RecordBatch]| pretty_format_batches(batches).unwrap().to_string();
                assert_eq!(shown(&ours), shown(&stock), "{sql}");
                compared += 1;
            }
        }
        assert_eq!(compared, 32);
        let years = answers(true, "select date_part('year', t) as a from moments").await;
        assert_eq!(years[0].column(0).as_primitive::<arrow::datatypes::Int32Type>().value(17), 2025);
    }
}
