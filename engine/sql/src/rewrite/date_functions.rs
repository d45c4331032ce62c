//! Date functions of other dialects: units as bare words, and other orders of arguments.

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident};

use super::ast::{argument, binary, call, call_with, name_of, number, text, text_of};

/// Functions that have a unit among their arguments, which may be a bare word.
const WITH_UNIT: [&str; 15] = [
    "date_trunc",
    "timestamp_trunc",
    "datetime_trunc",
    "date_add",
    "dateadd",
    "timestampadd",
    "date_diff",
    "datediff",
    "timestampdiff",
    "timestamp_diff",
    "datetime_diff",
    "date_part",
    "last_day",
    "timeadd",
    "timediff",
];

/// Those of BigQuery, whose unit is the last argument.
const BIGQUERY: [&str; 6] =
    ["date_trunc", "timestamp_trunc", "datetime_trunc", "date_diff", "datetime_diff", "last_day"];

/// Weeks by their first day.
const WEEKS: [&str; 7] = [
    "week(monday)",
    "week(tuesday)",
    "week(wednesday)",
    "week(thursday)",
    "week(friday)",
    "week(saturday)",
    "week(sunday)",
];
const SUNDAY: usize = 6;

/// The year of an ISO week, a unit of BigQuery.
const ISO_YEAR: &str = "isoyear";

/// A unit of time in the singular; `None` for any other word.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    const UNITS: [&str; 13] = [
        "microsecond",
        "millisecond",
        "second",
        "minute",
        "hour",
        "day",
        "week",
        "month",
        "quarter",
        "year",
        ISO_YEAR,
        "decade",
        "millennium",
    ];
    let word = word.to_ascii_lowercase();
    match word.strip_suffix('s').filter(|word| word.len() > 2).unwrap_or(&word) {
        "isoweek" => Some("week"),
        "century" | "centurie" => Some("century"),
        word => UNITS.into_iter().find(|unit| *unit == word),
    }
}

/// `DATE_TRUNC(t, MONTH)`, `DATEADD(day, 1, t)`: quotes the unit before it is looked up as a column.
pub(super) fn quote_units(expr: &mut Expr) {
    let Expr::Function(function) = expr else { return };
    let name = name_of(function);
    let FunctionArguments::List(list) = &mut function.args else { return };
    if !WITH_UNIT.contains(&name.as_str()) {
        return;
    }
    // BigQuery's time zone follows the unit.
    let zones = usize::from(name.ends_with("_trunc") && list.args.len() == 3);
    let last = list.args.len().saturating_sub(1 + zones);
    // `date_trunc('month', day)` has its unit: the bare word is a column of that name.
    let is_unit = |index: usize| list.args.get(index).and_then(argument).is_some_and(|arg| literal_unit(arg).is_some());
    if is_unit(0) || is_unit(last) {
        return;
    }
    for (index, arg) in list.args.iter_mut().enumerate().filter(|(index, _)| *index == 0 || *index == last) {
        let FunctionArg::Unnamed(FunctionArgExpr::Expr(arg)) = arg else { continue };
        // The first argument of `date_trunc(day, month)` is a column of that name.
        let bare = (index > 0 || last > 1 || name == "date_part").then(|| bare_unit(arg)).flatten();
        // BigQuery writes the unit last, and its weeks begin on Sunday.
        let sunday = index > 0 && BIGQUERY.contains(&name.as_str()) && arg.to_string().eq_ignore_ascii_case("week");
        if let Some(unit) = bare {
            *arg = text(if sunday { WEEKS[SUNDAY] } else { unit });
        }
    }
}

fn bare_unit(arg: &Expr) -> Option<&'static str> {
    match arg {
        Expr::Identifier(Ident { value, quote_style: None, .. }) => unit(value),
        // `WEEK(MONDAY)` is the ISO week.
        Expr::Function(_) => {
            let written = arg.to_string().to_ascii_lowercase();
            let first_day = WEEKS.iter().position(|week| *week == written)?;
            Some(if first_day == 0 { "week" } else { WEEKS[first_day] })
        }
        _ => None,
    }
}

/// The unit in a quoted text.
fn literal_unit(arg: &Expr) -> Option<&'static str> {
    unit(text_of(arg)?)
}

/// A call of a date function as one of ours; `None` leaves it.
pub(super) fn rewrite(name: &str, args: &[Expr]) -> Option<Expr> {
    // The same functions of BigQuery for its types.
    let name = match name {
        "timestamp_trunc" | "datetime_trunc" => "date_trunc",
        "datetime_diff" => "date_diff",
        "timestamp_add" | "datetime_add" | "adddate" => "add_interval",
        "timestamp_sub" | "datetime_sub" | "subdate" | "date_sub" => "subtract_interval",
        other => other,
    };
    if let ("date_trunc", [first, second, zone]) = (name, args) {
        return trunc_in_zone(first, second, zone);
    }
    if let Some(first_day) = args.last().and_then(first_day_of_week) {
        return with_weeks(name, args, first_day);
    }
    let unit_first = args.first().and_then(literal_unit);
    let unit_last = args.last().and_then(literal_unit);
    if unit_last == Some(ISO_YEAR) {
        return with_iso_years(name, args);
    }
    match (name, args) {
        ("date_part", [Expr::Value(part), time]) => {
            let part = part.value.clone().into_string()?.to_ascii_lowercase();
            Some(call_with(part_function(&part)?, [time]))
        }
        ("last_day", [time, _]) => Some(last_day(time, unit_last?)),
        ("date_trunc", [time, _]) if unit_first.is_none() => Some(call_with("date_trunc", [&text(unit_last?), time])),
        ("date_add" | "add_interval", [time, interval @ Expr::Interval(_)]) => {
            Some(binary(time.clone(), BinaryOperator::Plus, interval.clone()))
        }
        ("subtract_interval", [time, interval @ Expr::Interval(_)]) => {
            Some(binary(time.clone(), BinaryOperator::Minus, interval.clone()))
        }
        ("dateadd" | "timestampadd" | "timeadd", _) => Some(call("date_add", args.to_vec())),
        // BigQuery: the later time first, the unit last.
        ("date_diff", [later, earlier, _]) if unit_first.is_none() => {
            Some(call_with("datediff", [&text(unit_last?), earlier, later]))
        }
        ("timestamp_diff", [later, earlier, _]) => Some(call_with("date_diff", [&text(unit_last?), earlier, later])),
        ("timediff", [_, _, _]) => Some(call("datediff", args.to_vec())),
        ("timestampdiff", [unit, earlier, later]) if unit_first.is_some() => {
            Some(call_with("date_diff", [unit, earlier, later]))
        }
        _ => None,
    }
}

/// The start of the unit in local time, as PostgreSQL (unit first) and BigQuery write it.
fn trunc_in_zone(first: &Expr, second: &Expr, zone: &Expr) -> Option<Expr> {
    let local = |time: &Expr| call_with("at_timezone", [time, zone]);
    let start = match literal_unit(first) {
        Some(_) => call_with("date_trunc", [first, &local(second)]),
        None => rewrite("date_trunc", &[local(first), second.clone()])?,
    };
    Some(call_with("with_timezone", [&start, zone]))
}

fn add(unit: &str, count: Expr, time: &Expr) -> Expr {
    call_with("date_add", [&text(unit), &count, time])
}

fn trunc(unit: &str, time: &Expr) -> Expr {
    call_with("date_trunc", [&text(unit), time])
}

fn date(time: Expr) -> Expr {
    call("date", vec![time])
}

/// Days from Monday to the first day of a week that [`bare_unit`] made a text.
fn first_day_of_week(unit: &Expr) -> Option<usize> {
    let unit = text_of(unit)?;
    WEEKS.iter().position(|week| *week == unit)
}

/// Weeks that begin on another day, computed as weeks from Monday of times moved back by the days between.
fn with_weeks(name: &str, args: &[Expr], first_day: usize) -> Option<Expr> {
    let back = |time: &Expr| add("day", number(format!("-{first_day}")), time);
    let start = |time: &Expr| trunc("week", &back(time));
    match (name, args) {
        ("date_trunc", [time, _]) => Some(add("day", number(first_day), &start(time))),
        ("date_diff", [later, earlier, _]) => {
            Some(call_with("datediff", [&text("week"), &back(earlier), &back(later)]))
        }
        ("last_day", [time, _]) => Some(date(add("day", number(first_day + 6), &start(time)))),
        _ => None,
    }
}

/// Years of ISO weeks, which begin with the week of January 4.
fn with_iso_years(name: &str, args: &[Expr]) -> Option<Expr> {
    let year = |time: &Expr| call_with("year_of_week", [time]);
    let start = |year: Expr| trunc("week", &call("make_date", vec![year, number(1), number(4)]));
    match (name, args) {
        // A date stays a date, and a timestamp a timestamp.
        ("date_trunc", [time, _]) => {
            let back = call_with("date_diff", [&text("day"), &date(time.clone()), &start(year(time))]);
            Some(add("day", back, &trunc("day", time)))
        }
        ("date_diff", [later, earlier, _]) => Some(binary(year(later), BinaryOperator::Minus, year(earlier))),
        ("last_day", [time, _]) => {
            let next = start(binary(year(time), BinaryOperator::Plus, number(1)));
            Some(date(add("day", number(-1), &next)))
        }
        _ => None,
    }
}

/// The last day of the unit around a time, as in Snowflake and BigQuery.
fn last_day(time: &Expr, unit: &str) -> Expr {
    if unit == "month" {
        return call_with("last_day_of_month", [time]);
    }
    let next = add(unit, number(1), &trunc(unit, time));
    date(add("day", number(-1), &next))
}

/// The function for a part of a time that the planner does not know or counts differently: Monday is day 1 of the week in Trino,
/// and Sunday day 0 in the stock function.
fn part_function(part: &str) -> Option<&'static str> {
    Some(match part {
        "dow" | "day_of_week" => "day_of_week",
        "dayofyear" | "day_of_year" => "day_of_year",
        "day_of_month" => "day",
        "isoweek" | "week_of_year" => "week",
        "isoyear" | "year_of_week" | "yow" => "year_of_week",
        "decade" => "decade",
        "century" => "century",
        "millennium" => "millennium",
        _ => return None,
    })
}

/// `EXTRACT(part FROM t)`. `DAYOFWEEK` counts from 1 for Sunday, as in BigQuery; `DATE` is the day.
pub(super) fn rewrite_extract(extract: &mut Expr) {
    let Expr::Extract { field, expr, .. } = extract else { return };
    let replaced = match field.to_string().to_ascii_lowercase().as_str() {
        "dayofweek" => binary(call_with("date_part", [&text("dow"), expr]), BinaryOperator::Plus, number(1)),
        "date" => call_with("date", [expr]),
        // Our function also takes intervals; the planner's own rewriting calls the stock one.
        part @ ("year" | "month" | "day" | "hour" | "minute" | "second") => call_with("date_part", [&text(part), expr]),
        part => match part_function(part) {
            Some(function) => call_with(function, [expr]),
            None => return,
        },
    };
    *extract = replaced;
}
