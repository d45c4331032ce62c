//! Units of time as words, and the order of arguments in the date functions of other dialects.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DateTimeField, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, Value,
};

use super::ast::{binary, call, number, text};

/// Functions one of whose arguments may be a unit as a bare word.
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

/// Those of them that BigQuery has, with the unit behind the times.
const BIGQUERY: [&str; 6] =
    ["date_trunc", "timestamp_trunc", "datetime_trunc", "date_diff", "datetime_diff", "last_day"];

/// Weeks by the day on which they begin.
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

/// The year that ISO's weeks belong to, which is a unit of BigQuery's.
const ISO_YEAR: &str = "isoyear";

/// A unit of time in the singular; `None` for any other word.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let word = word.strip_suffix('s').filter(|word| word.len() > 2).unwrap_or(&word);
    Some(match word {
        "microsecond" => "microsecond",
        "millisecond" => "millisecond",
        "second" => "second",
        "minute" => "minute",
        "hour" => "hour",
        "day" => "day",
        "week" | "isoweek" => "week",
        "month" => "month",
        "quarter" => "quarter",
        "year" => "year",
        ISO_YEAR => ISO_YEAR,
        "decade" => "decade",
        "century" | "centurie" => "century",
        "millennium" => "millennium",
        _ => return None,
    })
}

/// `DATE_TRUNC(t, MONTH)`, `DATEADD(day, 1, t)`: the bare word becomes a text before it is looked up as a column.
pub(super) fn units(expr: &mut Expr) {
    let Expr::Function(function) = expr else { return };
    let name = function.name.to_string().to_ascii_lowercase();
    if !WITH_UNIT.contains(&name.as_str()) {
        return;
    }
    let FunctionArguments::List(list) = &mut function.args else { return };
    // BigQuery's zone stands behind the unit.
    let zoned = usize::from(name.ends_with("_trunc") && list.args.len() == 3);
    let last = list.args.len().saturating_sub(1 + zoned);
    // `date_trunc('month', day)` has its unit: the bare word is a column that happens to be called so.
    let said = |at: usize| match list.args.get(at) {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(arg))) => literal_unit(Some(arg)).is_some(),
        _ => false,
    };
    if said(0) || said(last) {
        return;
    }
    for (index, arg) in list.args.iter_mut().enumerate().filter(|(index, _)| *index == 0 || *index == last) {
        let FunctionArg::Unnamed(FunctionArgExpr::Expr(arg)) = arg else { continue };
        // The first argument of `date_trunc(day, month)` is a column that happens to be called so.
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
        // `WEEK(MONDAY)` is the week as ISO counts it.
        Expr::Function(_) => {
            let written = arg.to_string().to_ascii_lowercase();
            let place = WEEKS.iter().position(|week| *week == written)?;
            Some(if place == 0 { "week" } else { WEEKS[place] })
        }
        _ => None,
    }
}

/// The text of a unit that stands as a literal.
fn literal_unit(arg: Option<&Expr>) -> Option<&'static str> {
    match arg? {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(word) => unit(word),
            _ => None,
        },
        _ => None,
    }
}

/// A call of a date function in our own order of arguments; `None` leaves it.
pub(super) fn reordered(name: &str, args: &[Expr]) -> Option<Expr> {
    if let ("date_trunc" | "timestamp_trunc" | "datetime_trunc", [first, second, zone]) = (name, args) {
        return in_zone(name, first, second, zone);
    }
    if let Some(first) = args.last().and_then(first_of_week) {
        return of_weeks(name, args, first);
    }
    if literal_unit(args.last()) == Some(ISO_YEAR) {
        return of_iso_years(name, args);
    }
    let unit_first = literal_unit(args.first()).is_some();
    let unit_last = literal_unit(args.last());
    let interval = matches!(args.get(1), Some(Expr::Interval(_)));
    match (name, args) {
        ("date_part", [part, time]) => Some(call(part_of_time(&written(part)?)?, vec![time.clone()])),
        ("last_day", [time, _]) => last_day(time, unit_last?),
        ("date_trunc" | "timestamp_trunc" | "datetime_trunc", [time, _]) if !unit_first && unit_last.is_some() => {
            Some(call("date_trunc", vec![text(unit_last?), time.clone()]))
        }
        ("date_add" | "timestamp_add" | "datetime_add" | "adddate", [time, _]) if interval => {
            Some(binary(time.clone(), BinaryOperator::Plus, args[1].clone()))
        }
        ("date_sub" | "timestamp_sub" | "datetime_sub" | "subdate", [time, _]) if interval => {
            Some(binary(time.clone(), BinaryOperator::Minus, args[1].clone()))
        }
        ("dateadd" | "timestampadd" | "timeadd", [..]) => Some(call("date_add", args.to_vec())),
        // BigQuery: the later time first, the unit last.
        ("date_diff", [later, earlier, _]) if !unit_first => {
            Some(call("datediff", vec![text(unit_last?), earlier.clone(), later.clone()]))
        }
        ("datetime_diff", [later, earlier, _]) => {
            Some(call("datediff", vec![text(unit_last?), earlier.clone(), later.clone()]))
        }
        ("timestamp_diff", [later, earlier, _]) => {
            Some(call("date_diff", vec![text(unit_last?), earlier.clone(), later.clone()]))
        }
        ("timediff", [_, _, _]) => Some(call("datediff", args.to_vec())),
        ("timestampdiff", [_, earlier, later]) if unit_first => {
            Some(call("date_diff", vec![args[0].clone(), earlier.clone(), later.clone()]))
        }
        _ => None,
    }
}

/// The beginning of a day, a month … as the clocks of a zone show it, as PostgreSQL (the unit first) and BigQuery write it.
fn in_zone(name: &str, first: &Expr, second: &Expr, zone: &Expr) -> Option<Expr> {
    let shown = |time: &Expr| call("at_timezone", vec![time.clone(), zone.clone()]);
    let begin = match literal_unit(Some(first)) {
        Some(_) => call("date_trunc", vec![first.clone(), shown(second)]),
        None => reordered(name, &[shown(first), second.clone()])?,
    };
    Some(call("with_timezone", vec![begin, zone.clone()]))
}

/// Days from Monday to the one on which weeks begin, for a unit of them that [`bare_unit`] made.
fn first_of_week(unit: &Expr) -> Option<usize> {
    let Expr::Value(value) = unit else { return None };
    let Value::SingleQuotedString(unit) = &value.value else { return None };
    WEEKS.iter().position(|week| week == unit)
}

/// Weeks that begin on another day, as those that begin on Monday of times moved back by the days between.
fn of_weeks(name: &str, args: &[Expr], first: usize) -> Option<Expr> {
    let moved = |time: &Expr, by: String| call("date_add", vec![text("day"), number(&by), time.clone()]);
    let back = |time: &Expr| moved(time, format!("-{first}"));
    match (name, args) {
        ("date_trunc" | "timestamp_trunc" | "datetime_trunc", [time, _]) => {
            Some(moved(&call("date_trunc", vec![text("week"), back(time)]), first.to_string()))
        }
        ("date_diff" | "datetime_diff", [later, earlier, _]) => {
            Some(call("datediff", vec![text("week"), back(earlier), back(later)]))
        }
        ("last_day", [time, _]) => {
            let begin = call("date_trunc", vec![text("week"), back(time)]);
            Some(call("date", vec![moved(&begin, (first + 6).to_string())]))
        }
        _ => None,
    }
}

/// The years of ISO's weeks, which begin with the week that the fourth of January lies in.
fn of_iso_years(name: &str, args: &[Expr]) -> Option<Expr> {
    let year = |time: &Expr| call("year_of_week", vec![time.clone()]);
    let begin = |year: Expr| {
        let within = call("make_date", vec![year, number("1"), number("4")]);
        call("date_trunc", vec![text("week"), within])
    };
    match (name, args) {
        // A day stays a day, and a timestamp a timestamp.
        ("date_trunc" | "timestamp_trunc" | "datetime_trunc", [time, _]) => {
            let back = call("date_diff", vec![text("day"), call("date", vec![time.clone()]), begin(year(time))]);
            Some(call("date_add", vec![text("day"), back, call("date_trunc", vec![text("day"), time.clone()])]))
        }
        ("date_diff" | "datetime_diff", [later, earlier, _]) => {
            Some(binary(year(later), BinaryOperator::Minus, year(earlier)))
        }
        ("last_day", [time, _]) => {
            let next = begin(binary(year(time), BinaryOperator::Plus, number("1")));
            Some(call("date", vec![call("date_add", vec![text("day"), number("-1"), next])]))
        }
        _ => None,
    }
}

/// The last day of the unit that a time lies in, as Snowflake and BigQuery have it.
fn last_day(time: &Expr, unit: &str) -> Option<Expr> {
    if unit == "month" {
        return Some(call("last_day_of_month", vec![time.clone()]));
    }
    let begin = call("date_trunc", vec![text(unit), time.clone()]);
    let next = call("date_add", vec![text(unit), number("1"), begin]);
    Some(call("date", vec![call("date_add", vec![text("day"), number("-1"), next])]))
}

/// A text in quotes, in lower case.
fn written(part: &Expr) -> Option<String> {
    match part {
        Expr::Value(value) => value.value.clone().into_string().map(|part| part.to_ascii_lowercase()),
        _ => None,
    }
}

/// Our function for a part of a time that the planner does not know, or counts otherwise: Trino's day of the week is 1 for
/// Monday, the stock one 0 for Sunday.
fn part_of_time(part: &str) -> Option<&'static str> {
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

/// `EXTRACT(DAYOFWEEK FROM t)` counts from Sunday, which is 1, as BigQuery does; `DATE` is the day.
pub(super) fn extract(extract: &mut Expr) {
    let Expr::Extract { field, expr, .. } = extract else { return };
    let time = expr.as_ref().clone();
    let named = |name: &DateTimeField| name.to_string().to_ascii_lowercase();
    let replaced = match named(field).as_str() {
        "dayofweek" => binary(call("date_part", vec![text("dow"), time]), BinaryOperator::Plus, number("1")),
        "date" => call("date", vec![time]),
        part => match part_of_time(part) {
            Some(ours) => call(ours, vec![time]),
            // By the name of the function, which knows parts of lengths of time: the planner's own reading calls the stock one.
            None if ["year", "month", "day", "hour", "minute", "second"].contains(&part) => {
                call("date_part", vec![text(part), time])
            }
            None => return,
        },
    };
    *extract = replaced;
}
