//! `interval '1-2' year to month`, `interval '2 03:04:05' day to second`: the units that the text has, each by its name.

use datafusion::sql::sqlparser::ast::{DateTimeField, Expr, Interval, Value};

use super::ast::text;

/// Units from long to short; the first two go together, and the others.
const UNITS: [DateTimeField; 6] = [
    DateTimeField::Year,
    DateTimeField::Month,
    DateTimeField::Day,
    DateTimeField::Hour,
    DateTimeField::Minute,
    DateTimeField::Second,
];
const OF_MONTHS: usize = 2;

/// Spells out the units of an interval; what has other parts than its units stays for the planner to refuse.
pub(super) fn spelled_out(interval: &mut Interval) {
    if let Some(spelled) = spelled(interval) {
        *interval.value = text(&spelled);
        (interval.leading_field, interval.last_field) = (None, None);
    }
}

fn spelled(interval: &Interval) -> Option<String> {
    let place = |field: &Option<DateTimeField>| UNITS.iter().position(|unit| Some(unit) == field.as_ref());
    let (first, last) = (place(&interval.leading_field)?, place(&interval.last_field)?);
    let Expr::Value(value) = interval.value.as_ref() else { return None };
    let Value::SingleQuotedString(written) = &value.value else { return None };
    let (sign, rest) = match written.trim().strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", written.trim()),
    };
    let parts: Vec<&str> = rest.split(['-', ':', ' ']).filter(|part| !part.is_empty()).collect();
    let together = first < last && (first < OF_MONTHS) == (last < OF_MONTHS);
    let numbers = parts.iter().all(|part| part.parse::<f64>().is_ok());
    if !together || !numbers || parts.len() != last - first + 1 {
        return None;
    }
    let named = parts.iter().zip(&UNITS[first..]).map(|(part, unit)| format!("{sign}{part} {unit}"));
    Some(named.collect::<Vec<String>>().join(" "))
}
