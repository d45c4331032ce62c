//! Functions that are written for one row. Arguments are converted to the declared kinds, whatever types the columns have.

use std::ops::RangeInclusive;

use arrow::array::{Date32Array, Int32Array, ListBuilder, StringBuilder};
use arrow::datatypes::{Date32Type, TimeUnit, TimestampNanosecondType};

use super::cast;
use crate::prelude::*;
use quarry_runtime::check_stopped;

/// Most bytes of a text that a function makes.
pub(super) const MAX_TEXT: usize = 16 << 20;

/// The kind of an argument or of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// Answers only: 32 bits.
    Int,
    Long,
    Double,
    Bool,
    Date,
    /// Arguments only.
    Time,
    /// Arguments only: a text, or the text of a time; a day is the time at its start.
    TimeText,
    Bytes,
    /// Answers only: an array of texts.
    Texts,
}

impl Kind {
    pub fn data_type(self) -> DataType {
        match self {
            Kind::Text | Kind::TimeText => DataType::Utf8,
            Kind::Int => DataType::Int32,
            Kind::Long => DataType::Int64,
            Kind::Double => DataType::Float64,
            Kind::Bool => DataType::Boolean,
            Kind::Date => DataType::Date32,
            Kind::Time => DataType::Timestamp(TimeUnit::Nanosecond, None),
            Kind::Bytes => DataType::Binary,
            Kind::Texts => DataType::new_list(DataType::Utf8, true),
        }
    }
}

/// An answer for one row.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(String),
    Long(i64),
    Double(f64),
    Bool(bool),
    Date(i32),
    Bytes(Vec<u8>),
    Texts(Vec<Option<String>>),
    /// The query fails with this sentence.
    Error(String),
}

macro_rules! values_from {
    ($($from:ty => $variant:ident),*) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Value {
                Value::$variant(value.into())
            }
        }
    )*};
}
values_from!(String => Text, &str => Text, i64 => Long, i32 => Long, f64 => Double, bool => Bool, Vec<u8> => Bytes);

/// One row of arguments.
pub(super) struct Row<'a> {
    columns: &'a [ArrayRef],
    row: usize,
}

impl<'a> Row<'a> {
    /// How many arguments there are.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    fn column(&self, index: usize) -> Option<&'a ArrayRef> {
        self.columns.get(index).filter(|column| column.is_valid(self.row))
    }

    pub fn text(&self, index: usize) -> Option<&'a str> {
        Some(self.column(index)?.as_string::<i32>().value(self.row))
    }

    pub fn bytes(&self, index: usize) -> Option<&'a [u8]> {
        Some(self.column(index)?.as_binary::<i32>().value(self.row))
    }

    pub fn long(&self, index: usize) -> Option<i64> {
        Some(self.column(index)?.as_primitive::<Int64Type>().value(self.row))
    }

    pub fn double(&self, index: usize) -> Option<f64> {
        Some(self.column(index)?.as_primitive::<Float64Type>().value(self.row))
    }

    pub fn bool(&self, index: usize) -> Option<bool> {
        Some(self.column(index)?.as_boolean().value(self.row))
    }

    pub fn date(&self, index: usize) -> Option<i32> {
        Some(self.column(index)?.as_primitive::<Date32Type>().value(self.row))
    }

    /// Nanoseconds since 1970.
    pub fn time(&self, index: usize) -> Option<i64> {
        Some(self.column(index)?.as_primitive::<TimestampNanosecondType>().value(self.row))
    }
}

/// A function that takes exactly these arguments.
pub(super) fn udf(name: &'static str, takes: &'static [Kind], answers: Kind, body: impl Body) -> ScalarUDF {
    row_function(name, takes.len()..=takes.len(), takes, answers, body)
}

/// A function whose arguments after the first `least` are optional.
pub(super) fn optional_udf(
    name: &'static str,
    least: usize,
    takes: &'static [Kind],
    answers: Kind,
    body: impl Body,
) -> ScalarUDF {
    row_function(name, least..=takes.len(), takes, answers, body)
}

/// A function of one or more arguments; the last kind repeats.
pub(super) fn variadic_udf(name: &'static str, takes: &'static [Kind], answers: Kind, body: impl Body) -> ScalarUDF {
    row_function(name, 1..=MANY, takes, answers, body)
}

/// Makes the answer of one row; `None` is null.
pub(super) trait Body: Fn(&Row<'_>) -> Option<Value> + Send + Sync + 'static {}
impl<F: Fn(&Row<'_>) -> Option<Value> + Send + Sync + 'static> Body for F {}

fn row_function(
    name: &'static str,
    arguments: RangeInclusive<usize>,
    takes: &'static [Kind],
    answers: Kind,
    body: impl Body,
) -> ScalarUDF {
    let (least, field) = (*arguments.start(), Arc::new(Field::new(name, answers.data_type(), true)));
    let returns = move |args: &ReturnFieldArgs<'_>| match args.arg_fields.len() < least {
        true => Err(refuse(ErrorCode::InvalidQuery, format!("{name} expects at least {least} arguments."))),
        false => Ok(Arc::clone(&field)),
    };
    scalar_udf(name, arguments, returns, move |arrays, _| {
        let kinds = takes.iter().chain(takes.last().into_iter().cycle());
        let columns = arrays.iter().zip(kinds).map(|(array, kind)| match (kind, array.data_type()) {
            (Kind::TimeText, DataType::Date32) => {
                cast::to_type(&cast::to_type(array, &Kind::Time.data_type())?, &DataType::Utf8)
            }
            _ => cast::to_type(array, &kind.data_type()),
        });
        let columns = columns.collect::<Result<Vec<ArrayRef>>>()?;
        let answer = |row| {
            check_stopped()?;
            Ok(body(&Row { columns: &columns, row }))
        };
        let rows = columns.first().map_or(1, |column| column.len());
        to_array((0..rows).map(answer).collect::<Result<Vec<Option<Value>>>>()?, answers)
    })
}

fn to_array(answers: Vec<Option<Value>>, kind: Kind) -> Result<ArrayRef> {
    for answer in &answers {
        match answer {
            Some(Value::Error(message)) => return Err(refuse(ErrorCode::InvalidQuery, message.clone())),
            Some(Value::Text(text)) if text.len() > MAX_TEXT => {
                let message = format!("A string would be larger than {} MB.", MAX_TEXT >> 20);
                return Err(refuse(ErrorCode::InvalidQuery, message));
            }
            _ => {}
        }
    }
    macro_rules! pick {
        ($array:ty, $pattern:pat => $value:expr) => {
            Arc::new(
                answers
                    .into_iter()
                    .map(|answer| match answer {
                        Some($pattern) => Some($value),
                        _ => None,
                    })
                    .collect::<$array>(),
            )
        };
    }
    Ok(match kind {
        Kind::Text => pick!(StringArray, Value::Text(text) => text),
        Kind::Int => pick!(Int32Array, Value::Long(long) => long as i32),
        Kind::Long => pick!(Int64Array, Value::Long(long) => long),
        Kind::Double => pick!(Float64Array, Value::Double(double) => double),
        Kind::Bool => pick!(BooleanArray, Value::Bool(truth) => truth),
        Kind::Time | Kind::TimeText => {
            return Err(DataFusionError::Internal("no function answers a time".to_string()));
        }
        Kind::Date => pick!(Date32Array, Value::Date(days) => days),
        Kind::Bytes => pick!(BinaryArray, Value::Bytes(bytes) => bytes),
        Kind::Texts => {
            let mut lists = ListBuilder::new(StringBuilder::new());
            for answer in answers {
                match answer {
                    Some(Value::Texts(texts)) => lists.append_value(texts),
                    _ => lists.append_null(),
                }
            }
            Arc::new(lists.finish())
        }
    })
}
