//! Hive's types by name, and their Arrow types. A `char` or `varchar` is text with a note in its field.

use arrow::datatypes::{Fields, TimeUnit};

use super::intervals;
use crate::prelude::*;

/// Key of a field's metadata that names the Hive type of a `char(n)` or `varchar(n)`.
pub const HIVE_TYPE: &str = "hive.type";
/// The precision of a decimal without one, as in Hive.
const DEFAULT_PRECISION: u8 = 10;
/// The type of moments in time, in the words of Hive and as one word.
const LOCAL_TIME: &str = "timestamp with local time zone";
pub const LOCAL_TIME_WORD: &str = "timestamplocaltz";
const MAX_DEPTH: usize = 20;

/// The field of a type by its Hive name (`array<struct<a:int>>`, `varchar(10)`), or `None` when there is no such type.
pub fn field(name: &str, hive_type: &str) -> Option<Field> {
    let mut reader = Reader { text: hive_type.trim(), depth: 0 };
    let (data_type, note) = reader.read()?;
    if !reader.text.trim().is_empty() {
        return None;
    }
    Some(annotate(Field::new(name, data_type, true), HIVE_TYPE, note))
}

/// A field with a note in its metadata, if there is one.
fn annotate(field: Field, key: &str, note: Option<String>) -> Field {
    let mut notes = field.metadata().clone();
    notes.extend(note.map(|note| (key.to_string(), note)));
    field.with_metadata(notes)
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

/// Whether a type is `TIMESTAMP WITH LOCAL TIME ZONE`. Times of the chain have fewer digits, and are timestamps in HiveQL.
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

/// Keys of a field's metadata: for a partition column, for the default value of a column, and, on the first column of a table, for
/// the format of the text files that it is loaded from.
const PARTITION: &str = "hive.partition";
const DEFAULT: &str = "hive.default";
const TEXT_FORMAT: &str = "hive.text_format";

/// A field without what only a table has: that it is a partition column, its default, its text format.
pub fn query_field(field: Field) -> Field {
    let mut notes = field.metadata().clone();
    notes.retain(|key, _| ![PARTITION, DEFAULT, TEXT_FORMAT].contains(&key.as_str()));
    field.with_metadata(notes)
}

/// A partition column.
pub fn of_partition(field: Field) -> Field {
    annotate(field, PARTITION, Some(String::new()))
}

pub fn is_partition(field: &Field) -> bool {
    field.metadata().contains_key(PARTITION)
}

/// The first column of a table that is loaded from text files of a format.
pub fn with_text_format(field: Field, format: String) -> Field {
    annotate(field, TEXT_FORMAT, Some(format))
}

pub fn text_format(field: &Field) -> Option<String> {
    field.metadata().get(TEXT_FORMAT).cloned()
}

/// A column with a default value, as a text.
pub fn with_default(field: Field, value: String) -> Field {
    annotate(field, DEFAULT, Some(value))
}

pub fn default(field: &Field) -> Option<String> {
    field.metadata().get(DEFAULT).cloned()
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
        let simple = |data_type| Some((data_type, None));
        let read = match word.as_str() {
            "tinyint" | "byte" => simple(DataType::Int8),
            "smallint" | "short" => simple(DataType::Int16),
            "int" | "integer" => simple(DataType::Int32),
            "bigint" | "long" => simple(DataType::Int64),
            "float" | "real" => simple(DataType::Float32),
            "double" => {
                self.take("precision");
                simple(DataType::Float64)
            }
            "boolean" => simple(DataType::Boolean),
            "string" | "text" => simple(DataType::Utf8),
            "binary" => simple(DataType::Binary),
            "date" => simple(DataType::Date32),
            "timestamp" if self.take("with") => {
                self.expect_all(&["local", "time", "zone"])?;
                simple(local_time())
            }
            LOCAL_TIME_WORD => simple(local_time()),
            "timestamp" | "datetime" => simple(DataType::Timestamp(TimeUnit::Nanosecond, None)),
            "interval_day_time" => simple(intervals::TIME),
            "interval_year_month" => simple(intervals::MONTHS),
            "interval" if self.take("year") => {
                self.expect_all(&["to", "month"])?;
                simple(intervals::MONTHS)
            }
            "interval" => {
                self.expect_all(&["day", "to", "second"])?;
                simple(intervals::TIME)
            }
            "void" => simple(DataType::Null),
            "decimal" | "numeric" | "dec" => {
                let numbers = self.numbers()?;
                let precision = numbers.first().copied().unwrap_or(DEFAULT_PRECISION.into());
                let scale = numbers.get(1).copied().unwrap_or(0);
                if precision == 0 || precision > 38 || scale > precision || numbers.len() > 2 {
                    return None;
                }
                simple(DataType::Decimal128(precision as u8, scale as i8))
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
                simple(DataType::List(item))
            }
            "map" => {
                self.expect("<")?;
                let (key, _) = self.read()?;
                self.expect(",")?;
                let value = self.item("value")?;
                self.expect(">")?;
                let entries = Fields::from(vec![Arc::new(Field::new("key", key, false)), value]);
                simple(DataType::Map(Arc::new(Field::new("entries", DataType::Struct(entries), false)), false))
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
                simple(DataType::Struct(fields.into()))
            }
            _ => None,
        };
        self.depth -= 1;
        read
    }

    fn item(&mut self, name: &str) -> Option<FieldRef> {
        let (data_type, note) = self.read()?;
        Some(Arc::new(annotate(Field::new(name, data_type, true), HIVE_TYPE, note)))
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

    fn expect_all(&mut self, words: &[&str]) -> Option<()> {
        words.iter().try_for_each(|word| self.expect(word))
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
