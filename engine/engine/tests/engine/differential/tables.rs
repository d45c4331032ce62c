//! Random tables: as Parquet files for Quarry, as statements for the other products, and inlined in a query.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use alloy_primitives::U256;
use arrow::array::{
    ArrayRef, BinaryBuilder, BooleanArray, Date32Array, Decimal128Array, FixedSizeBinaryBuilder, Float64Array,
    Int16Array, Int32Array, Int64Array, Int64Builder, ListBuilder, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::values::{Dialect, Type, Value, any_bytes, any_value, constant};

/// The physical type of a column in the Parquet files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    Plain,
    /// Integers of this many bits.
    Narrow(u8),
    /// Bytes of a fixed length.
    Fixed(usize),
    /// Timestamps in UTC, like those of blocks.
    Zoned,
}

#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    pub of: Type,
    stored: Stored,
}

#[derive(Debug, Clone)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Option<Value>>>,
}

/// A random table: a few rows with many equal values and nulls, or none.
pub fn any_table(name: String, random: &mut StdRng) -> Table {
    let count = random.random_range(3..7);
    let columns: Vec<Column> = (0..count)
        .map(|at| {
            // Every table has an integer column to join on.
            let of = if at == 0 { Type::Int } else { *Type::ALL.choose(random).unwrap() };
            let stored = match of {
                Type::Int => {
                    *[Stored::Plain, Stored::Plain, Stored::Narrow(32), Stored::Narrow(16)].choose(random).unwrap()
                }
                Type::Bytes => *[Stored::Plain, Stored::Fixed(20), Stored::Fixed(32)].choose(random).unwrap(),
                Type::Time if random.random() => Stored::Zoned,
                _ => Stored::Plain,
            };
            Column { name: format!("c{at}"), of, stored }
        })
        .collect();
    let length = *[0, 1, 2, 4, 6, 9, 12].choose(random).unwrap();
    let nulls: Vec<f64> = columns.iter().map(|_| *[0.0, 0.2, 0.2, 0.5, 1.0].choose(random).unwrap()).collect();
    let mut row = || -> Vec<Option<Value>> {
        let cell = |(column, nulls): (&Column, &f64)| match column.stored {
            _ if random.random_bool(*nulls) => None,
            Stored::Fixed(width) => Some(any_bytes(width, random)),
            _ => Some(any_value(column.of, random)),
        };
        columns.iter().zip(&nulls).map(cell).collect()
    };
    let rows = (0..length).map(|_| row()).collect();
    Table { name, columns, rows }
}

impl Table {
    /// The statements that create it in another product.
    pub fn statements(&self, dialect: Dialect) -> Vec<String> {
        let column = |column: &Column| {
            // Text is ordered by its bytes in Quarry and DuckDB.
            let order = if dialect == Dialect::Postgres && column.of == Type::Text { " collate \"C\"" } else { "" };
            format!("{} {}{order}", column.name, column.of.name(dialect))
        };
        let columns: Vec<String> = self.columns.iter().map(column).collect();
        let make = format!("create temp table {} ({})", self.name, columns.join(", "));
        let fill =
            (!self.rows.is_empty()).then(|| format!("insert into {} values {}", self.name, self.values(dialect)));
        std::iter::once(make).chain(fill).collect()
    }

    /// The table as a query of WITH.
    pub fn inline(&self, dialect: Dialect) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let rows = match self.rows.is_empty() {
            false => format!("values {}", self.values(dialect)),
            true => {
                let nulls: Vec<String> = self.columns.iter().map(|column| constant(None, column.of, dialect)).collect();
                format!("select {} where false", nulls.join(", "))
            }
        };
        format!("{}({}) as ({rows})", self.name, names.join(", "))
    }

    fn values(&self, dialect: Dialect) -> String {
        let cell = |(column, value): (&Column, &Option<Value>)| constant(value.as_ref(), column.of, dialect);
        let row = |row: &Vec<Option<Value>>| {
            format!("({})", self.columns.iter().zip(row).map(cell).collect::<Vec<_>>().join(", "))
        };
        self.rows.iter().map(row).collect::<Vec<_>>().join(", ")
    }

    /// Writes it as a folder of one or two Parquet files with small row groups.
    pub fn write(&self, folder: &Path) {
        std::fs::create_dir_all(folder).unwrap();
        let fields: Vec<Field> = self.columns.iter().map(Column::field).collect();
        let schema = Arc::new(Schema::new(fields));
        let half = self.rows.len() / 2;
        let files = if half > 1 { vec![&self.rows[..half], &self.rows[half..]] } else { vec![&self.rows[..]] };
        for (at, rows) in files.into_iter().enumerate() {
            let column = |(at, column): (usize, &Column)| column.array(rows.iter().map(|row| row[at].as_ref()));
            let columns = self.columns.iter().enumerate().map(column).collect();
            let batch = RecordBatch::try_new(schema.clone(), columns).unwrap();
            let properties = WriterProperties::builder().set_max_row_group_row_count(Some(3)).build();
            let file = File::create(folder.join(format!("{at}.parquet"))).unwrap();
            let mut writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
        }
    }
}

impl Column {
    fn field(&self) -> Field {
        let data_type = match (self.of, self.stored) {
            (Type::Bool, _) => DataType::Boolean,
            (Type::Int, Stored::Narrow(16)) => DataType::Int16,
            (Type::Int, Stored::Narrow(_)) => DataType::Int32,
            (Type::Int | Type::Big, _) => DataType::Int64,
            (Type::Decimal, _) => DataType::Decimal128(18, 2),
            (Type::Wei | Type::Huge, _) => {
                // The lake marks 32 bytes as a number in the same way.
                let meaning = HashMap::from([("quarry.meaning".to_string(), "uint256".to_string())]);
                return Field::new(&self.name, DataType::FixedSizeBinary(32), true).with_metadata(meaning);
            }
            (Type::Double, _) => DataType::Float64,
            (Type::Text, _) => DataType::Utf8,
            (Type::Bytes, Stored::Fixed(width)) => DataType::FixedSizeBinary(width as i32),
            (Type::Bytes, _) => DataType::Binary,
            (Type::Date, _) => DataType::Date32,
            (Type::Time, stored) => DataType::Timestamp(
                arrow::datatypes::TimeUnit::Microsecond,
                (stored == Stored::Zoned).then(|| "UTC".into()),
            ),
            (Type::Ints, _) => DataType::List(Arc::new(Field::new("item", DataType::Int64, true))),
        };
        Field::new(&self.name, data_type, true)
    }

    fn array<'a>(&self, values: impl Iterator<Item = Option<&'a Value>>) -> ArrayRef {
        let values: Vec<Option<&Value>> = values.collect();
        let number = |value: &Option<&Value>| match value {
            Some(Value::Int(number) | Value::Decimal(number) | Value::Double(number) | Value::Time(number)) => {
                Some(*number)
            }
            Some(Value::Date(days)) => Some(i64::from(*days)),
            _ => None,
        };
        let numbers = values.iter().map(number);
        match (self.of, self.stored) {
            (Type::Bool, _) => {
                let value = |value: &Option<&Value>| value.map(|value| *value == Value::Bool(true));
                Arc::new(values.iter().map(value).collect::<BooleanArray>())
            }
            (Type::Int, Stored::Narrow(16)) => {
                Arc::new(numbers.map(|number| number.map(|number| number as i16)).collect::<Int16Array>())
            }
            (Type::Int, Stored::Narrow(_)) => {
                Arc::new(numbers.map(|number| number.map(|number| number as i32)).collect::<Int32Array>())
            }
            (Type::Int | Type::Big, _) => Arc::new(numbers.collect::<Int64Array>()),
            (Type::Decimal, _) => {
                let decimals = numbers.map(|number| number.map(i128::from)).collect::<Decimal128Array>();
                Arc::new(decimals.with_precision_and_scale(18, 2).unwrap())
            }
            (Type::Double, _) => {
                Arc::new(numbers.map(|number| number.map(|halves| halves as f64 / 2.0)).collect::<Float64Array>())
            }
            (Type::Date, _) => Arc::new(numbers.map(|number| number.map(|days| days as i32)).collect::<Date32Array>()),
            (Type::Time, stored) => {
                let times = numbers.collect::<TimestampMicrosecondArray>();
                Arc::new(times.with_timezone_opt((stored == Stored::Zoned).then_some("UTC")))
            }
            (Type::Text, _) => {
                let text = |value: &Option<&Value>| match value {
                    Some(Value::Text(text)) => Some(text.clone()),
                    _ => None,
                };
                Arc::new(values.iter().map(text).collect::<StringArray>())
            }
            (Type::Wei | Type::Huge, _) => fixed(32, &values),
            (Type::Bytes, Stored::Fixed(width)) => fixed(width, &values),
            (Type::Bytes, _) => {
                let mut builder = BinaryBuilder::new();
                values.iter().for_each(|value| builder.append_option(value.map(bytes)));
                Arc::new(builder.finish())
            }
            (Type::Ints, _) => {
                let mut builder = ListBuilder::new(Int64Builder::new());
                for value in &values {
                    let items = match value {
                        Some(Value::Ints(items)) => Some(items.clone()),
                        _ => None,
                    };
                    builder.append_option(items);
                }
                Arc::new(builder.finish())
            }
        }
    }
}

fn fixed(width: usize, values: &[Option<&Value>]) -> ArrayRef {
    let mut builder = FixedSizeBinaryBuilder::new(width as i32);
    for value in values {
        match value {
            Some(value) => builder.append_value(bytes(value)).unwrap(),
            None => builder.append_null(),
        }
    }
    Arc::new(builder.finish())
}

fn bytes(value: &Value) -> Vec<u8> {
    match value {
        Value::Bytes(bytes) => bytes.clone(),
        Value::Digits(digits) => U256::from_str_radix(digits, 10).unwrap().to_be_bytes::<32>().to_vec(),
        other => panic!("{other:?} is not stored as bytes"),
    }
}
