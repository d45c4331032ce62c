//! Functions that look at one row at a time: their arguments arrive as the kinds they ask for, whatever the columns were.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BooleanArray, Date32Array, Float64Array, Int32Array, Int64Array,
    ListBuilder, StringArray, StringBuilder,
};
use arrow::datatypes::{
    DataType, Date32Type, Field, FieldRef, Float64Type, Int64Type, TimeUnit, TimestampNanosecondType,
};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, TypeSignature, Volatility,
};

use super::cast;
use quarry_runtime::check_stopped;
use quarry_types::{ErrorCode, refuse};

/// Bytes that one text made by a function may have.
pub(super) const LONGEST: usize = 16 << 20;

/// What an argument or an answer is.
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
    /// Arguments only: a text, or that of a time; a day is the time at which it begins.
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
            Kind::Texts => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))),
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
    Refused(String),
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_string())
    }
}

impl From<i64> for Value {
    fn from(long: i64) -> Value {
        Value::Long(long)
    }
}

impl From<i32> for Value {
    fn from(int: i32) -> Value {
        Value::Long(int.into())
    }
}

impl From<f64> for Value {
    fn from(double: f64) -> Value {
        Value::Double(double)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

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

pub(super) type Body = fn(&Row<'_>) -> Option<Value>;

/// What a function is: its name, the kinds of its arguments (the last one repeats when more may come), how many there
/// must be and may be, and its answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Def {
    pub name: &'static str,
    pub takes: &'static [Kind],
    pub least: usize,
    pub most: usize,
    pub gives: Kind,
    pub body: Body,
}

/// A function whose arguments are all there.
pub(super) const fn def(name: &'static str, takes: &'static [Kind], gives: Kind, body: Body) -> Def {
    Def { name, takes, least: takes.len(), most: takes.len(), gives, body }
}

/// A function with arguments that may be left out.
pub(super) const fn opt(name: &'static str, least: usize, takes: &'static [Kind], gives: Kind, body: Body) -> Def {
    Def { name, takes, least, most: takes.len(), gives, body }
}

/// A function of any number of arguments.
pub(super) const fn many(name: &'static str, least: usize, takes: &'static [Kind], gives: Kind, body: Body) -> Def {
    Def { name, takes, least, most: 255, gives, body }
}

#[derive(Debug)]
struct RowFunction {
    def: Def,
    signature: Signature,
}

impl Def {
    pub fn udf(self) -> ScalarUDF {
        let counts = if self.most == 255 {
            vec![TypeSignature::VariadicAny]
        } else {
            let any = |count| if count == 0 { TypeSignature::Nullary } else { TypeSignature::Any(count) };
            (self.least..=self.most).map(any).collect()
        };
        let signature = Signature::one_of(counts, Volatility::Immutable);
        ScalarUDF::new_from_impl(RowFunction { def: self, signature })
    }
}

// Names are unique among these functions, so they stand for the whole.
impl PartialEq for RowFunction {
    fn eq(&self, other: &RowFunction) -> bool {
        self.def.name == other.def.name
    }
}

impl Eq for RowFunction {}

impl Hash for RowFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.def.name.hash(state);
    }
}

impl ScalarUDFImpl for RowFunction {
    fn name(&self) -> &str {
        self.def.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.def.gives.data_type())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        if args.arg_fields.len() < self.def.least {
            let message = format!("{} takes at least {} arguments.", self.def.name, self.def.least);
            return Err(refuse(ErrorCode::InvalidQuery, message));
        }
        Ok(Arc::new(Field::new(self.def.name, self.def.gives.data_type(), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let scalar = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if scalar { 1 } else { args.number_rows };
        let mut columns = Vec::with_capacity(args.args.len());
        for (index, arg) in args.args.iter().enumerate() {
            let kind = self.def.takes.get(index).or(self.def.takes.last());
            let kind = kind.ok_or_else(|| DataFusionError::Internal("an argument without a kind".to_string()))?;
            let mut column = arg.to_array(rows)?;
            if *kind == Kind::TimeText && *column.data_type() == DataType::Date32 {
                column = cast::to_type(&column, &Kind::Time.data_type())?;
            }
            columns.push(cast::to_type(&column, &kind.data_type())?);
        }
        let answer = |row| {
            check_stopped()?;
            Ok((self.def.body)(&Row { columns: &columns, row }))
        };
        let answers = (0..rows).map(answer).collect::<Result<Vec<Option<Value>>>>()?;
        let array = gather(answers, self.def.gives)?;
        if scalar {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?));
        }
        Ok(ColumnarValue::Array(array))
    }
}

fn gather(answers: Vec<Option<Value>>, gives: Kind) -> Result<ArrayRef> {
    for answer in &answers {
        match answer {
            Some(Value::Refused(message)) => return Err(refuse(ErrorCode::InvalidQuery, message.clone())),
            Some(Value::Text(text)) if text.len() > LONGEST => {
                let message = format!("A text would have more than {} MB.", LONGEST >> 20);
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
    Ok(match gives {
        Kind::Text => pick!(StringArray, Value::Text(text) => text),
        Kind::Int => pick!(Int32Array, Value::Long(long) => long as i32),
        Kind::Long => pick!(Int64Array, Value::Long(long) => long),
        Kind::Double => pick!(Float64Array, Value::Double(double) => double),
        Kind::Bool => pick!(BooleanArray, Value::Bool(truth) => truth),
        Kind::Time | Kind::TimeText => {
            return Err(DataFusionError::Internal("no function answers a time".to_string()));
        }
        Kind::Date => pick!(Date32Array, Value::Date(days) => days),
        Kind::Bytes => {
            let bytes: Vec<Option<Vec<u8>>> = answers
                .into_iter()
                .map(|answer| match answer {
                    Some(Value::Bytes(bytes)) => Some(bytes),
                    _ => None,
                })
                .collect();
            Arc::new(bytes.iter().map(|bytes| bytes.as_deref()).collect::<BinaryArray>())
        }
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
