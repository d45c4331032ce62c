//! The types of settings: how each is read from text and shown.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::auth::registering::Registering;

/// A type that a setting may have.
pub trait Value: Sized {
    /// The value of a text, or what it should look like, as the end of a sentence.
    fn parse(text: &str) -> Result<Self, String>;
    /// The value as `quarry config` shows it; secrets stay hidden.
    fn show(&self) -> String;
}

impl Value for String {
    fn parse(text: &str) -> Result<String, String> {
        if text.trim().is_empty() { Err("a text that is not empty".to_string()) } else { Ok(text.to_string()) }
    }

    fn show(&self) -> String {
        self.clone()
    }
}

impl Value for PathBuf {
    fn parse(text: &str) -> Result<PathBuf, String> {
        String::parse(text).map(PathBuf::from)
    }

    fn show(&self) -> String {
        self.display().to_string()
    }
}

impl Value for bool {
    fn parse(text: &str) -> Result<bool, String> {
        text.parse().map_err(|_| "true or false".to_string())
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Value for $type {
            fn parse(text: &str) -> Result<$type, String> {
                text.replace('_', "").parse().map_err(|_| format!("a whole number of 0 to {}", <$type>::MAX))
            }

            fn show(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

numbers!(u32, u64, usize);

/// A setting that may be absent: an empty text is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Optional<T>(pub Option<T>);

impl<T: Value> Value for Optional<T> {
    fn parse(text: &str) -> Result<Optional<T>, String> {
        if text.is_empty() { Ok(Optional(None)) } else { T::parse(text).map(|value| Optional(Some(value))) }
    }

    fn show(&self) -> String {
        self.0.as_ref().map(Value::show).unwrap_or_default()
    }
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

impl Value for Secret {
    fn parse(text: &str) -> Result<Secret, String> {
        Ok(Secret(text.to_string()))
    }

    fn show(&self) -> String {
        "(hidden)".to_string()
    }
}

/// Address of a database; its password is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(pub String);

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show())
    }
}

impl Value for DatabaseUrl {
    fn parse(text: &str) -> Result<DatabaseUrl, String> {
        let known = ["sqlite:", "postgres://", "postgresql://"].iter().any(|start| text.starts_with(start));
        if known { Ok(DatabaseUrl(text.to_string())) } else { Err("sqlite://FILE or postgres://…".to_string()) }
    }

    fn show(&self) -> String {
        let Some((scheme, rest)) = self.0.split_once("://") else { return self.0.clone() };
        match rest.rsplit_once('@') {
            Some((account, place)) => {
                let user = account.split(':').next().unwrap_or_default();
                format!("{scheme}://{user}@{place}")
            }
            None => self.0.clone(),
        }
    }
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

impl Value for LogFormat {
    fn parse(text: &str) -> Result<LogFormat, String> {
        match text {
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            _ => Err("text or json".to_string()),
        }
    }

    fn show(&self) -> String {
        match self {
            LogFormat::Text => "text".to_string(),
            LogFormat::Json => "json".to_string(),
        }
    }
}

impl Value for Registering {
    fn parse(text: &str) -> Result<Registering, String> {
        match text {
            "open" => Ok(Registering::Open),
            "invitation" => Ok(Registering::Invitation),
            "closed" => Ok(Registering::Closed),
            _ => Err("open, invitation or closed".to_string()),
        }
    }

    fn show(&self) -> String {
        match self {
            Registering::Open => "open".to_string(),
            Registering::Invitation => "invitation".to_string(),
            Registering::Closed => "closed".to_string(),
        }
    }
}

/// A number of bytes: `1000000`, `512 MiB`, `2GiB`, `1.5 GB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(pub u64);

const SIZES: [(&str, u64); 9] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("KB", 1_000),
    ("B", 1),
];

impl Value for Bytes {
    fn parse(text: &str) -> Result<Bytes, String> {
        with_unit(text, &SIZES).map(Bytes).ok_or_else(|| "a size such as 512MiB or 2GiB".to_string())
    }

    fn show(&self) -> String {
        let unit = SIZES.iter().find(|(_, size)| self.0 >= *size && self.0.is_multiple_of(*size));
        unit.map_or_else(|| "0B".to_string(), |(name, size)| format!("{}{name}", self.0 / size))
    }
}

/// A length of time: `90`, `90s`, `30m`, `2h`, `7d`; a number alone is seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seconds(pub Duration);

const TIMES: [(&str, u64); 4] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];

impl Seconds {
    pub fn days(days: u64) -> Seconds {
        Seconds(Duration::from_secs(days * 86_400))
    }
}

impl Value for Seconds {
    fn parse(text: &str) -> Result<Seconds, String> {
        let seconds = with_unit(text, &TIMES).filter(|seconds| *seconds > 0);
        let seconds = seconds.ok_or_else(|| "a length of time such as 90s, 30m, 2h or 7d".to_string())?;
        Ok(Seconds(Duration::from_secs(seconds)))
    }

    fn show(&self) -> String {
        let seconds = self.0.as_secs();
        let unit = TIMES.iter().find(|(_, size)| seconds >= *size && seconds.is_multiple_of(*size));
        unit.map_or_else(|| "0s".to_string(), |(name, size)| format!("{}{name}", seconds / size))
    }
}

/// A number with one of the units, or alone; letter case does not matter.
fn with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim().replace('_', "");
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim();
    let size = match unit {
        "" => 1,
        _ => units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?.1,
    };
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(size);
    }
    let value = number.parse::<f64>().ok()? * size as f64;
    // Fractions are for people's round figures, far below where a double stops counting bytes exactly.
    (value < 1e15).then_some(value as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        for (text, bytes, shown) in [
            ("512MiB", 536_870_912, "512MiB"),
            ("1.5 gib", 1_610_612_736, "1536MiB"),
            ("1000000", 1_000_000, "1MB"),
            ("7", 7, "7B"),
            ("0", 0, "0B"),
        ] {
            let size = Bytes::parse(text).unwrap();
            assert_eq!((size.0, size.show().as_str()), (bytes, shown), "{text}");
        }
        for wrong in ["", "much", "5 XB", "-1", "99999999999TiB"] {
            assert!(Bytes::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_read_and_shown() {
        for (text, seconds, shown) in
            [("90", 90, "90s"), ("30m", 1800, "30m"), ("7d", 604_800, "7d"), ("0.5h", 1800, "30m")]
        {
            let time = Seconds::parse(text).unwrap();
            assert_eq!((time.0.as_secs(), time.show().as_str()), (seconds, shown), "{text}");
        }
        assert!(Seconds::parse("0").is_err());
        assert!(Seconds::parse("soon").is_err());
    }

    #[test]
    fn secrets_are_not_shown() {
        let url = DatabaseUrl::parse("postgres://quarry:s3cret@db.example.org/quarry").unwrap();
        assert_eq!(url.show(), "postgres://quarry@db.example.org/quarry");
        assert!(!format!("{url:?}{:?}", Secret("s3cret".to_string())).contains("s3cret"));
        assert!(DatabaseUrl::parse("mysql://x").is_err());
    }
}
