//! `date_trunc(unit, day)` is a day, as in Trino and BigQuery. The stock function takes timestamps only, and the planner would
//! make them of days with nanoseconds, which end in 2262.

use std::sync::Arc;

use arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

use crate::stock::adapt::coerced;
use crate::stock::wrapped::{Wrapper, wrapped};
use quarry_types::byte_columns::is_text;

/// What cuts times off, for days too.
pub(super) fn of_days(of_times: ScalarUDF) -> ScalarUDF {
    wrapped(Truncated { of_times })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Truncated {
    of_times: ScalarUDF,
}

fn is_day(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64)
}

impl Wrapper for Truncated {
    const OWN_TYPES: bool = true;

    fn stock(&self) -> &ScalarUDF {
        &self.of_times
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [unit, day] if is_text(unit) && is_day(day) => Ok(vec![unit.clone(), DataType::Date32]),
            types => coerced(&self.of_times, types),
        }
    }

    /// The result has the type of the second argument, whichever it is.
    fn invoke(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let time = DataType::Timestamp(TimeUnit::Microsecond, None);
        let Some(day) = args.args.get_mut(1).filter(|day| is_day(&day.data_type())) else {
            return self.of_times.invoke_with_args(args);
        };
        *day = day.cast_to(&time, None)?;
        args.return_field = Arc::new(args.return_field.as_ref().clone().with_data_type(time));
        self.of_times.invoke_with_args(args)?.cast_to(&DataType::Date32, None)
    }
}
