//! Dates, times and durations.

use super::{assert_rows, assert_value};

#[test]
fn moments_are_made_of_parts_and_texts() {
    assert_value("date({year: 2024, month: 2, day: 29})", "'2024-02-29'");
    assert_value("date({year: 2024, week: 1, dayOfWeek: 7})", "'2024-01-07'");
    assert_value("date('2024-060')", "'2024-02-29'");
    assert_value("localtime('12:31:14.645')", "'12:31:14.645'");
    assert_value("datetime('2024-07-01T12:00+02:00')", "'2024-07-01T12:00+02:00'");
    let zoned = "'2024-07-01T00:00+02:00[Europe/Stockholm]'";
    assert_value("datetime({year: 2024, month: 7, timezone: 'Europe/Stockholm'})", zoned);
    assert_value("datetime.fromepoch(1704067200, 0)", "'2024-01-01T00:00Z'");
    assert_value("date(null)", "null");
}

#[test]
fn moments_have_parts_and_an_order() {
    assert_rows(
        "{}",
        "WITH datetime('2024-12-30T01:02:03Z') AS d RETURN d.year, d.week, d.weekYear, d.hour, d.epochSeconds",
        &[&["2024", "1", "2025", "1", "1735520523"]],
    );
    assert_value("datetime('2024-01-01T12:00+02:00') < datetime('2024-01-01T11:00Z')", "true");
    assert_value("date('2024-01-01') < localtime('12:00')", "null");
}

#[test]
fn durations_keep_months_days_and_seconds_apart() {
    assert_value("duration({months: 1.5, hours: 30})", "'P1M15DT35H14M33S'");
    assert_value("date('2024-01-31') + duration({months: 1})", "'2024-02-29'");
    assert_value("duration('P1DT2H') * 2", "'P2DT4H'");
    assert_value("duration.between(date('2024-01-31'), date('2024-03-01'))", "'P1M1D'");
    assert_value("date.truncate('quarter', date('2024-05-17'))", "'2024-04-01'");
}
