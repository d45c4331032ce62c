//! Time zones, and moments by their texts.

use arrow::array::timezone::Tz;
use chrono::{DateTime, NaiveDateTime, TimeDelta, TimeZone};

use super::calendar::{self, SECOND};

/// The name of a time zone in the IANA database; an unknown one is UTC, as in Java.
pub(crate) fn name(zone: &str) -> String {
    known(zone).unwrap_or_else(|| "UTC".to_string())
}

/// `None` for an unknown zone. Java has some names of three letters.
fn known(name: &str) -> Option<String> {
    const SHORT: [(&str, &str); 28] = [
        ("ACT", "Australia/Darwin"),
        ("AET", "Australia/Sydney"),
        ("AGT", "America/Argentina/Buenos_Aires"),
        ("ART", "Africa/Cairo"),
        ("AST", "America/Anchorage"),
        ("BET", "America/Sao_Paulo"),
        ("BST", "Asia/Dhaka"),
        ("CAT", "Africa/Harare"),
        ("CNT", "America/St_Johns"),
        ("CST", "America/Chicago"),
        ("CTT", "Asia/Shanghai"),
        ("EAT", "Africa/Addis_Ababa"),
        ("ECT", "Europe/Paris"),
        ("EST", "-05:00"),
        ("HST", "-10:00"),
        ("IET", "America/Indiana/Indianapolis"),
        ("IST", "Asia/Kolkata"),
        ("JST", "Asia/Tokyo"),
        ("MIT", "Pacific/Apia"),
        ("MST", "-07:00"),
        ("NET", "Asia/Yerevan"),
        ("NST", "Pacific/Auckland"),
        ("PLT", "Asia/Karachi"),
        ("PNT", "America/Phoenix"),
        ("PRT", "America/Puerto_Rico"),
        ("PST", "America/Los_Angeles"),
        ("SST", "Pacific/Guadalcanal"),
        ("VST", "Asia/Ho_Chi_Minh"),
    ];
    let name = name.trim();
    if let Some((_, long)) = SHORT.iter().find(|(short, _)| *short == name) {
        return Some((*long).to_string());
    }
    let after = ["GMT", "UTC", "UT"].iter().find_map(|word| name.strip_prefix(word)).unwrap_or(name);
    offset(after).or_else(|| name.parse::<Tz>().is_ok().then(|| name.to_string()))
}

/// `+8`, `-03`, `+530`, `+0530`, `+5:30` and `+05:30:00` as `+05:30`; `None` for other texts.
fn offset(text: &str) -> Option<String> {
    let sign = text.chars().next().filter(|sign| ['+', '-'].contains(sign))?;
    let digits = &text[1..];
    let (hours, minutes) = match digits.split_once(':') {
        Some((hours, minutes)) => (hours, minutes.strip_suffix(":00").unwrap_or(minutes)),
        None if digits.len() > 2 => digits.split_at_checked(digits.len() - 2)?,
        None => (digits, "00"),
    };
    let number = |digits: &str, least: usize, below: u32| {
        let fine = (least..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|number| fine && *number < below)
    };
    let (hours, minutes) = (number(hours, 1, 24)?, number(minutes, 2, 60)?);
    Some(format!("{sign}{hours:02}:{minutes:02}"))
}

/// Nanoseconds since 1970 of a moment by its text, with a zone after the time or in UTC: `2011-05-06 07:08:09.5 Asia/Tokyo`,
/// `2011-05-06 07:08:09+09:00`, `2011-05-06 Asia/Tokyo`.
pub(crate) fn moment(text: &str) -> Option<i64> {
    calendar::parse_timestamp(text).or_else(|| {
        let (clock, zone) = zoned(text)?;
        at(&zone, DateTime::from_timestamp_nanos(clock).naive_utc())
    })
}

/// The local time of a text. Its time zone must be known, and is ignored.
pub(crate) fn clock(text: &str) -> Option<i64> {
    calendar::parse_timestamp(text).or_else(|| Some(zoned(text)?.0))
}

/// The local time and the time zone of a text that has both.
fn zoned(text: &str) -> Option<(i64, Tz)> {
    let text = text.trim();
    let day = text.find(|letter: char| !letter.is_ascii_digit() && letter != '-')?;
    let rest = text[day..].strip_prefix([' ', 'T'])?;
    let time = rest.find(|letter: char| !letter.is_ascii_digit() && ![':', '.'].contains(&letter))?;
    let (time, zone) = rest.split_at(time);
    let clock = if time.is_empty() { text[..day].to_string() } else { format!("{} {time}", &text[..day]) };
    Some((calendar::parse_timestamp(&clock)?, known(zone)?.parse().ok()?))
}

/// The moment of a local time; a time in a gap is later by the length of the gap.
fn at(zone: &Tz, clock: NaiveDateTime) -> Option<i64> {
    let hour = TimeDelta::hours(1);
    let moment = zone.from_local_datetime(&clock).earliest();
    let moment = moment.or_else(|| zone.from_local_datetime(&(clock - hour)).earliest().map(|before| before + hour));
    moment?.timestamp_nanos_opt()
}

/// A moment as Hive prints it: in the local zone, with at least one fraction digit.
pub(crate) fn format(nanos: i64) -> String {
    let point = if nanos.rem_euclid(SECOND) == 0 { ".0" } else { "" };
    format!("{}{point} UTC", calendar::format_timestamp(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_many_names() {
        for (name, wanted) in [
            ("GMT+8", "+08:00"),
            ("UTC+8", "+08:00"),
            ("UT-3", "-03:00"),
            ("GMT+08:00", "+08:00"),
            ("UTC-3:30", "-03:30"),
            ("GMT+0530", "+05:30"),
            ("GMT+530", "+05:30"),
            ("+8", "+08:00"),
            ("-03:30", "-03:30"),
            ("+05:30:00", "+05:30"),
            ("GMT", "GMT"),
            ("UTC", "UTC"),
            ("Etc/GMT+8", "Etc/GMT+8"),
            ("Europe/Berlin", "Europe/Berlin"),
            ("PST", "America/Los_Angeles"),
            ("GMT+24", "UTC"),
            ("GMT+", "UTC"),
            ("GMT+ä", "UTC"),
            ("Nowhere", "UTC"),
        ] {
            assert_eq!(super::name(name), wanted, "{name}");
        }
    }

    #[test]
    fn moments_are_read_with_their_zone() {
        for (text, wanted) in [
            ("2011-05-06 07:08:09", Some("2011-05-06 07:08:09.0 UTC")),
            ("2011-05-06 07:08:09.5 Asia/Tokyo", Some("2011-05-05 22:08:09.5 UTC")),
            ("2011-05-06 07:08:09+07:00", Some("2011-05-06 00:08:09.0 UTC")),
            ("2011-05-06T07:08:09-0130", Some("2011-05-06 08:38:09.0 UTC")),
            ("2011-05-06 07:08:09 GMT+01:00", Some("2011-05-06 06:08:09.0 UTC")),
            ("2011-05-06 Asia/Tokyo", Some("2011-05-05 15:00:00.0 UTC")),
            ("2011-05-06", Some("2011-05-06 00:00:00.0 UTC")),
            ("2024-03-31 02:30:00 Europe/Berlin", Some("2024-03-31 01:30:00.0 UTC")),
            ("2011-05-06 07:08:09 Nowhere", None),
            ("2011-05-06 25:08:09 UTC", None),
            ("ä", None),
            ("2011-05-06 ä", None),
        ] {
            assert_eq!(moment(text).map(format).as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn local_times_drop_the_zone() {
        for (text, wanted) in [
            ("2011-05-06 07:08:09.5 Asia/Tokyo", Some("2011-05-06 07:08:09.5")),
            ("2011-05-06T07:08:09+07:00", Some("2011-05-06 07:08:09")),
            ("2011-05-06 GMT+01:00", Some("2011-05-06 00:00:00")),
            ("2011-05-06 07:08:09", Some("2011-05-06 07:08:09")),
            ("2011-05-06 07:08:09 Nowhere", None),
        ] {
            assert_eq!(clock(text).map(calendar::format_timestamp).as_deref(), wanted, "{text}");
        }
    }
}
