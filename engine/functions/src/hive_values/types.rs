//! Hive's types by name, and what they are here. A `char` or `varchar` is text whose field says so.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef, Fields, TimeUnit};

use super::intervals;
use quarry_types::uint256::is_number;

/// Key of a field's metadata that names the Hive type of a `char(n)` or `varchar(n)`.
pub const HIVE_TYPE: &str = "hive.type";
/// Precision of a decimal that says none, as in Hive.
const DEFAULT_PRECISION: u8 = 10;
/// A time of a moment, whatever the clocks there show, in the words of Hive and as one word.
const LOCAL_TIME: &str = "timestamp with local time zone";
pub const LOCAL_TIME_WORD: &str = "timestamplocaltz";
/// Nesting of a type.
const MAX_DEPTH: usize = 20;

/// The field of a type by its Hive name (`array<struct<a:int>>`, `varchar(10)`), or `None` when there is no such type.
pub fn field(name: &str, hive_type: &str) -> Option<Field> {
    let mut reader = Reader { text: hive_type.trim(), depth: 0 };
    let (data_type, note) = reader.read()?;
    if !reader.text.trim().is_empty() {
        return None;
    }
    Some(with_note(Field::new(name, data_type, true), note))
}

fn with_note(field: Field, note: Option<String>) -> Field {
    match note {
        Some(note) => field.with_metadata(HashMap::from([(HIVE_TYPE.to_string(), note)])),
        None => field,
    }
}

/// The length of a `char(n)`, by its field.
pub fn char_length(field: &Field) -> Option<usize> {
    length(field, "char(")
}

/// The length of a `varchar(n)`, by its field.
pub fn varchar_length(field: &Field) -> Option<usize> {
    length(field, "varchar(")
}

fn length(field: &Field, start: &str) -> Option<usize> {
    field.metadata().get(HIVE_TYPE)?.strip_prefix(start)?.strip_suffix(')')?.parse().ok()
}

/// `TIMESTAMP WITH LOCAL TIME ZONE`: the local zone is UTC here.
fn local_time() -> DataType {
    DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()))
}

/// Whether a type is that; times of the chain have fewer digits, and are timestamps in HiveQL.
pub fn is_local_time(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Timestamp(TimeUnit::Nanosecond, Some(_)))
}

/// The Hive name of a type, for `DESCRIBE` and for casts.
pub fn name(data_type: &DataType) -> String {
    match data_type {
        DataType::Null => "void".to_string(),
        DataType::Boolean => "boolean".to_string(),
        DataType::Int8 => "tinyint".to_string(),
        DataType::Int16 | DataType::UInt8 => "smallint".to_string(),
        DataType::Int32 | DataType::UInt16 => "int".to_string(),
        DataType::Int64 | DataType::UInt32 | DataType::UInt64 => "bigint".to_string(),
        DataType::Float16 | DataType::Float32 => "float".to_string(),
        DataType::Float64 => "double".to_string(),
        DataType::Decimal32(p, s)
        | DataType::Decimal64(p, s)
        | DataType::Decimal128(p, s)
        | DataType::Decimal256(p, s) => format!("decimal({p},{s})"),
        local if is_local_time(local) => LOCAL_TIME.to_string(),
        DataType::Timestamp(..) => "timestamp".to_string(),
        DataType::Date32 | DataType::Date64 => "date".to_string(),
        DataType::Duration(_) => "interval_day_time".to_string(),
        months if *months == intervals::MONTHS => "interval_year_month".to_string(),
        number if is_number(number) => "uint256".to_string(),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            "binary".to_string()
        }
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            format!("array<{}>", name(item.data_type()))
        }
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => {
                format!("map<{},{}>", name(fields[0].data_type()), name(fields[1].data_type()))
            }
            _ => "map".to_string(),
        },
        DataType::Struct(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|field| format!("{}:{}", field.name(), name(field.data_type()))).collect();
            format!("struct<{}>", fields.join(","))
        }
        _ => "string".to_string(),
    }
}

/// Key of a field's metadata that a column of a partition has.
const PARTITION: &str = "hive.partition";

/// A column as one of those that tell partitions apart.
pub fn of_partition(field: Field) -> Field {
    let mut notes = field.metadata().clone();
    notes.insert(PARTITION.to_string(), String::new());
    field.with_metadata(notes)
}

/// A field without what only a table has: that it is a partition column, its default, its text format.
pub fn query_field(field: Field) -> Field {
    let mut notes = field.metadata().clone();
    notes.remove(PARTITION);
    notes.remove(DEFAULT);
    notes.remove(TEXT_FORMAT);
    field.with_metadata(notes)
}

/// Key of the first field's metadata with how the files are cut that the table is loaded from.
const TEXT_FORMAT: &str = "hive.text_format";

/// The first column of a table, with how its files are cut.
pub fn with_text_format(field: Field, note: String) -> Field {
    let mut notes = field.metadata().clone();
    notes.insert(TEXT_FORMAT.to_string(), note);
    field.with_metadata(notes)
}

/// How the files are cut that a table is loaded from, by its first column.
pub fn text_format(field: &Field) -> Option<String> {
    field.metadata().get(TEXT_FORMAT).cloned()
}

/// Key of a field's metadata with the value of rows that say none.
const DEFAULT: &str = "hive.default";

/// A column with a value for the rows that say none.
pub fn with_default(field: Field, value: String) -> Field {
    let mut notes = field.metadata().clone();
    notes.insert(DEFAULT.to_string(), value);
    field.with_metadata(notes)
}

/// The value of rows that say none, as a text.
pub fn default(field: &Field) -> Option<String> {
    field.metadata().get(DEFAULT).cloned()
}

/// Whether a column tells partitions apart.
pub fn is_partition(field: &Field) -> bool {
    field.metadata().contains_key(PARTITION)
}

/// The Hive name of the type of a field, with the length of its `char` or `varchar`.
pub fn written(field: &Field) -> String {
    field.metadata().get(HIVE_TYPE).cloned().unwrap_or_else(|| name(field.data_type()))
}

/// Reads a type from the start of a text.
struct Reader<'a> {
    text: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn read(&mut self) -> Option<(DataType, Option<String>)> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let word = self.word()?.to_lowercase();
        let plain = |data_type| Some((data_type, None));
        let read = match word.as_str() {
            "tinyint" | "byte" => plain(DataType::Int8),
            "smallint" | "short" => plain(DataType::Int16),
            "int" | "integer" => plain(DataType::Int32),
            "bigint" | "long" => plain(DataType::Int64),
            "float" | "real" => plain(DataType::Float32),
            "double" => {
                self.take("precision");
                plain(DataType::Float64)
            }
            "boolean" => plain(DataType::Boolean),
            "string" | "text" => plain(DataType::Utf8),
            "binary" => plain(DataType::Binary),
            "date" => plain(DataType::Date32),
            "timestamp" if self.take("with") => {
                ["local", "time", "zone"].into_iter().try_for_each(|word| self.expect(word))?;
                plain(local_time())
            }
            LOCAL_TIME_WORD => plain(local_time()),
            "timestamp" | "datetime" => plain(DataType::Timestamp(TimeUnit::Nanosecond, None)),
            "interval_day_time" => plain(intervals::TIME),
            "interval_year_month" => plain(intervals::MONTHS),
            "interval" if self.take("year") => {
                self.expect("to")?;
                self.expect("month")?;
                plain(intervals::MONTHS)
            }
            "interval" => {
                self.expect("day")?;
                self.expect("to")?;
                self.expect("second")?;
                plain(intervals::TIME)
            }
            "void" => plain(DataType::Null),
            "decimal" | "numeric" | "dec" => {
                let numbers = self.numbers()?;
                let precision = numbers.first().copied().unwrap_or(DEFAULT_PRECISION.into());
                let scale = numbers.get(1).copied().unwrap_or(0);
                if precision == 0 || precision > 38 || scale > precision || numbers.len() > 2 {
                    return None;
                }
                plain(DataType::Decimal128(precision as u8, scale as i8))
            }
            "char" | "varchar" => {
                let numbers = self.numbers()?;
                let [length] = numbers.as_slice() else { return None };
                Some((DataType::Utf8, Some(format!("{word}({length})"))))
            }
            "array" => {
                self.expect("<")?;
                let item = self.item("item")?;
                self.expect(">")?;
                plain(DataType::List(item))
            }
            "map" => {
                self.expect("<")?;
                let (key, _) = self.read()?;
                self.expect(",")?;
                let value = self.item("value")?;
                self.expect(">")?;
                let entries = Fields::from(vec![Arc::new(Field::new("key", key, false)), value]);
                plain(DataType::Map(Arc::new(Field::new("entries", DataType::Struct(entries), false)), false))
            }
            "struct" => {
                self.expect("<")?;
                let mut fields: Vec<FieldRef> = Vec::new();
                loop {
                    let name = self.word()?.to_lowercase();
                    self.take(":");
                    fields.push(self.item(&name)?);
                    if !self.take(",") {
                        break;
                    }
                }
                self.expect(">")?;
                plain(DataType::Struct(fields.into()))
            }
            _ => None,
        };
        self.depth -= 1;
        read
    }

    fn item(&mut self, name: &str) -> Option<FieldRef> {
        let (data_type, note) = self.read()?;
        Some(Arc::new(with_note(Field::new(name, data_type, true), note)))
    }

    /// The numbers in parentheses that may follow.
    fn numbers(&mut self) -> Option<Vec<u32>> {
        let mut numbers = Vec::new();
        if !self.take("(") {
            return Some(numbers);
        }
        loop {
            numbers.push(self.word()?.parse().ok()?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Some(numbers)
    }

    fn word(&mut self) -> Option<String> {
        self.text = self.text.trim_start();
        let quoted = self.text.starts_with('`');
        let text = if quoted { &self.text[1..] } else { self.text };
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
        let word = text[..end].to_string();
        self.text = &text[end..];
        if quoted {
            self.expect("`")?;
        }
        (!word.is_empty()).then_some(word)
    }

    fn take(&mut self, sign: &str) -> bool {
        self.text = self.text.trim_start();
        let head = self.text.get(..sign.len());
        let found = head.is_some_and(|head| head.eq_ignore_ascii_case(sign));
        if found {
            self.text = &self.text[sign.len()..];
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Option<()> {
        self.take(sign).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_by_their_hive_names() {
        let read = |text: &str| field("x", text).map(|field| name(field.data_type()));
        for text in ["int", "decimal(10,2)", "array<map<string,int>>", "struct<a:int,b:array<double>>", "timestamp"] {
            assert_eq!(read(text).as_deref(), Some(text));
        }
        assert_eq!(read("DECIMAL").as_deref(), Some("decimal(10,0)"));
        assert_eq!(read("double precision").as_deref(), Some("double"));
        assert_eq!(char_length(&field("x", "char(7)").unwrap()), Some(7));
        assert_eq!(varchar_length(&field("x", "VARCHAR( 3 )").unwrap()), Some(3));
        for bad in ["", "blob", "decimal(39,0)", "decimal(2,3)", "array<int", "int int", "char", "map<int>"] {
            assert!(field("x", bad).is_none(), "{bad}");
        }
        assert!(field("x", &"array<".repeat(10_000)).is_none());
    }
}
